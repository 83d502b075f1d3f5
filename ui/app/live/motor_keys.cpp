#include "ui/app/live/motor_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace letoff::ui {
namespace {

constexpr double kRearmEvery_s = 1.0;
constexpr double kMilli = 1e-3;
constexpr double kMicroframe_s = 125e-6;

using Phase = hw::DeviceSession::Phase;

}  // namespace

core::Result<KeybedWay> parse_keybed(std::string_view text) {
    if (text == "auto") return KeybedWay::kAuto;
    if (text == "usb") return KeybedWay::kUsb;
    if (text == "sim") return KeybedWay::kSim;
    if (text == "none") return KeybedWay::kNone;
    return core::Error{fmt::format("there is no keybed '{}', use one of auto, usb, sim, none", text)};
}

MotorKeys::MotorKeys(const core::Clock& clock, core::FaultCounters& faults, hw::ArrayOptions options)
    : clock_(clock), hub_(std::move(options), clock, faults) {}

MotorKeys::~MotorKeys() {
    stop();
}

core::Result<std::unique_ptr<MotorKeys>> MotorKeys::start(KeybedWay way, const core::Clock& clock,
                                                          core::FaultCounters& faults, hw::ArrayOptions options,
                                                          const hw::DeviceSetup& simulated, core::RtMode rt) {
    if (way == KeybedWay::kNone) return core::Error{"no motorised keys were asked for"};
    std::unique_ptr<MotorKeys> keys(new MotorKeys(clock, faults, std::move(options)));
    if (way == KeybedWay::kSim) {
        keys->sim_ = std::make_unique<hw::SimTransport>(keys->hub_, clock, std::vector{simulated});
        keys->sim_->start(rt);
        return keys;
    }
    keys->usb_ = std::make_unique<hw::UsbTransport>(keys->hub_);
    if (auto started = keys->usb_->start(rt); !started) {
        if (way == KeybedWay::kUsb) return core::Error{started.error()};
        keys->usb_.reset();  // a machine without USB is played as one with nothing plugged in
    }
    return keys;
}

hw::DeviceSetup MotorKeys::simulated_keys() {
    return hw::DeviceSetup::of(hw::light_lever(), "SIM-1", 1, core::kKeyCount);
}

void MotorKeys::poll() {
    if (!sim_ || clock_.now_s() - rearmed_s_ < kRearmEvery_s) return;
    const auto devices = hub_.status();
    if (std::none_of(devices.begin(), devices.end(), [](const auto& d) { return d.phase == Phase::kFallen; })) return;
    rearmed_s_ = clock_.now_s();
    hub_.rearm();
}

std::string MotorKeys::rearm() {
    std::string fallen;
    int plugged_in = 0;
    for (const hw::DeviceReport& device : hub_.status()) {
        if (is_of_use(device)) ++plugged_in;
        if (device.phase != Phase::kFallen) continue;
        fallen += fmt::format("{}{}: {}", fallen.empty() ? "" : " ", device.identity.serial_text(), device.why);
    }
    if (plugged_in == 0) return "no motorised keyboard is plugged in";
    hub_.rearm();
    if (fallen.empty()) return "no motorised keyboard had fallen; keys that were taken out are tried again";
    return "armed again. " + fallen;
}

std::vector<std::string> MotorKeys::take_sentences() {
    std::vector<std::string> sentences;
    for (hw::ArrayEvent& event : hub_.take_events()) sentences.push_back(std::move(event.sentence));
    return sentences;
}

bool MotorKeys::is_of_use(const hw::DeviceReport& device) {
    return device.phase != Phase::kRefused && device.phase != Phase::kClosed;
}

void MotorKeys::stop() {
    if (usb_) usb_->stop();
    if (sim_) sim_->stop();
}

std::vector<keyboard::HapticValues> haptics_of_keys(std::span<const hw::DeviceReport> devices,
                                                    const keyboard::HapticValues& values) {
    std::vector<keyboard::HapticValues> all(core::kKeyCount, values);
    for (const hw::DeviceReport& device : devices) {
        if (!MotorKeys::can_be_played(device)) continue;
        for (int k = 0; k < device.identity.keys; ++k) {
            const int key = device.identity.first_key - 1 + k;
            if (key >= 0 && key < core::kKeyCount) all[static_cast<std::size_t>(key)] = haptics_on(device, k, values);
        }
    }
    return all;
}

keyboard::HapticValues haptics_on(const hw::DeviceReport& device, int device_key, keyboard::HapticValues values) {
    using keyboard::haptic_row;
    const hw::Identity& identity = device.identity;
    values[haptic_row("device_stops")] = identity.front_rail && identity.back_rail ? 1 : 0;
    // A force waits for the next frame and the bus, on the mean half of each.
    const double frame_s = kMilli * device.stream.samples / std::max<int>(1, device.stream.rate_kHz);
    values[haptic_row("device_delay_ms")] =
        (1e-6 * identity.act_delay_us + 0.5 * frame_s + 0.5 * kMicroframe_s) / kMilli;
    if (device_key >= static_cast<int>(device.key_rows.size())) return values;
    const hw::KeyRow& row = device.key_rows[static_cast<std::size_t>(device_key)];
    if (row.moving_mass != 0) values[haptic_row("device_mass_g")] = 0.01 * row.moving_mass;
    if (row.friction != 0) values[haptic_row("device_dry_friction_N")] = hw::kForceUnit_N * row.friction;
    const auto lower = [&](std::size_t of, std::uint16_t most) {
        values[of] = std::min(values[of], hw::kForceUnit_N * most);
    };
    lower(haptic_row("force_peak_N"), row.peak_force);
    lower(haptic_row("force_strong_N"), row.second_force);
    lower(haptic_row("force_continuous_N"), row.continuous_force);
    lower(haptic_row("force_slew_N_per_ms"), row.slew);
    return values;
}

}  // namespace letoff::ui
