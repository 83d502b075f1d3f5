// The two-body linkage as the machines of two_body and bouncing_ball share it: numbers, forces, equations 11-13.
#pragma once

#include <algorithm>

#include "core/unit/constants.h"
#include "keyboard/action/frame_model.h"

namespace letoff::keyboard {

struct TwoBody : FrameModel {
    double key_kgm2, key_weight_Nm;  // with what rides on it
    double l2_m, l3_m, l4_m;         // key to spring, spring to hammer, hammer's weight
    double stiffness_N_per_m, damping_Ns_per_m;
    double rest_rad;  // of the hammer on an unloaded spring, key up

    double squeeze_m(const FrameState& x) const {
        return l2_m * x.q[kFrameKey] - l3_m * (x.q[kFrameHammer] - rest_rad);
    }
    double spring_N(const FrameState& x) const {
        return stiffness_N_per_m * squeeze_m(x) + damping_Ns_per_m * (l2_m * x.v[kFrameKey] - l3_m * x.v[kFrameHammer]);
    }
    double bed_m(const FrameState& x) const { return frame.front_arm_m * x.q[kFrameKey] - frame.dip_free_m; }
    void add_forces_of(bool coupled, const FrameState& x, const FrameInput& u, double share, ActionForces& out) const {
        FrameModel::add_forces(0, x, u, share, out);
        out.add(kJackKnuckle, share, coupled ? std::max(0.0, spring_N(x)) : 0.0, squeeze_m(x));
    }
};

template <typename Model, bool coupled, bool on_bed>
double two_body_torque(const Model& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    FrameForces forces = frame_forces(m.frame, x, u);
    if (!on_bed) forces.front_N = 0;
    const double spring_N = coupled ? m.spring_N(x) : 0.0;
    a[kFrameHammer] = (m.l3_m * spring_N + u.hammer_Nm - m.frame.hammer_kg * core::kGravity_mps2 * m.l4_m -
                       m.frame.hammer_viscous_Nms * x.v[kFrameHammer]) /
                      m.frame.hammer_inertia_kgm2;
    return frame_motion(m.frame, forces, x, u, a) + (m.key_weight_Nm - m.frame.key_weight_Nm) - m.l2_m * spring_N;
}

template <typename Model>
double two_body_force(const Model& m, const FrameState& x, const FrameInput&) {
    return m.spring_N(x);
}
template <typename Model>
double two_body_gap(const Model& m, const FrameState& x, const FrameInput&) {
    return -m.squeeze_m(x);
}
template <typename Model>
double two_body_above_bed(const Model& m, const FrameState& x, const FrameInput&) {
    return -m.bed_m(x);
}
template <typename Model>
double two_body_in_bed(const Model& m, const FrameState& x, const FrameInput&) {
    return m.bed_m(x);
}

/// Numbers from the grand's rows.
TwoBody two_body_of(const GrandValues& values, bool damped);

}  // namespace letoff::keyboard
