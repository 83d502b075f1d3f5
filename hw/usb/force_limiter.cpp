#include "hw/usb/force_limiter.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {

namespace {

constexpr double kContinuousAfter_s = 1.0;
constexpr double kPeakRecovery = 0.1;

double cut(double force_N, double most_N) noexcept {
    return std::clamp(force_N, -most_N, most_N);
}

}  // namespace

ForceLimits limits_of(const KeyRow& row) noexcept {
    const ForceLimits most;
    ForceLimits l;
    l.peak_N = std::min(most.peak_N, row.peak_force * kForceUnit_N);
    l.peak_s = std::min(most.peak_s, row.peak_ms * 1e-3);
    l.second_N = std::min({most.second_N, l.peak_N, row.second_force * kForceUnit_N});
    l.continuous_N = std::min({most.continuous_N, l.second_N, row.continuous_force * kForceUnit_N});
    l.slew_N_per_s = std::min(most.slew_N_per_s, row.slew * kForceUnit_N * 1e3);
    return l;
}

double ForceLimiter::Budget::most_N(double level_N, double longest_s, double slew_N_per_s) const noexcept {
    return spent ? level_N : level_N + slew_N_per_s * std::max(0.0, longest_s - used_s);
}

void ForceLimiter::Budget::account(double force_N, double asked_N, double level_N, double longest_s, double dt_s,
                                   double recovery) noexcept {
    if (std::abs(force_N) > level_N) {
        used_s += dt_s;
    } else if (std::abs(asked_N) <= level_N) {
        used_s = std::max(0.0, used_s - recovery * dt_s);
    }
    // Half a step early: sums of steps are not exact.
    if (used_s + 0.5 * dt_s >= longest_s) spent = true;
    if (used_s == 0) spent = false;
}

double ForceLimiter::limited(double asked_N, double dt_s) noexcept {
    const double wanted_N = std::isfinite(asked_N) ? asked_N : 0;
    double force_N = cut(wanted_N, limits_.peak_N);
    force_N = cut(force_N, peak_.most_N(limits_.second_N, limits_.peak_s, limits_.slew_N_per_s));
    force_N = cut(force_N, second_.most_N(limits_.continuous_N, kContinuousAfter_s, limits_.slew_N_per_s));
    const double most_change_N = limits_.slew_N_per_s * dt_s;
    force_N = std::clamp(force_N, last_N_ - most_change_N, last_N_ + most_change_N);
    active_ = force_N != asked_N;
    last_N_ = force_N;
    peak_.account(force_N, wanted_N, limits_.second_N, limits_.peak_s, dt_s, kPeakRecovery);
    second_.account(force_N, wanted_N, limits_.continuous_N, kContinuousAfter_s, dt_s, 1);
    return force_N;
}

}  // namespace letoff::hw
