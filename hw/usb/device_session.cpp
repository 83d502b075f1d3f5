#include "hw/usb/device_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace letoff::hw {

namespace {

std::int16_t in_units(double force_N) noexcept {
    return static_cast<std::int16_t>(std::lround(force_N / kForceUnit_N));
}

}  // namespace

core::ForceLimitSetting limits_of(const KeyRow& row) noexcept {
    return {.peak_N = row.peak_force * kForceUnit_N,
            .strong_N = row.second_force * kForceUnit_N,
            .continuous_N = row.continuous_force * kForceUnit_N,
            .slew_N_per_s = row.slew * kForceUnit_N * 1e3,
            .peak_s = row.peak_ms * 1e-3};
}

double DeviceSession::frame_s() const noexcept {
    return stream_.rate_kHz == 0 ? 0 : 1e-3 * stream_.samples / stream_.rate_kHz;
}

RoundTrip::Verdict DeviceSession::delay_verdict() const noexcept {
    return round_trip_.verdict(1e-6 * identity_.sense_delay_us, frame_s());
}

std::string DeviceSession::title() const {
    if (!has_identity_) return "a motorised keyboard";
    return fmt::format("the motorised keyboard {} ({})", identity_.serial_text(),
                       identity_.name_text().empty() ? "without a name" : identity_.name_text());
}

void DeviceSession::go(Phase phase, double now_s) noexcept {
    phase_ = phase;
    phase_since_s_ = now_s;
    acknowledged_ = false;
    zero_frames_ = 0;
    tries_ = 0;
}

void DeviceSession::fall(std::string why, double now_s) {
    why_ = std::move(why);
    ++counts_.falls;
    // A device that still holds force is told; the watchdog does it where it does not hear.
    disarm_due_ = state_ == DeviceState::kArmed || state_ == DeviceState::kEnabled;
    go(Phase::kFallen, now_s);
}

void DeviceSession::refuse(std::string why) {
    why_ = std::move(why);
    phase_ = Phase::kRefused;
}

void DeviceSession::rearm(double now_s) {
    if (phase_ != Phase::kFallen) return;
    stop_ = stop_told_ = false;
    disarm_due_ = false;
    clear_first_ = state_ == DeviceState::kFault;
    wanted_ = true;
    go(any_motion_ && now_s - motion_at_s_ < kZero_s ? Phase::kCalibrating : Phase::kStarting, now_s);
}

void DeviceSession::close(double now_s) {
    if (phase_ == Phase::kClosing || phase_ == Phase::kClosed) return;
    const bool at_once = phase_ < Phase::kWaiting || phase_ == Phase::kRefused;
    go(at_once ? Phase::kClosed : Phase::kClosing, now_s);
}

// ---- frames

bool DeviceSession::take_sequence(std::uint32_t sequence) noexcept {
    if (any_motion_) {
        if (sequence == motion_sequence_) {
            ++counts_.repeated;
            return false;
        }
        if (!is_newer(sequence, motion_sequence_)) {
            ++counts_.reordered;
            return false;
        }
        counts_.missing += sequence - motion_sequence_ - 1;
    }
    motion_sequence_ = sequence;
    return true;
}

bool DeviceSession::on_motion(std::span<const std::uint8_t> bytes, double now_s, MotionView& view) {
    if (const Refused why_not = decode(bytes, view); why_not != Refused::kNo) {
        ++counts_.refused[static_cast<std::size_t>(why_not)];
        return false;
    }
    const MotionHeader& h = view.header;
    // A stream that nobody has begun yet: of the keys nothing is known.
    if (!rows_read_ || h.keys != identity_.keys || h.stream != stream_) {
        ++counts_.wrong;
        return false;
    }
    if (!take_sequence(h.sequence)) return false;
    ++counts_.frames;

    // The frame was ready when its last sample was, and what the device needs to sense it.
    const std::uint64_t ready_us = h.time_us +
                                   static_cast<std::uint64_t>(1000 * (h.stream.samples - 1)) / h.stream.rate_kHz +
                                   identity_.sense_delay_us;
    clock_.observe(ready_us, now_s);
    round_trip_.answered(h.force_sequence, now_s);
    const double ready_s = clock_.locked() ? std::min(now_s, clock_.host_s(ready_us)) : now_s;
    if (now_s - ready_s > kLate_s) ++counts_.late;
    const bool gap = any_motion_ && now_s - motion_at_s_ >= kZero_s;
    any_motion_ = true;
    if (gap) poll(now_s);  // before the age is forgotten
    motion_at_s_ = ready_s;

    state_ = h.state;
    token_ = h.token;
    device_fault_ = h.device_fault;
    follow_state(now_s);
    return true;
}

