#include "hw/sim/device.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace letoff::hw {

using firmware::DeviceFault;
using firmware::DeviceState;

DeviceSetup DeviceSetup::of(const DeviceNumbers& numbers, const std::string& serial, int first_key, int keys) {
    DeviceSetup s;
    s.numbers = numbers;
    s.identity.serial = serial;
    s.identity.name = "Simulated " + std::string(numbers.name);
    s.identity.first_key = static_cast<std::int16_t>(first_key);
    s.identity.keys = static_cast<std::uint8_t>(keys);
    s.identity.kind = numbers.weight_N > 0 ? 0 : 1;  // only a real key falls by itself
    s.identity.stops = numbers.stops ? 3 : 0;
    s.identity.rates = 15;
    s.identity.max_samples = firmware::kMostSamples;
    s.identity.flags = firmware::kSelfCalibrated | firmware::kHasSwitch;
    s.identity.senses = firmware::kAllSenses;
    s.identity.sense_delay_us = 100;
    s.identity.act_delay_us = 95;  // half a tick, and the current loop's 80 us
    s.identity.calibration_id = 0xCA110000u + static_cast<std::uint32_t>(first_key);
    firmware::KeyRow row;
    // Where the plant's front felt gives 3 N: 9.746 + 0.131 mm. Without rails: the hard end at 14 mm.
    row.travel = numbers.stops ? 19754 : 28000;
    row.moving_mass = static_cast<std::uint16_t>(std::floor(numbers.moving_mass_kg * 1e5 + 0.5));
    row.friction = static_cast<std::uint16_t>(std::floor(numbers.dry_friction_N * 500 + 0.5));
    row.peak_force = 30000;
    row.peak_ms = 20;
    row.second_force = 7500;
    row.continuous_force = row.slew = 2500;
    row.current_limit = static_cast<std::uint16_t>(numbers.motor.most_A * 1000);
    row.temperature_limit = 900;  // enamelled wire bears more; the plastic round it does not
    row.energy_limit = 2000;
    for (int k = 0; k < keys; ++k) {
        row.key = static_cast<std::uint16_t>(k);
        s.rows.push_back(row);
    }
    return s;
}

DeviceSetup DeviceSetup::of_voltages(const DeviceNumbers& numbers, const std::string& serial, int first_key, int keys) {
    DeviceSetup s = of(numbers, serial, first_key, keys);
    s.identity.senses = firmware::kHallFront | firmware::kHallRear | firmware::kCoil;
    s.identity.flags = firmware::kHasSwitch;
    for (firmware::KeyRow& row : s.rows) {
        row.peak_force = row.second_force = row.continuous_force;
        row.energy_limit = 0;
    }
    return s;
}

SimDevice::SimDevice(const DeviceSetup& setup)
    : in_trouble(setup.seed * 2654435761u + 1),
      out_trouble(setup.seed * 2654435761u + 2),
      clock_ppm(setup.clock_ppm),
      setup_(setup),
      rows_(setup.rows),
      token_(setup.token) {
    const std::size_t keys = rows_.size();
    if (keys < firmware::kLeastKeys || keys > firmware::kMostKeys || keys != setup.identity.keys)
        throw std::invalid_argument("a device has 8 to 96 keys and a row for each, not " + std::to_string(keys) +
                                    " rows");
    if (setup.max_packet != 512 && setup.max_packet != 1024)
        throw std::invalid_argument("max_packet is 512 or 1024, not " + std::to_string(setup.max_packet));
    const bool knows_position = (setup.identity.senses & firmware::kPosition) != 0;
    for (const firmware::KeyRow& row : rows_)
        if (!knows_position && (row.peak_force > firmware::kMostRawForce || row.energy_limit != 0))
            throw std::invalid_argument("a device that senses no position pushes with 5 N at most, not with " +
                                        std::to_string(row.peak_force) + " units, and supervises no energy");
    keys_.reserve(keys);
    for (std::size_t k = 0; k < keys; ++k) keys_.emplace_back(setup.numbers, setup.seed * 1000003u + k + 1, rows_[k]);
    motion_.key_status.resize(keys);
    motion_.temperatures.resize(keys);
}

void SimDevice::bus_reset() {
    configuration_ = setting_ = 0;
    begin_session();
}

void SimDevice::advance_to(double world_s) {
    if (!(world_s > world_s_)) return;
    device_s_ += (world_s - world_s_) * (1 + 1e-6 * clock_ppm);
    world_s_ = world_s;
    while (static_cast<double>(ticks_ + 1) * kPlantStep_s <= device_s_ + 1e-9) tick();
}

