#include "keyboard/haptic/haptic_key.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/unit/constants.h"
#include "keyboard/action/grand.h"

namespace letoff::keyboard {
namespace {

constexpr double kMilli = 1e-3;
constexpr double kRadps_per_hz = 2 * core::kPi;
constexpr double kFrictionShare = 0.8, kFrictionSpeed_mps = 0.010;
constexpr double kMassShare = 1.0 / 3;  // of the device's mass that the tie's delay may take

/// A light lever leaves so much of the default key at the front.
double left_of_key_kg(double device_kg) {
    constexpr double kKey_kg =
        kGrandRows[grand_row("key_inertia_kgm2")].default_value / (kFingerPointX_m * kFingerPointX_m);
    return std::max(kLeastTiedMass_kg, kKey_kg - device_kg);
}

core::ForceLimitSetting limits_of(const HapticValues& v) {
    return {v[haptic_row("force_peak_N")], v[haptic_row("force_strong_N")], v[haptic_row("force_continuous_N")],
            v[haptic_row("force_slew_N_per_ms")] / kMilli};
}

HapticValues clamped(const HapticValues& values) {
    HapticValues v{};
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = core::clamp_to(kHapticRows[i], values[i]);
    return v;
}

/// Half of the damping at which a mass behind this delay begins to shake (m / tau, to first order).
double most_damping_Ns_per_m(double mass_kg, double delay_s) {
    return 0.5 * mass_kg / delay_s;
}

}  // namespace

HapticKey::HapticKey(const HapticValues& values, double h_s, const Options& options)
    : values_(clamped(values)),
      options_(options),
      h_s_(h_s),
      delay_s_(values_[haptic_row("device_delay_ms")] * kMilli),
      stiffness_N_per_m_(values_[haptic_row("tie_stiffness_N_per_mm")] / kMilli),
      limits_(limits_of(values_), h_s),
      passivity_(h_s, delay_s_,
                 most_damping_Ns_per_m(values_[haptic_row("device_mass_g")] * kMilli, 2 * delay_s_ + 1.5 * h_s)) {
    own_mass_kg_ = values_[haptic_row("device_mass_g")] * kMilli;
    // As much again for the way here, which only the readings will tell.
    const double delay_s = 2 * delay_s_ + 0.5 * h_s;
    stiffness_N_per_m_ = std::min(stiffness_N_per_m_, 2 * kMassShare * own_mass_kg_ / (delay_s * delay_s));
    damping_Ns_per_m_ =
        2 * values_[haptic_row("tie_damping_ratio")] * std::sqrt(stiffness_N_per_m_ * left_of_key_kg(own_mass_kg_));
}

void HapticKey::track(const Reading& r) noexcept {
    const double dt = r.time_s - time_s_;
    if (!(dt > 0)) return;
    const double turn = dt * kRadps_per_hz * values_[haptic_row("tracking_hz")];
    dip_m_ += 0.5 * dt * (speed_mps_ + r.speed_mps);
    dip_m_ += turn / (1 + turn) * (r.dip_m - dip_m_);
    speed_mps_ = r.speed_mps;
    time_s_ = r.time_s;
}

void HapticKey::leave() noexcept {
    if (std::exchange(live_, false)) passivity_.reset();
}

/// The model's force is no number: the key is its player's alone until a reading comes again.
double HapticKey::give_up() noexcept {
    faulty_ = true;
    leave();
    return 0;
}

bool HapticKey::begin(double now_s, const Reading& r, double key_dip_m, KeyTie& tie) noexcept {
    faulty_ = r.live && !(std::isfinite(r.time_s) && std::isfinite(r.dip_m) && std::isfinite(r.speed_mps));
    const double age_s = now_s - r.time_s;
    const bool good = r.live && !faulty_ && age_s >= -kLost_s && age_s < kLost_s && std::abs(r.dip_m) < kDeepest_m &&
                      std::abs(r.speed_mps) < kFastest_mps;
    if (!good) {
        leave();
        return false;
    }
    if (!live_) {
        live_ = true;
        join_left_s_ = kJoin_s;
        time_s_ = r.time_s;
        dip_m_ = r.dip_m;
        speed_mps_ = r.speed_mps;
        offset_m_ = std::isfinite(key_dip_m) ? key_dip_m - r.dip_m : 0.0;
        passivity_.reset();
    }
    track(r);
    passivity_.measure(time_s_, dip_m_);
    double lead_s = std::max(0.0, now_s - time_s_) + delay_s_ + 0.5 * h_s_;
    lead_s = options_.lead ? std::min(lead_s, values_[haptic_row("lead_most_ms")] * kMilli) : 0.0;
    const double joined = join_left_s_ / kJoin_s;
    tie.dip_m = dip_m_ + lead_s * speed_mps_ + joined * offset_m_;
    tie.speed_mps = speed_mps_ - (join_left_s_ > 0 ? offset_m_ / kJoin_s : 0.0);
    tie.stiffness_N_per_m = stiffness_N_per_m_;
    tie.damping_Ns_per_m = damping_Ns_per_m_;
    tie.own_mass_kg = own_mass_kg_;
    tie.own_weight_N = values_[haptic_row("device_weight_N")];
    return true;
}

/// What the motor gives so that the finger does not feel the device's friction.
double HapticKey::friction_N() const noexcept {
    const double dry_N = values_[haptic_row("device_dry_friction_N")];
    const double sliding = std::clamp(speed_mps_ / kFrictionSpeed_mps, -1.0, 1.0);
    return -kFrictionShare * (dry_N * sliding + values_[haptic_row("device_viscous_Ns_per_m")] * speed_mps_);
}

double HapticKey::finish(double now_s, const TiedForce& tied) noexcept {
    damped_ = false;
    rendered_N_ = 0;
    if (!live_) {
        if (faulty_) {
            limits_.stop();
            return 0;
        }
        return limits_.next_N(0);
    }
    const bool stops = values_[haptic_row("device_stops")] > 0.5;
    rendered_N_ = tied.force_N - (stops ? tied.rails_N : 0.0);
    const double model_J = rendered_N_ * tied.way_m;
    if (join_left_s_ > 0) {
        const double share = 1 - join_left_s_ / kJoin_s;
        join_left_s_ = std::max(0.0, join_left_s_ - h_s_);
        const double force_N = limits_.next_N(share * rendered_N_);
        if (limits_.faulty()) return give_up();
        return force_N;
    }
    Passivity::Answer answer;
    if (options_.passivity) answer = passivity_.answer(speed_mps_);
    damped_ = answer.damping_N != 0 || answer.share < 1;
    const double friction = friction_N();
    const double force_N = limits_.next_N(answer.share * rendered_N_ + answer.damping_N + friction);
    if (limits_.faulty()) return give_up();
    const double stored_J = 0.5 * stiffness_N_per_m_ * tied.stretch_m * tied.stretch_m;
    share_ = answer.share;
    passivity_.command(now_s, {.force_N = force_N - friction,
                               .damping_N = answer.damping_N,
                               .speed_mps = speed_mps_,
                               .model_J = model_J,
                               .stored_J = stored_J,
                               .share = share_,
                               .limited = limits_.limited()});
    return force_N;
}

}  // namespace letoff::keyboard
