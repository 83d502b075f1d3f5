#include "hw/sim/sim_finger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace letoff::hw {
namespace {

// The pulp of keyboard/action/grand.h's FingerTip.
constexpr double kPulpStiffness = 1e9, kPulpDamping = 3e6;  // N/m^3, N s/m^3
constexpr double kTremor_radps = 2 * 3.14159265 * 10, kTremorLoss = 0.1;

}  // namespace

SimFinger SimFinger::profile(const core::FingerProfile& profile, double start_s) {
    SimFinger f;
    f.kind_ = Kind::profile;
    f.profile_ = profile;
    f.start_s_ = start_s;
    return f;
}

SimFinger SimFinger::strokes(std::vector<Stroke> strokes, const core::FingerSetting& setting) {
    SimFinger f;
    f.kind_ = Kind::strokes;
    f.strokes_ = std::move(strokes);
    f.finger_ = core::Finger(setting);
    f.mass_kg_ = setting.mass_kg;
    return f;
}

void SimFinger::press(double start_s, double acceleration_mps2) {
    if (next_lift_ == strokes_.size()) {  // all were played
        strokes_.clear();
        next_press_ = next_lift_ = 0;
    }
    if (!strokes_.empty()) strokes_.back().lift_s = std::min(strokes_.back().lift_s, start_s);
    strokes_.push_back({.press_s = start_s,
                        .acceleration_mps2 = acceleration_mps2,
                        .lift_s = std::numeric_limits<double>::infinity()});
}

void SimFinger::lift(double start_s, double speed_mps) {
    if (strokes_.empty() || strokes_.back().lift_s <= start_s) return;
    strokes_.back().lift_s = start_s;
    strokes_.back().lift_mps = speed_mps;
}

SimFinger SimFinger::held(HeldFinger held, double start_travel_m, std::uint64_t seed) {
    SimFinger f;
    f.kind_ = Kind::held;
    f.held_ = std::move(held);
    f.y_m_ = start_travel_m;
    f.noise_ = Noise(seed);
    return f;
}

SimFinger SimFinger::passive(double preload_N, double stiffness_N_per_m, double damping_Ns_per_m) {
    return held({preload_N, stiffness_N_per_m, damping_Ns_per_m, {{0, 0}}, 0});
}

SimFinger SimFinger::nervous_grip(double at_m, double start_s, std::uint64_t seed) {
    // 3 N/mm more than the learnt finger's 2: the upper end of tensed fingers; nearly undamped.
    return held({1.0, 5000, 3, {{start_s, -0.002}, {start_s + 0.2, at_m}}, 0.2}, -0.002, seed);
}

SimFinger SimFinger::actuator(double speed_mps, double to_m, double start_s, double wait_s) {
    // As stiff as a position loop of some 200 Hz makes 30 g, well damped.
    constexpr double kFrom_m = -0.002;
    const double way_s = (to_m - kFrom_m) / speed_mps;
    return held({0,
                 40e3,
                 60,
                 {{start_s, kFrom_m},
                  {start_s + way_s, to_m},
                  {start_s + way_s + wait_s, to_m},
                  {start_s + 2 * way_s + wait_s, kFrom_m}},
                 0},
                kFrom_m);
}

double SimFinger::held_N(double t_s, double h_s) noexcept {
    double anchor_m = held_.anchor.front().second, anchor_mps = 0;
    for (std::size_t i = 0; i + 1 < held_.anchor.size(); ++i) {
        const auto& [t0, y0] = held_.anchor[i];
        const auto& [t1, y1] = held_.anchor[i + 1];
        if (t_s < t0) break;
        anchor_mps = t_s < t1 ? (y1 - y0) / (t1 - t0) : 0;
        anchor_m = t_s < t1 ? y0 + anchor_mps * (t_s - t0) : y1;
    }
    if (held_.tremor_N > 0) {  // noise through a resonance: its variance is S / (4 zeta w^3) for white S
        const double push =
            noise_.normal() * std::sqrt(4 * kTremorLoss * kTremor_radps * kTremor_radps * kTremor_radps / h_s);
        tremor_slope_ += h_s * (push * held_.tremor_N - kTremor_radps * kTremor_radps * tremor_N_ -
                                2 * kTremorLoss * kTremor_radps * tremor_slope_);
        tremor_N_ += h_s * tremor_slope_;
    }
    return held_.preload_N + held_.stiffness_N_per_m * (anchor_m - y_m_) +
           held_.damping_Ns_per_m * (anchor_mps - v_mps_) + tremor_N_;
}

double SimFinger::muscle_N(double t_s, double h_s, double key_dip_m, double key_speed_mps) noexcept {
    if (kind_ == Kind::held) return held_N(t_s, h_s);
    if (kind_ == Kind::profile) {
        const double t = t_s - start_s_;
        if (t < 0 || t > profile_.length_s()) {
            y_m_ = core::FingerSetting{}.parked_m;
            v_mps_ = 0;
            return 0;
        }
        if (!arrived_) {
            arrived_ = true;
            y_m_ = key_dip_m;
            v_mps_ = profile_.kind == core::FingerProfile::Kind::struck ? profile_.arrive_mps : key_speed_mps;
        }
        return profile_.force_at_N(t);
    }
    if (next_press_ < strokes_.size() && t_s + h_s > strokes_[next_press_].press_s) {
        if (finger_.phase() == core::Finger::Phase::idle || y_m_ < key_dip_m) {
            y_m_ = key_dip_m;
            v_mps_ = key_speed_mps;
        }
        finger_.press(strokes_[next_press_].press_s, y_m_, strokes_[next_press_].acceleration_mps2);
        ++next_press_;
    }
    if (next_lift_ < next_press_ && t_s + h_s > strokes_[next_lift_].lift_s) {
        finger_.lift(strokes_[next_lift_].lift_s, strokes_[next_lift_].lift_mps);
        ++next_lift_;
    }
    const bool was_idle = finger_.phase() == core::Finger::Phase::idle;
    const double push_N = was_idle ? 0 : finger_.force_N(t_s, h_s, y_m_, v_mps_);
    if (finger_.phase() == core::Finger::Phase::idle) {
        y_m_ = core::FingerSetting{}.parked_m;
        v_mps_ = 0;
    }
    return push_N;
}

double SimFinger::pulp_N(double pressed_m, double speed_mps) noexcept {
    if (!(pressed_m > 0)) return 0;
    return std::max(0.0, pressed_m * pressed_m * (kPulpStiffness * pressed_m + kPulpDamping * speed_mps));
}

double SimFinger::pulp_depth_m(double force_N) {
    return std::cbrt(force_N / kPulpStiffness);
}

double SimFinger::step_N(double t_s, double h_s, double key_dip_m, double key_speed_mps) noexcept {
    if (kind_ == Kind::none) return 0;
    const double muscle = muscle_N(t_s, h_s, key_dip_m, key_speed_mps);
    const double pulp = pulp_N(y_m_ - key_dip_m, v_mps_ - key_speed_mps);
    // Semi-implicit: stable for what is far slower than the step (950 rad/s at 3 mm).
    v_mps_ += h_s * (muscle - pulp) / mass_kg_;
    y_m_ += h_s * v_mps_;
    return pulp;
}

}  // namespace letoff::hw
