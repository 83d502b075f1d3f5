#include "tests/hw/usb/fake_keybed.h"

#include <algorithm>
#include <cmath>

namespace letoff::test {

using namespace hw;

namespace {

constexpr std::size_t kMostWaiting = 4;

}  // namespace

FakeKeybed::FakeKeybed(FakeKeybedSetup setup)
    : setup_(std::move(setup)), key_status_(static_cast<std::size_t>(setup_.keys)) {}

UsbDeviceModel::Bytes FakeKeybed::descriptors() const {
    return {0x12, 0x01, 0x00, 0x02, 0xFF, 0x00, 0x00, 0x40, 0x09, 0x12, 0x01, 0x00, 0x00, 0x01, 0x01,
            0x02, 0x03, 0x01, 0x09, 0x02, 0x29, 0x00, 0x01, 0x01, 0x00, 0x80, 0xFA, 0x09, 0x04, 0x00,
            0x00, 0x00, 0xFF, 0x4B, 0x01, 0x00, 0x09, 0x04, 0x00, 0x01, 0x02, 0xFF, 0x4B, 0x01, 0x00,
            0x07, 0x05, 0x81, 0x03, 0x00, 0x04, 0x01, 0x07, 0x05, 0x01, 0x03, 0x00, 0x04, 0x01};
}

std::string FakeKeybed::string(int index) const {
    return index == 3 ? setup_.serial : index == 2 ? "Fake keybed" : "Letoff tests";
}

std::uint64_t FakeKeybed::device_us(std::int64_t now_us) const {
    return setup_.time_zero_us +
           static_cast<std::uint64_t>(std::llround(static_cast<double>(now_us) * (1 + setup_.clock_ppm * 1e-6)));
}

void FakeKeybed::set_motion(Motion motion) {
    const std::lock_guard lock(mutex_);
    motion_ = std::move(motion);
}
void FakeKeybed::set_tamper(std::function<std::vector<Bytes>(Bytes)> tamper) {
    const std::lock_guard lock(mutex_);
    tamper_ = std::move(tamper);
}
void FakeKeybed::set_key_status(int key, std::uint8_t status) {
    const std::lock_guard lock(mutex_);
    key_status_[static_cast<std::size_t>(key)] = status;
}
void FakeKeybed::press_stop_switch(bool pressed) {
    const std::lock_guard lock(mutex_);
    stop_pressed_ = pressed;
    if (!pressed) return;
    leave_to(DeviceState::kFault);
    status_.device_fault = 1;
}

void FakeKeybed::begin_session(std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t trips = status_.watchdog_trips;
    status_ = {};
    status_.watchdog_trips = trips;
    state_ = DeviceState::kDisabled;
    ++token_;
    any_force_frame_ = false;
    forces_.clear();
    ready_.clear();
    force_at_us_ = -1'000'000;
    next_sample_us_ = device_us(now_us);
}

void FakeKeybed::leave_to(DeviceState state) {
    const bool was_on = state_ == DeviceState::kArmed || state_ == DeviceState::kEnabled;
    const bool is_on = state == DeviceState::kArmed || state == DeviceState::kEnabled;
    if (was_on && !is_on) ++token_;
    state_ = state;
}

/// Everything that time alone brings about, up to now.
void FakeKeybed::tick(std::int64_t now_us) {
    const auto now = static_cast<std::int64_t>(device_us(now_us));
    const bool watched = state_ == DeviceState::kArmed || state_ == DeviceState::kEnabled;
    if (watched && now - force_at_us_ >= kWatchdogZero_us) {
        ++status_.watchdog_trips;
        leave_to(DeviceState::kCalibrated);
    }
    const Stream& stream = status_.stream;
    if (stream.samples == 0) return;
    const std::uint64_t step_us = 1000 / stream.rate_kHz;
    while (next_sample_us_ + step_us * (stream.samples - 1U) <= static_cast<std::uint64_t>(now)) {
        make_frame(next_sample_us_);
        next_sample_us_ += step_us * stream.samples;
    }
}

void FakeKeybed::make_frame(std::uint64_t time_us) {
    const Stream& stream = status_.stream;
    MotionHeader h;
    h.keys = static_cast<std::uint8_t>(setup_.keys);
    h.state = state_;
    h.sequence = motion_sequence_++;
    h.token = token_;
    h.time_us = time_us;
    h.stream = stream;
    h.device_fault = status_.device_fault;
    h.force_sequence = last_force_sequence_;
    std::vector<std::uint16_t> values;
    for (int s = 0; s < stream.samples; ++s) {
        for (int field = 0; field < kSampledFields; ++field) {
            if ((stream.fields >> field & 1) == 0) continue;
            for (int key = 0; key < setup_.keys; ++key) {
                double position_m = 0;
                double velocity_mps = 0;
                if (motion_) {
                    motion_(key, time_us + static_cast<std::uint64_t>(s) * (1000 / stream.rate_kHz), position_m,
                            velocity_mps);
                }
                const double units = field == 0 ? position_m / kPositionUnit_m : velocity_mps / kVelocityUnit_mps;
                values.push_back(static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(units))));
            }
        }
    }
    std::vector<std::int16_t> temperatures;
    if ((stream.fields & bit(Field::kTemperature)) != 0) {
        temperatures.assign(static_cast<std::size_t>(setup_.keys), 300);
    }
    Bytes frame(kMostMotionBytes);
    frame.resize(encode_motion(h, values, temperatures, key_status_, frame));
    std::vector<Bytes> frames;
    if (tamper_) {
        frames = tamper_(std::move(frame));
    } else {
        frames.push_back(std::move(frame));
    }
    for (Bytes& ready : frames) {
        ready_.push_back(std::move(ready));
        if (ready_.size() > kMostWaiting) ready_.pop_front();
    }
}

