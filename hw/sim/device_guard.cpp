#include "hw/sim/device_guard.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw::firmware {
namespace {

constexpr double kFade_C = 10;  // so far below its limit a hot motor's force begins to fade
constexpr double kSecond_s = 1;
constexpr double kPeakBack = 0.02, kSecondBack = 0.2;  // ticks of budget that a tick below gives back

/// What is left of a budget, in whole ticks; the sums of ticks are not exact.
double ticks_left(double whole_s, double used_s, double tick_s) noexcept {
    return std::max(0.0, std::floor((whole_s - used_s) / tick_s + 1e-6));
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

double ForceGuard::tick(double asked_N, double temperature_C, const KeyLimits& limits, double tick_s) noexcept {
    const double step_N = limits.slew_Nps * tick_s;
    double size_N = std::abs(asked_N) * std::clamp((limits.temperature_C - temperature_C) / kFade_C, 0.0, 1.0);
    size_N = std::min(size_N, limits.peak_N);
    const double wish_N = size_N;
    size_N = std::min(size_N, limits.second_N + step_N * ticks_left(limits.peak_s, peak_used_s_, tick_s));
    size_N = std::min(size_N, limits.continuous_N + step_N * ticks_left(kSecond_s, second_used_s_, tick_s));
    const bool turns = asked_N * force_N_ < 0;
    size_N = turns ? 0 : std::min(size_N, std::abs(force_N_) + step_N);
    force_N_ = std::copysign(size_N, asked_N);
    if (force_N_ != asked_N) limited_ = true;
    spend_budgets(size_N, wish_N, limits, tick_s);
    return force_N_;
}

void ForceGuard::off(const KeyLimits& limits, double tick_s) noexcept {
    force_N_ = 0;
    spend_budgets(0, 0, limits, tick_s);
}

void ForceGuard::spend_budgets(double size_N, double wish_N, const KeyLimits& limits, double tick_s) noexcept {
    const auto spend = [&](double& used_s, double level_N, double back) {
        if (size_N > level_N) {
            used_s += tick_s;
        } else if (wish_N <= level_N) {
            used_s = std::max(0.0, used_s - back * tick_s);
        }
    };
    spend(peak_used_s_, limits.second_N, kPeakBack);
    spend(second_used_s_, limits.continuous_N, kSecondBack);
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
