#include "hw/sim/device_guard.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw::firmware {
namespace {

constexpr double kFade_C = 10;         // so far below its limit a hot motor's force begins to fade
constexpr double kPeakRecovery = 0.1;  // of time: after 20 ms at the peak, 200 ms until it is free again
constexpr double kSecond_s = 1;

// A counter that has reached its end bounds the force until it is 0 again.
// Open: which |F| the document counts, and whether the counter goes on growing. Here it is the force that comes into
// the step, so that who goes on asking gets no second peak, and the counter stays at its end.
double bounded(double force_N, double bound_N, double& counter_s, bool& spent, double most_s, double recovery,
               double tick_s) noexcept {
    if (std::abs(force_N) > bound_N) {
        counter_s = std::min(counter_s + tick_s, most_s);
        if (counter_s >= most_s) spent = true;
    } else {
        counter_s = std::max(0.0, counter_s - recovery * tick_s);
        if (counter_s <= 0) spent = false;
    }
    return spent ? std::clamp(force_N, -bound_N, bound_N) : force_N;
}

bool lower(std::uint16_t& limit, std::uint16_t own, std::uint16_t asked) noexcept {
    if (asked != 0) limit = asked;
    return asked <= own;
}

}  // namespace

KeyLimits KeyLimits::of(const KeyRow& row) noexcept {
    constexpr double kForce_N = 0.002;
    return {0.5e-6 * row.travel,         kForce_N * row.peak_force,       1e-3 * row.peak_ms,
            kForce_N * row.second_force, kForce_N * row.continuous_force, 1e3 * kForce_N * row.slew,
            1e-3 * row.current_limit,    0.1 * row.temperature_limit,     1e-3 * row.energy_limit};
}

bool lower_limits(KeyRow& row, const KeyRow& own, const KeyRow& asked) noexcept {
    KeyRow next = row;
    bool fits = lower(next.peak_force, own.peak_force, asked.peak_force);
    fits &= lower(next.peak_ms, own.peak_ms, asked.peak_ms);
    fits &= lower(next.second_force, own.second_force, asked.second_force);
    fits &= lower(next.continuous_force, own.continuous_force, asked.continuous_force);
    fits &= lower(next.slew, own.slew, asked.slew);
    fits &= lower(next.current_limit, own.current_limit, asked.current_limit);
    fits &= lower(next.energy_limit, own.energy_limit, asked.energy_limit);
    if (asked.temperature_limit != 0) next.temperature_limit = asked.temperature_limit;
    fits &= asked.temperature_limit == 0 || asked.temperature_limit <= own.temperature_limit;
    if (!fits || next.continuous_force > next.second_force || next.second_force > next.peak_force) return false;
    row = next;
    return true;
}

double ForceGuard::tick(double asked_N, double watchdog, double temperature_C, const KeyLimits& limits,
                        double tick_s) noexcept {
    double f = asked_N * std::clamp((limits.temperature_C - temperature_C) / kFade_C, 0.0, 1.0);
    f = std::clamp(f, -limits.peak_N, limits.peak_N);
    f = bounded(f, limits.second_N, peak_s_, peak_spent_, limits.peak_s, kPeakRecovery, tick_s);
    f = bounded(f, limits.continuous_N, second_s_, second_spent_, kSecond_s, 1, tick_s);
    const double step_N = limits.slew_Nps * tick_s;
    const double wanted_N = f;
    f = std::clamp(wanted_N, force_N_ - step_N, force_N_ + step_N);
    if (watchdog < 1) {
        // Neither more than is asked for, nor more than the faded last force: the way down waits for no slew.
        const double most_N = std::max(std::abs(wanted_N), watchdog * std::abs(fade_from_N_));
        f = std::clamp(f, -most_N, most_N);
    } else {
        fade_from_N_ = f;
    }
    if (f != asked_N) limited_ = true;
    force_N_ = f;
    return f;
}

void ForceGuard::off(double tick_s) noexcept {
    force_N_ = fade_from_N_ = 0;
    bounded(0, 0, peak_s_, peak_spent_, 1, kPeakRecovery, tick_s);
    bounded(0, 0, second_s_, second_spent_, 1, 1, tick_s);
}

bool ForceGuard::take_limited() noexcept {
    const bool was = limited_;
    limited_ = false;
    return was;
}

bool ForceGuard::spend(double force_N, double speed_mps, const KeyLimits& limits, double time_s) noexcept {
    energy_J_ += std::max(0.0, -force_N * speed_mps) * time_s;
    energy_J_ = std::max(0.0, energy_J_ - limits.energy_J * time_s);
    return spent(limits);
}

double Watchdog::factor(std::int64_t tick) const noexcept {
    if (!alive(tick)) return 0;
    return std::min(1.0, (kZero_s - age_s(tick)) / (kZero_s - kHold_s));
}

}  // namespace letoff::hw::firmware
