#include "keyboard/action/key_frame.h"

#include <algorithm>
#include <cmath>

#include "core/simd/scalar_math.h"
#include "core/string/deterministic_math.h"
#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

double row(const GrandValues& values, std::size_t index) {
    return values[index];
}
#define ROW(id) row(values, grand_row(id))
#define FELT(name)                                                    \
    FrameFelt {                                                       \
        ROW(name "_felt_k"), ROW(name "_felt_r"), ROW(name "_felt_b") \
    }

}  // namespace

double FrameFelt::pressed_N(double d_m, double d_mps, double moved_kg) const noexcept {
    const double d2 = d_m * d_m;
    const double elastic = r == 3.0 ? d2 * d_m : r == 2.5 ? d2 * std::sqrt(d_m) : core::pow_positive(d_m, r);
    return std::max(0.0, k * elastic + std::min(b * d2, moved_kg * kActionGrid_hz) * d_mps);
}

KeyFrame key_frame(const GrandValues& values, bool damped) {
    const FingerTip tip;
    KeyFrame f{};
    f.key_inertia_kgm2 = ROW("key_inertia_kgm2");
    f.key_weight_Nm = -ROW("key_mass_kg") * core::kGravity_mps2 * ROW("key_com_x_mm") * kMm;
    f.key_viscous_Nms = ROW("key_viscous_Nms");
    f.touch_arm_m = touch_arm_m(values);
    f.front_arm_m = -kFingerPointX_m;
    f.back_arm_m = kBackRailX_m;
    f.dip_free_m = free_dip_m(values);
    f.finger_kg = tip.mass_kg;
    f.damper_kg = ROW("damper_mass_kg");
    f.damper_viscous_Ns_per_m = ROW("damper_viscous_Ns_per_m");
    f.damper_arm_m = ROW("damper_x_mm") * kMm;
    f.damper_gap_m = damped ? ROW("damper_gap_mm") * kMm : kOutOfReach_m;
    f.damper_stop_m = ROW("damper_stop_mm") * kMm;
    f.tray_gap_m = damped ? ROW("tray_gap_mm") * kMm : kOutOfReach_m;
    f.pulp = {tip.pulp.k, tip.pulp.r, tip.pulp.b};
    f.front = FELT("front_rail");
    f.back = FELT("back_rail");
    f.damper_lever = FELT("damper_lever");
    f.damper_string = FELT("damper_string");
    f.hammer_inertia_kgm2 = ROW("hammer_inertia_kgm2");
    f.hammer_kg = ROW("hammer_mass_kg");
    f.hammer_com_x_m = ROW("hammer_com_x_mm") * kMm;
    f.hammer_com_y_m = ROW("hammer_com_y_mm") * kMm;
    f.hammer_viscous_Nms = ROW("hammer_viscous_Nms");
    f.knuckle_x_m = ROW("knuckle_x_mm") * kMm;
    f.knuckle_y_m = ROW("knuckle_y_mm") * kMm;
    return f;
}

FrameForces frame_forces(const KeyFrame& f, const FrameState& x, const FrameInput& u) noexcept {
    const double key = x.q[kFrameKey], w = x.v[kFrameKey];
    const double lift = x.q[kFrameDamper], lift_mps = x.v[kFrameDamper];
    const double key_kg = (f.key_inertia_kgm2 + u.tied_inertia_kgm2) / (f.front_arm_m * f.front_arm_m);
    FrameForces out;
    out.pulp_N =
        f.pulp.force_N(x.q[kFrameFinger] - f.touch_arm_m * key, x.v[kFrameFinger] - f.touch_arm_m * w, f.finger_kg);
    out.front_N = f.front.force_N(f.front_arm_m * key - f.dip_free_m, f.front_arm_m * w, key_kg);
    out.back_N = f.back.force_N(-f.back_arm_m * key, -f.back_arm_m * w, key_kg);
    out.key_damper_N = f.damper_lever.force_N(f.damper_arm_m * key - f.damper_gap_m - lift,
                                              f.damper_arm_m * w - lift_mps, std::min(key_kg, f.damper_kg));
    out.damper_string_N = f.damper_string.force_N(-lift, -lift_mps, f.damper_kg);
    out.damper_stop_N = f.damper_lever.force_N(lift - f.damper_stop_m, lift_mps, f.damper_kg);
    out.tray_N = f.damper_lever.force_N(u.tray_lift_m - f.tray_gap_m - lift, -lift_mps, f.damper_kg);
    return out;
}

double frame_motion(const KeyFrame& f, const FrameForces& forces, const FrameState& x, const FrameInput& u,
                    FrameChanges& a) noexcept {
    a[kFrameFinger] = (u.finger_N + f.finger_kg * core::kGravity_mps2 - forces.pulp_N) / f.finger_kg;
    a[kFrameDamper] = (forces.key_damper_N + forces.damper_string_N + forces.tray_N - forces.damper_stop_N -
                       f.damper_viscous_Ns_per_m * x.v[kFrameDamper]) /
                          f.damper_kg -
                      core::kGravity_mps2;
    return u.key_Nm + f.key_weight_Nm + f.touch_arm_m * forces.pulp_N + f.back_arm_m * forces.back_N -
           f.front_arm_m * forces.front_N - f.damper_arm_m * forces.key_damper_N -
           (f.key_viscous_Nms + u.tied_drag_Nms) * x.v[kFrameKey];
}

void add_frame_forces(const KeyFrame& f, const FrameForces& forces, const FrameState& x, const FrameInput& u,
                      double share, ActionForces& out) noexcept {
    const double key = x.q[kFrameKey], lift = x.q[kFrameDamper];
    out.add(kFingerKey, share, forces.pulp_N, x.q[kFrameFinger] - f.touch_arm_m * key);
    out.add(kKeyFrontRail, share, forces.front_N, f.front_arm_m * key - f.dip_free_m);
    out.add(kKeyBackRail, share, forces.back_N, -f.back_arm_m * key);
    out.add(kKeyDamper, share, forces.key_damper_N, f.damper_arm_m * key - f.damper_gap_m - lift);
    out.add(kDamperString, share, forces.damper_string_N, -lift);
    out.add(kDamperStop, share, forces.damper_stop_N, lift - f.damper_stop_m);
    out.add(kDamperTray, share, forces.tray_N, u.tray_lift_m - f.tray_gap_m - lift);
}

void add_ramp(ActionForces& out, int samples, double begin, double end, double f0_N, double f1_N) noexcept {
    if (!(end > begin)) return;
    out.on_strings = true;
    const double first = begin * samples, last = end * samples, slope_N = (f1_N - f0_N) / (last - first);
    for (int s = std::max(0, static_cast<int>(first)); s < samples && s < last; ++s) {
        const double from = std::max(first, static_cast<double>(s)), to = std::min(last, s + 1.0);
        if (to > from)
            out.string_N[static_cast<std::size_t>(s)] += (to - from) * (f0_N + slope_N * (0.5 * (from + to) - first));
    }
}

Knuckle knuckle_at(const KeyFrame& f, double hammer_rad) noexcept {
    const core::SinCos a = core::small_sincos(hammer_rad);
    return {a.sin * f.knuckle_x_m + a.cos * f.knuckle_y_m, a.cos * f.knuckle_x_m - a.sin * f.knuckle_y_m,
            f.hammer_kg * core::kGravity_mps2 * (a.cos * f.hammer_com_x_m - a.sin * f.hammer_com_y_m), a};
}

}  // namespace letoff::keyboard