void DeviceSession::follow_state(double now_s) {
    const auto because = [this] {
        return device_fault_ != 0 ? fmt::format("{} stopped: {}.", title(), device_fault_name(device_fault_))
                                  : fmt::format("{} let go by itself and says {}.", title(), name(state_));
    };
    switch (phase_) {
        case Phase::kWaiting:
            if (state_ == DeviceState::kFault) fall(because(), now_s);
            break;
        case Phase::kArming:
            if (acknowledged_ && state_ == DeviceState::kArmed) {
                go(Phase::kEnabling, now_s);
                armed_token_ = token_;
            } else if (acknowledged_ && state_ == DeviceState::kFault) {
                fall(because(), now_s);
            }
            break;
        case Phase::kEnabling:
            if (acknowledged_ && state_ == DeviceState::kEnabled && token_ == armed_token_) {
                go(Phase::kEnabled, now_s);
                for (core::ForceLimits& limits : limits_) limits.stop();
            } else if (token_ != armed_token_ || (state_ != DeviceState::kArmed && state_ != DeviceState::kEnabled)) {
                fall(because(), now_s);
            }
            break;
        case Phase::kEnabled:
            if (token_ != armed_token_ || state_ != DeviceState::kEnabled) fall(because(), now_s);
            break;
        default:
            break;
    }
}

void DeviceSession::poll(double now_s) {
    const double in_phase_s = now_s - phase_since_s_;
    switch (phase_) {
        case Phase::kCalibrating:
        case Phase::kArming:
        case Phase::kEnabling:
            if (in_phase_s > kStateTime_s) {
                fall(fmt::format("{} was told to get ready and still says {}.", title(), name(state_)), now_s);
            }
            break;
        case Phase::kEnabled:
            if (now_s - motion_at_s_ >= kZero_s) {
                fall(fmt::format("{} sent no key motion for {:.0f} ms; its forces are zero.", title(),
                                 (now_s - motion_at_s_) * 1e3),
                     now_s);
            }
            break;
        default:
            break;
    }
}

double DeviceSession::fade(double forces_age_s, double now_s) const noexcept {
    const double carry_s = std::min(kCarry_s + frame_s(), kZero_s - kCarry_s);
    const double age_s = std::max(now_s - motion_at_s_, forces_age_s);
    if (age_s <= carry_s) return 1;
    return age_s < kZero_s ? (kZero_s - age_s) / (kZero_s - carry_s) : 0;  // 0 for a NaN too
}

std::size_t DeviceSession::force_frame(std::span<const double> force_N, std::size_t samples, double forces_age_s,
                                       double now_s, std::span<std::uint8_t> out) {
    if (!sends_forces() || !any_motion_) return 0;
    if (phase_ == Phase::kEnabled && wanted_ && std::min(forces_age_s, now_s - phase_since_s_) >= kForcesGone_s) {
        fall(fmt::format("{} was sent no force of the keys for {:.0f} ms and lets go.", title(), kForcesGone_s * 1e3),
             now_s);
    }
    const std::size_t keys = identity_.keys;
    samples = std::clamp<std::size_t>(samples, 1, identity_.max_samples);
    const bool asked_for = phase_ == Phase::kClosing ? token_ == armed_token_ : wanted_;
    const bool push = pushes() && asked_for && !stop_;
    double factor = push ? fade(forces_age_s, now_s) : 0;
    if (phase_ == Phase::kClosing) factor *= std::max(0.0, 1 - (now_s - phase_since_s_) / kClose_s);
    const bool any_force = factor > 0 && force_N.size() >= samples * keys;
    if (push && !any_force) ++counts_.zeroed;
    for (std::size_t i = 0; i < samples * keys; ++i) {
        core::ForceLimits& limits = limits_[i % keys];
        if (!push) {
            limits.stop();
            forces_[i] = 0;
            continue;
        }
        forces_[i] = in_units(limits.next_N(any_force ? factor * force_N[i] : 0));
        if (limits.limited()) ++counts_.limited;
    }
    ForceHeader h;
    h.keys = identity_.keys;
    h.samples = static_cast<std::uint8_t>(samples);
    h.rate_kHz = stream_.rate_kHz;
    h.emergency_stop = stop_;
    h.sequence = ++force_sequence_;
    h.token = token_;
    h.motion_sequence = motion_sequence_;
    const std::size_t length = encode_force(h, std::span(forces_).first(samples * keys), out);
    if (length != 0) {
        ++counts_.forces;
        round_trip_.sent(force_sequence_, now_s);
        ++zero_frames_;
    }
    return length;
}

}  // namespace letoff::hw
