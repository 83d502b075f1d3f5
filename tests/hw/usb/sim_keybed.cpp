#include "tests/hw/usb/sim_keybed.h"

#include <algorithm>
#include <cstdlib>

namespace letoff::test {

using namespace hw;

namespace {

DeviceSetup device_setup(const SimKeybedSetup& setup) {
    DeviceSetup s = DeviceSetup::of(light_lever(), setup.serial, setup.first_key, setup.keys);
    s.clock_ppm = setup.clock_ppm;
    if (setup.rates != 0) s.identity.rates = setup.rates;
    return s;
}

}  // namespace

SimKeybed::SimKeybed(const SimKeybedSetup& setup) : device_(device_setup(setup)) {}

UsbDeviceModel::Bytes SimKeybed::descriptors() const {
    Bytes all = firmware::device_descriptor();
    const Bytes configuration = firmware::configuration_descriptor(device_.setup().max_packet);
    all.insert(all.end(), configuration.begin(), configuration.end());
    return all;
}

std::string SimKeybed::string(int index) const {
    return index == 3 ? device_.setup().identity.serial : index == 2 ? device_.setup().identity.name : "Letoff";
}

void SimKeybed::advance(std::int64_t now_us) {
    if (world_zero_us_ < 0) world_zero_us_ = now_us;
    const double until_s = 1e-6 * static_cast<double>(now_us - world_zero_us_);
    // Tick by tick, so that what the motors do is seen in each.
    while (world_s_ < until_s) {
        world_s_ = std::min(until_s, world_s_ + kPlantStep_s);
        const std::int64_t before = device_.ticks();
        device_.advance_to(world_s_);
        if (device_.ticks() == before) continue;
        for (int key = 0; key < device_.keys(); ++key) {
            if (device_.key(key).force_N() == 0) continue;
            last_push_us_ = device_.time_us();
            break;
        }
    }
}

void SimKeybed::on_reset(std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    device_.bus_reset();
    session_has_force_ = false;
}

void SimKeybed::with(std::int64_t now_us, const std::function<void(SimDevice&)>& use) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    use(device_);
}

void SimKeybed::set_tamper(std::function<std::vector<Bytes>(Bytes)> tamper) {
    const std::lock_guard lock(mutex_);
    tamper_ = std::move(tamper);
}

void SimKeybed::halt(std::uint8_t endpoint, std::int64_t now_us) {
    with(now_us, [&](SimDevice& device) { device.halt(endpoint); });
    halted_ = endpoint;
}

std::optional<UsbDeviceModel::Bytes> SimKeybed::on_control(const SetupPacket& s, std::span<const std::uint8_t> data,
                                                           std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    UsbReply reply = device_.control({s.request_type, s.request, s.value, s.index, s.length}, data);
    if (reply.answer != UsbAnswer::ack) return std::nullopt;
    if (s.is(0x01, 11) || s.is(0x00, 9)) {
        session_has_force_ = false;
        ready_.clear();
    }
    if (s.is(0x02, 1)) {
        halted_ = 0;
        ++cleared_;
    }
    return std::move(reply.bytes);
}

void SimKeybed::note_first_force(std::span<const std::uint8_t> frame) {
    firmware::Force force;
    if (session_has_force_ || !firmware::read_force(frame, device_.keys(), firmware::kMostSamples, force)) return;
    session_has_force_ = true;
    int most = 0;
    const auto count = static_cast<std::size_t>(force.samples) * static_cast<std::size_t>(device_.keys());
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::abs(int{force.force[i]}));
    first_forces_.push_back(most);
}

bool SimKeybed::on_out(std::uint8_t endpoint, std::span<const std::uint8_t> bytes, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    if (refuse_out_ || endpoint != 0x01) return false;
    const std::uint32_t valid = device_.status().frames_valid;
    if (device_.on_out_transfer(bytes) != UsbAnswer::ack) return false;
    note_first_force(bytes);
    if (device_.status().frames_valid != valid) last_valid_us_ = device_.time_us();
    return true;
}

std::optional<UsbDeviceModel::Bytes> SimKeybed::next_in(std::uint8_t endpoint, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    if (endpoint != 0x81) return std::nullopt;
    if (ready_.empty()) {
        UsbReply frame = device_.next_in_transfer();
        if (frame.answer != UsbAnswer::ack) return std::nullopt;
        if (tamper_) {
            for (Bytes& bytes : tamper_(std::move(frame.bytes))) ready_.push_back(std::move(bytes));
            if (ready_.empty()) return std::nullopt;
        } else {
            ready_.push_back(std::move(frame.bytes));
        }
    }
    Bytes first = std::move(ready_.front());
    ready_.pop_front();
    ++sent_;
    return first;
}

firmware::DeviceState SimKeybed::state(std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    return device_.state();
}

firmware::Status SimKeybed::status(std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    return device_.status();
}

firmware::KeyFault SimKeybed::fault(int key, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    return device_.key(key).fault();
}

double SimKeybed::force_N(int key, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    advance(now_us);
    return device_.key(key).force_N();
}

std::vector<int> SimKeybed::first_forces() const {
    const std::lock_guard lock(mutex_);
    return first_forces_;
}

}  // namespace letoff::test