void SimDevice::tick() {
    watch();
    look_after_device();
    drive();
    for (DeviceKey& key : keys_) key.step(static_cast<double>(ticks_) * kPlantStep_s);
    ++ticks_;
    if (ticks_ % DeviceKey::kReadSteps == 0) {
        // A key with a new fault has switched itself off. Too many of them are the device's fault.
        for (DeviceKey& key : keys_) key.read(powered());
        if (4 * keys_off(false) > keys()) fail(DeviceFault::too_many_keys);
        sample();
    }
}

// The watchdog asks nobody: it looks at one number and takes the motors' power. What computes forces comes after it and
// finds the power gone.
void SimDevice::watch() {
    if (!powered() || watchdog_.alive(ticks_)) return;
    for (DeviceKey& key : keys_) key.off();
    ++counts_.watchdog_trips;
    enter(DeviceState::calibrated);
}

void SimDevice::look_after_device() {
    if (stop_switch) fail(DeviceFault::emergency_stop);
    if (cause != DeviceFault::none) fail(cause);
}

void SimDevice::drive() {
    if (!powered()) {
        for (DeviceKey& key : keys_) key.off();
        return;
    }
    const double watchdog = watchdog_.factor(ticks_);
    const double soft =
        std::min(1.0, static_cast<double>(ticks_ - enabled_at_) * kPlantStep_s / firmware::kSoftStart_s);
    const std::uint64_t now_us = time_us();
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const double asked_N = state_ == DeviceState::enabled ? 0.002 * command(k, now_us) * soft * watchdog : 0;
        keys_[k].push(asked_N);
    }
}

std::int16_t SimDevice::command(std::size_t key, std::uint64_t now_us) const {
    if (force_.samples == 0) return 0;
    if (now_us < force_from_us_) return held_[key];
    const std::uint64_t past = (now_us - force_from_us_) / 1000 >= 8  // the longest frame
                                   ? 8 * firmware::kMostSamples
                                   : (now_us - force_from_us_) * force_.rate_kHz / 1000;
    const auto sample = static_cast<std::size_t>(std::min<std::uint64_t>(past, force_.samples - 1u));
    return force_.force[sample * keys_.size() + key];
}

void SimDevice::begin_session() {
    const bool was_powered = powered();
    enter(DeviceState::disabled);
    if (!was_powered && ++token_ == 0) ++token_;
    device_fault_ = DeviceFault::none;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (!keys_[k].cause_present()) keys_[k].forget_fault();
        keys_[k].set_limits(setup_.rows[k]);
    }
    rows_ = setup_.rows;
    const std::uint32_t trips = counts_.watchdog_trips;
    counts_ = {};
    counts_.watchdog_trips = trips;
    seen_force_ = false;
    watchdog_.forget();
    out_.clear();
    in_.clear();
    in_begun_ = false;
    waiting_.clear();
    in_trouble.forget();
    out_trouble.forget();
    motion_.values.clear();
    sampled_ = 0;
    next_sequence_ = 0;
    halted_[0] = halted_[1] = false;
}

void SimDevice::enter(DeviceState next) {
    const bool was_powered = powered();
    state_ = next;
    if (was_powered && !powered()) {
        for (DeviceKey& key : keys_) key.off();
        if (++token_ == 0) ++token_;
        watchdog_.forget();
    }
    if (next == DeviceState::enabled) enabled_at_ = ticks_;
    if (!powered()) {  // nothing of what was commanded outlives the power
        force_.samples = 0;
        held_.fill(0);
    }
}

void SimDevice::fail(DeviceFault cause) {
    if (state_ == DeviceState::fault) return;  // the first cause is kept
    device_fault_ = cause;
    enter(DeviceState::fault);
}

int SimDevice::keys_off(bool only_lasting) const {
    return static_cast<int>(std::count_if(keys_.begin(), keys_.end(), [&](const DeviceKey& key) {
        return key.fault() != firmware::KeyFault::none && (!only_lasting || key.cause_present());
    }));
}

bool SimDevice::cause_present() const {
    return stop_switch || cause != DeviceFault::none || 4 * keys_off(true) > keys();
}

firmware::Status SimDevice::status() const {
    firmware::Status s = counts_;
    s.state = state_;
    s.token = token_;
    s.time_us = time_us();
    s.device_fault = device_fault_;
    s.keys_off = static_cast<std::uint8_t>(keys_off(false));
    return s;
}

}  // namespace letoff::hw
