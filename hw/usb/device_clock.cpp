#include "hw/usb/device_clock.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {

double DeviceClock::since_anchor_s(std::uint64_t device_us) const noexcept {
    // Signed: a sample may lie before the anchor.
    return static_cast<double>(static_cast<std::int64_t>(device_us - anchor_us_)) * 1e-6;
}

double DeviceClock::host_s(std::uint64_t device_us) const noexcept {
    return anchor_s_ + since_anchor_s(device_us) * (1 + rate_);
}

void DeviceClock::start(std::uint64_t device_us, double arrival_s) noexcept {
    started_ = true;
    anchor_us_ = window_start_us_ = device_us;
    anchor_s_ = arrival_s;
    rate_ = 0;
    windows_ = 0;
    window_has_one_ = false;
}

void DeviceClock::observe(std::uint64_t device_us, double arrival_s) noexcept {
    if (!started_) return start(device_us, arrival_s);
    const bool window_is_over = static_cast<std::int64_t>(device_us - window_start_us_) >= kWindow_us;
    if (window_is_over && !close_window(device_us)) {
        ++restarts_;
        return start(device_us, arrival_s);
    }
    double residual_s = arrival_s - host_s(device_us);
    // The first arrival may have been late by any time.
    if (windows_ < kWindowsToPull && residual_s < 0) {
        anchor_s_ += residual_s;
        least_residual_s_ -= residual_s;
        residual_s = 0;
    }
    least_residual_s_ = window_has_one_ ? std::min(least_residual_s_, residual_s) : residual_s;
    window_has_one_ = true;
}

/// False: the line is lost.
bool DeviceClock::close_window(std::uint64_t device_us) noexcept {
    if (window_has_one_) {
        const double residual_s = least_residual_s_;
        if (std::abs(residual_s) > kLost_s) return false;
        const double here_s = host_s(device_us);
        const double step_s = kPhaseGain * residual_s;
        anchor_us_ = device_us;
        anchor_s_ = here_s + (locked() ? std::clamp(step_s, -kMostStep_s, kMostStep_s) : step_s);
        rate_ += kRateGain * residual_s / (static_cast<double>(kWindow_us) * 1e-6);
        rate_ = std::clamp(rate_, -kMostRate, kMostRate);
        ++windows_;
    }
    window_start_us_ = device_us;
    window_has_one_ = false;
    return true;
}

}  // namespace letoff::hw