bool FakeKeybed::frame_is_recent(std::int64_t now_us) const {
    return static_cast<std::int64_t>(device_us(now_us)) - force_at_us_ < kWatchdogZero_us;
}

hw::Status FakeKeybed::status_locked(std::int64_t now_us) const {
    Status s = status_;
    s.state = state_;
    s.token = token_;
    s.time_us = device_us(now_us);
    s.force_sequence = last_force_sequence_;
    return s;
}

bool FakeKeybed::on_out(std::uint8_t endpoint, std::span<const std::uint8_t> bytes, std::int64_t now_us) {
    if (refuse_out_) return false;
    const std::lock_guard lock(mutex_);
    tick(now_us);
    ForceView view;
    if (endpoint != kEndpointOut || decode(bytes, view) != Refused::kNo || view.header.keys != setup_.keys) {
        ++status_.frames_bad;
        return true;
    }
    if (view.header.emergency_stop) {
        leave_to(DeviceState::kFault);
        status_.device_fault = 1;
    }
    if (view.header.token != token_ || (any_force_frame_ && !is_newer(view.header.sequence, last_force_sequence_))) {
        ++status_.frames_stale;
        return true;
    }
    std::vector<std::int16_t> forces;
    int most = 0;
    for (int s = 0; s < view.header.samples; ++s) {
        for (int key = 0; key < setup_.keys; ++key) {
            forces.push_back(view.force(s, key));
            most = std::max(most, std::abs(static_cast<int>(forces.back())));
        }
    }
    if (!any_force_frame_) first_forces_.push_back(most);
    if (most != 0 && state_ != DeviceState::kEnabled) {
        ++status_.frames_early;
        return true;
    }
    any_force_frame_ = true;
    last_force_sequence_ = view.header.sequence;
    forces_ = std::move(forces);
    force_header_ = view.header;
    force_at_us_ = static_cast<std::int64_t>(device_us(now_us));
    ++status_.frames_valid;
    return true;
}

std::optional<UsbDeviceModel::Bytes> FakeKeybed::next_in(std::uint8_t endpoint, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    tick(now_us);
    if (endpoint != kEndpointIn || ready_.empty() || mute_) return std::nullopt;
    Bytes frame = std::move(ready_.front());
    ready_.pop_front();
    ++sent_;
    return frame;
}

DeviceState FakeKeybed::state(std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    tick(now_us);
    return state_;
}

double FakeKeybed::factor(std::int64_t now_us) const {
    const auto now = static_cast<std::int64_t>(device_us(now_us));
    const auto age_us = static_cast<double>(now - force_at_us_);
    const double soft = std::min(1.0, static_cast<double>(now - enabled_at_us_) / static_cast<double>(kSoftStart_us));
    const double held = std::clamp(
        (static_cast<double>(kWatchdogZero_us) - age_us) / static_cast<double>(kWatchdogZero_us - kWatchdogHold_us),
        0.0, 1.0);
    return soft * held;
}

double FakeKeybed::force_N(int key, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    tick(now_us);
    if (state_ != DeviceState::kEnabled || forces_.empty()) return 0;
    const auto age_us = static_cast<std::int64_t>(device_us(now_us)) - force_at_us_;
    const int sample = static_cast<int>(
        std::clamp<std::int64_t>(age_us * force_header_.rate_kHz / 1000, 0, force_header_.samples - 1));
    return factor(now_us) * kForceUnit_N * forces_[static_cast<std::size_t>(sample * setup_.keys + key)];
}

Status FakeKeybed::status(std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    tick(now_us);
    return status_locked(now_us);
}

std::vector<int> FakeKeybed::first_forces() const {
    const std::lock_guard lock(mutex_);
    return first_forces_;
}

}  // namespace letoff::test
