#include "core/finger/finger.h"

#include <algorithm>
#include <cmath>

namespace letoff::core {

void Finger::resume_press(double now_s, double start_s, double from_m, double acceleration_mps2, double last_force_N) {
    press(start_s, from_m, acceleration_mps2);
    last_force_N_ = last_force_N;
    const double end_s = start_s + std::sqrt(2 * std::max(0.0, setting_.stroke_end_m - from_m) / acceleration_mps2);
    if (end_s > now_s) return;
    phase_ = Phase::hold;
    hold_start_s_ = end_s;
}

double Finger::force_N(double t0_s, double h_s, double y_m, double v_mps) {
    const FingerSetting& f = setting_;
    const double middle_m = y_m + 0.5 * h_s * v_mps;
    if (phase_ == Phase::press) {
        const double end_s = t0_s + h_s;
        if (end_s <= start_s_) return 0;
        const double begin_s = std::max(t0_s, start_s_);
        const double t = 0.5 * (begin_s + end_s) - start_s_;
        const double path_m = from_m_ + 0.5 * acceleration_mps2_ * t * t;
        if (path_m < f.stroke_end_m) {
            double u = f.learnt_force_N + (f.learnt_mass_kg + f.mass_kg) * acceleration_mps2_;
            u += f.stiffness_N_per_m * (path_m - middle_m) + f.damping_Ns_per_m * (acceleration_mps2_ * t - v_mps);
            last_force_N_ = std::max(u, 0.0);
            return last_force_N_ * ((end_s - begin_s) / h_s);
        }
        phase_ = Phase::hold;
        hold_start_s_ = t0_s;
    }
    if (phase_ == Phase::hold) {
        const double t = t0_s + 0.5 * h_s - hold_start_s_;
        const double relaxed = std::max(0.0, 1.0 - t / f.relax_s);
        return std::max(0.0, f.hold_N + (last_force_N_ - f.hold_N) * relaxed - f.damping_Ns_per_m * v_mps);
    }
    if (phase_ == Phase::lift) {
        if (from_unset_) {
            from_m_ = y_m;
            from_unset_ = false;
            start_s_ = std::max(start_s_, t0_s);
        }
        const double t = t0_s + 0.5 * h_s - start_s_;
        const double path_m = t > 0 ? from_m_ - lift_speed_mps_ * t : from_m_;
        if (path_m < 0.5 * f.parked_m && y_m < 0.25 * f.parked_m) {
            phase_ = Phase::idle;
            return 0;
        }
        return f.stiffness_N_per_m * (path_m - middle_m) +
               f.damping_Ns_per_m * ((t > 0 ? -lift_speed_mps_ : 0.0) - v_mps);
    }
    return 0;
}

}  // namespace letoff::core
