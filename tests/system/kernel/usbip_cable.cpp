#include "tests/system/kernel/usbip_cable.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "core/rt/monotonic_clock.h"

namespace letoff::test {
namespace {

using Bytes = UsbDeviceModel::Bytes;

constexpr std::uint32_t kSubmit = 1, kUnlink = 2, kSubmitted = 3, kUnlinked = 4;
constexpr std::size_t kHeader = 48;
constexpr std::uint32_t kMostBytes = 1 << 16;

std::uint32_t word(const std::uint8_t* header, std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, header + 4 * index, sizeof value);
    return ntohl(value);
}

void set_word(std::uint8_t* header, std::size_t index, std::uint32_t value) {
    value = htonl(value);
    std::memcpy(header + 4 * index, &value, sizeof value);
}

bool write_all(int socket, const Bytes& bytes) {
    return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

std::int64_t UsbIpCable::now_us() {
    return core::monotonic_now_ns() / 1000;
}

void UsbIpCable::plug(int socket) {
    unplug();
    model_.on_reset(now_us());
    socket_ = socket;
}

void UsbIpCable::unplug() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    waiting_.clear();
}

bool UsbIpCable::read_all(void* to, std::size_t bytes) {
    const ssize_t got = bytes == 0 ? 0 : ::recv(socket_, to, bytes, MSG_WAITALL);
    if (got == static_cast<ssize_t>(bytes)) return true;
    unplug();
    return false;
}

void UsbIpCable::answer(const Urb& urb, std::int32_t status, const Bytes& data) {
    Bytes bytes(kHeader);
    const bool in = (urb.endpoint & 0x80) != 0;
    set_word(bytes.data(), 0, kSubmitted);
    set_word(bytes.data(), 1, urb.sequence);
    set_word(bytes.data(), 5, static_cast<std::uint32_t>(status));
    set_word(bytes.data(), 6, status != 0 ? 0 : in ? static_cast<std::uint32_t>(data.size()) : urb.length);
    set_word(bytes.data(), 8, 0xFFFFFFFF);  // not isochronous
    if (in && status == 0) bytes.insert(bytes.end(), data.begin(), data.end());
    if (!write_all(socket_, bytes)) unplug();
}

Bytes UsbIpCable::descriptor(int type, int index) const {
    const Bytes all = model_.descriptors();
    const auto device = static_cast<std::ptrdiff_t>(all.front());
    if (type == 1) return {all.begin(), all.begin() + device};
    if (type == 2) return {all.begin() + device, all.end()};
    if (type != 3) return {};
    if (index == 0) return {4, 3, 0x09, 0x04};  // English
    Bytes text{0, 3};
    for (const char c : model_.string(index)) {
        text.push_back(static_cast<std::uint8_t>(c));
        text.push_back(0);
    }
    text[0] = static_cast<std::uint8_t>(text.size());
    return text;
}

void UsbIpCable::control(const Urb& urb, const std::uint8_t* s) {
    const auto two = [s](int at) { return static_cast<std::uint16_t>(s[at] | s[at + 1] << 8); };
    const SetupPacket setup{s[0], s[1], two(2), two(4), two(6)};
    std::optional<Bytes> reply;
    if (setup.is(0x80, 6)) {  // GET_DESCRIPTOR
        reply = descriptor(setup.value >> 8, setup.value & 0xFF);
        if (reply->empty()) reply.reset();
    } else {
        reply = model_.on_control(setup, urb.data, now_us());
    }
    if (!reply) return answer(urb, -EPIPE);
    if (reply->size() > urb.length) reply->resize(urb.length);
    answer(urb, 0, *reply);
}

bool UsbIpCable::try_now(const Urb& urb) {
    if (model_.is_halted(urb.endpoint)) {
        answer(urb, -EPIPE);
        return true;
    }
    if ((urb.endpoint & 0x80) == 0) {
        if (!model_.on_out(urb.endpoint, urb.data, now_us())) return false;
        answer(urb, 0);
        return true;
    }
    auto frame = model_.next_in(urb.endpoint, now_us());
    if (!frame) return false;
    if (frame->size() > urb.length) {
        answer(urb, -EOVERFLOW);
    } else {
        answer(urb, 0, *frame);
    }
    return true;
}

void UsbIpCable::carry() {
    // In order, each endpoint for itself.
    std::uint8_t blocked = 0;
    for (std::size_t i = 0; socket_ >= 0 && i < waiting_.size();) {
        const auto way = static_cast<std::uint8_t>(waiting_[i].endpoint & 0x80 ? 1 : 2);
        if ((blocked & way) == 0 && try_now(waiting_[i])) {
            if (socket_ >= 0) waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            blocked |= way;
            ++i;
        }
    }
}

void UsbIpCable::unlink(std::uint32_t sequence, std::uint32_t which) {
    const auto urb =
        std::find_if(waiting_.begin(), waiting_.end(), [which](const Urb& u) { return u.sequence == which; });
    const bool found = urb != waiting_.end();
    if (found) waiting_.erase(urb);
    Bytes bytes(kHeader);
    set_word(bytes.data(), 0, kUnlinked);
    set_word(bytes.data(), 1, sequence);
    set_word(bytes.data(), 5, static_cast<std::uint32_t>(found ? -ECONNRESET : 0));
    if (!write_all(socket_, bytes)) unplug();
}

void UsbIpCable::take() {
    std::array<std::uint8_t, kHeader> header{};
    if (!read_all(header.data(), header.size())) return;
    const std::uint32_t command = word(header.data(), 0), sequence = word(header.data(), 1);
    if (command == kUnlink) return unlink(sequence, word(header.data(), 5));
    const bool in = word(header.data(), 3) != 0;
    Urb urb{
        sequence, static_cast<std::uint8_t>(word(header.data(), 4) | (in ? 0x80U : 0U)), word(header.data(), 6), {}};
    if (command != kSubmit || urb.length > kMostBytes) return unplug();
    if (!in) {
        urb.data.resize(urb.length);
        if (!read_all(urb.data.data(), urb.data.size())) return;
    }
    if ((urb.endpoint & 0x7F) == 0) return control(urb, header.data() + 40);
    waiting_.push_back(std::move(urb));
}

}  // namespace letoff::test
