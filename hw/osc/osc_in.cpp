#include "hw/osc/osc_in.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "core/rt/monotonic_clock.h"
#include "hw/osc/osc_packet.h"
#include "hw/osc/osc_port.h"

namespace letoff::hw {
namespace {

constexpr int kLook_ms = 50;  // so long an end may wait

std::optional<sockaddr_in> address_of(std::string_view where) {
    const std::size_t colon = where.rfind(':');
    const std::string host(colon == std::string_view::npos ? "127.0.0.1" : where.substr(0, colon));
    const std::string_view digits = colon == std::string_view::npos ? where : where.substr(colon + 1);
    const auto port = osc_port(digits);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port.value_or(0));
    if (!port || inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) return std::nullopt;
    return address;
}

}  // namespace

core::Result<std::unique_ptr<OscIn>> OscIn::start(std::string_view where, std::function<void()> wake,
                                                  core::FaultCounters& faults) {
    const auto address = address_of(where);
    if (!address) {
        return core::Error{"OSC cannot be taken at \"" + std::string(where) +
                           "\": a port from 0 to 65535, or ADDRESS:PORT with an IPv4 address, is accepted."};
    }
    const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    auto in = std::unique_ptr<OscIn>(new OscIn(socket, std::move(wake), faults));
    sockaddr_in bound = *address;
    socklen_t size = sizeof bound;
    if (socket < 0 || ::bind(socket, reinterpret_cast<const sockaddr*>(&bound), size) != 0 ||
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
        return core::Error{"OSC cannot be taken at \"" + std::string(where) +
                           "\": " + std::generic_category().message(errno) + '.'};
    }
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &bound.sin_addr, text, sizeof text);
    in->port_ = ntohs(bound.sin_port);
    in->address_ = std::string(text) + ':' + std::to_string(in->port_);
    in->thread_ = std::thread([self = in.get()] { self->run(); });
    return in;
}

OscIn::OscIn(int socket, std::function<void()> wake, core::FaultCounters& faults)
    : socket_(socket), wake_(std::move(wake)), faults_(faults) {}

OscIn::~OscIn() {
    stop_.store(true, std::memory_order_release);
    if (thread_.joinable()) thread_.join();
    if (socket_ >= 0) ::close(socket_);
}

void OscIn::run() {
    std::vector<std::uint8_t> packet(kLargestOscPacket_bytes);
    OscAsked asked;
    while (!stop_.load(std::memory_order_acquire)) {
        pollfd waiting{socket_, POLLIN, 0};
        if (::poll(&waiting, 1, kLook_ms) <= 0) continue;
        const ssize_t size = ::recv(socket_, packet.data(), packet.size(), MSG_DONTWAIT);
        if (size < 0) continue;
        const std::int64_t now_ns = core::monotonic_now_ns();
        asked.messages.clear();
        asked.parameters.clear();
        if (!read_osc_packet(std::span(packet.data(), static_cast<std::size_t>(size)), asked))
            faults_.raise(core::Fault::kMidiMalformed);
        if (!asked.parameters.empty()) keep(asked.parameters);
        for (const core::MidiMessage& message : asked.messages) {
            if (ring_.try_push({now_ns, message})) continue;
            faults_.raise(core::Fault::kMidiInputOverflow);
            lost_.store(true, std::memory_order_release);
        }
        if (!asked.messages.empty() && wake_) wake_();
    }
}

/// A slider sends a hundred values a second: of each place the last one counts.
void OscIn::keep(std::vector<OscParameter>& parameters) {
    const std::lock_guard lock(mutex_);
    for (OscParameter& parameter : parameters) {
        const auto same = std::find_if(parameters_.begin(), parameters_.end(), [&](const OscParameter& one) {
            return one.key == parameter.key && one.id == parameter.id;
        });
        if (same != parameters_.end()) {
            same->value = parameter.value;
        } else if (parameters_.size() < kMostParameters) {
            parameters_.push_back(std::move(parameter));
        } else {
            faults_.raise(core::Fault::kMidiInputOverflow);
        }
    }
}

std::vector<OscParameter> OscIn::take_parameters() {
    const std::lock_guard lock(mutex_);
    return std::exchange(parameters_, {});
}

}  // namespace letoff::hw
