// What the simulated device's firmware guards by itself (hw/protocol/PROTOCOL.md, section 7), one object a key and one
// watchdog a device. Force in N on the finger, positive upwards; times in s of the device's clock. None of it can be
// switched off. No allocation; the same bits everywhere.
#pragma once

#include <cstdint>

#include "hw/sim/device_frames.h"

namespace letoff::hw::firmware {

/// Limits of a key in SI, from its row (section 5).
struct KeyLimits {
    double travel_m = 0, peak_N = 0, peak_s = 0, second_N = 0, continuous_N = 0, slew_Nps = 0;
    double current_A = 0, temperature_C = 0, energy_J = 0;
    static KeyLimits of(const KeyRow& row) noexcept;
};

/// The device's own row, with what the host asked for where it is not 0. Refused (false, `row` unchanged) if a limit is
/// above the device's own or the forces are out of order.
bool lower_limits(KeyRow& row, const KeyRow& own, const KeyRow& asked) noexcept;

class ForceGuard {
  public:
    /// Steps 2 to 6 of section 7, after soft start and watchdog made `asked_N` of the command. Returns the force of
    /// this tick.
    double tick(double asked_N, double temperature_C, const KeyLimits& limits, double tick_s) noexcept;
    /// The motor is off: no force, at once. The budgets come back.
    void off(const KeyLimits& limits, double tick_s) noexcept;
    bool take_limited() noexcept;  // since it was last asked

    /// Energy given to the key by a force at a speed (positive downwards) for a time; true at the limit.
    bool spend(double force_N, double speed_mps, const KeyLimits& limits, double time_s) noexcept;
    bool spent(const KeyLimits& limits) const noexcept { return limits.energy_J > 0 && energy_J_ >= limits.energy_J; }
    double force_N() const noexcept { return force_N_; }

  private:
    void spend_budgets(double size_N, double wish_N, const KeyLimits& limits, double tick_s) noexcept;

    double force_N_ = 0;                          // of the last tick
    double peak_used_s_ = 0, second_used_s_ = 0;  // of the budgets p and s
    double energy_J_ = 0;
    bool limited_ = false;
};

/// Counts from the arrival of the last valid FORCE frame, in ticks of the device.
class Watchdog {
  public:
    explicit Watchdog(double tick_s) : tick_s_(tick_s) {}
    void fed(std::int64_t tick) noexcept {
        fed_at_ = tick;
        ever_ = true;
    }
    void forget() noexcept { ever_ = false; }
    /// Whether a valid frame came less than 10 ms ago.
    bool alive(std::int64_t tick) const noexcept { return ever_ && age_s(tick) < kZero_s - 1e-9; }
    /// 1 for 5 ms, then falling to 0 at 10 ms.
    double factor(std::int64_t tick) const noexcept;

    static constexpr double kHold_s = 0.005, kZero_s = 0.010;

  private:
    double age_s(std::int64_t tick) const noexcept { return tick_s_ * static_cast<double>(tick - fed_at_); }
    double tick_s_;
    std::int64_t fed_at_ = 0;
    bool ever_ = false;
};

inline constexpr double kSoftStart_s = 0.200;

}  // namespace letoff::hw::firmware
