// An action on the key frame (key_frame.h) as a machine of sub-models (core/episode): what its model has to have, and
// its step over a tick.
#pragma once

#include <algorithm>

#include "keyboard/action/key_frame.h"

namespace letoff::keyboard {

/// A step of the grid, for an action without a hammer to tell how it sounds.
struct SubStep {
    double begin = 0, end = 0, switched = 0;  // shares of the tick; of the last transition, where there was one
    int phase0 = 0, phase1 = 0;
    FrameState x0, x1;
    int string_samples = 0;
};

/// What these models have alike, first of their numbers; a model hides what it does otherwise.
struct FrameModel {
    static constexpr std::size_t kCoordinates = kFrameCoordinates;
    using Input = FrameInput;
    /// Of all inputs only the tray moves within a tick.
    static Input between(const Input& a, const Input& b, double share) noexcept {
        Input u = a;
        u.tray_lift_m += share * (b.tray_lift_m - a.tray_lift_m);
        return u;
    }

    KeyFrame frame;

    void add_forces(int, const FrameState& x, const FrameInput& u, double share, ActionForces& out) const noexcept {
        add_frame_forces(frame, frame_forces(frame, x, u), x, u, share, out);
    }
    /// The step's last transition is where the note began.
    void tell_spoken(const SubStep& s, ActionForces& out) const noexcept {
        out.spoke = true;
        out.spoke_share = s.switched;
        out.spoke_key_mps = frame.front_arm_m * s.x1.v[kFrameKey];
    }
    void finish(ActionPose&) const noexcept {}
};

/// The key's inertia with what rides on it: the model's own where it has one, else the frame's.
template <typename Model>
double ridden_key_kgm2(const Model& m) {
    if constexpr (requires { m.key_kgm2; }) {
        return m.key_kgm2;
    } else {
        return m.frame.key_inertia_kgm2;
    }
}
/// Motion and readout of an action whose key has the same inertia wherever it is: `torque` gives the torque on it and
/// writes the accelerations of everything else.
template <typename Model>
using KeyTorque = double(const Model&, const FrameState&, const FrameInput&, FrameChanges&);
template <typename Model, KeyTorque<Model>* torque>
void key_motion(const Model& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    const double torque_Nm = torque(m, x, u, a);
    a[kFrameKey] = u.driven ? u.driven_radps2 : torque_Nm / (ridden_key_kgm2(m) + u.tied_inertia_kgm2);
}
/// What the key has to be driven with for driven_radps2.
template <typename Model, KeyTorque<Model>* torque>
double key_readout(const Model& m, const FrameState& x, const FrameInput& u) {
    FrameChanges a{};
    return ridden_key_kgm2(m) * u.driven_radps2 - torque(m, x, u, a);
}

/// Steps a model over a tick, on the grid. Model: a FrameModel with sub_models() whose readout is the torque that a
/// driven key takes; add_forces() tells contact forces and compressions, finish() the pose of what follows from the
/// coordinates, and, without a hammer, speak(sub_step, out) how it sounds.
template <typename Model>
void step_on_grid(const Model& model, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept {
    FrameState x;
    constexpr std::array<std::size_t, kFrameCoordinates> kPlaces{kKey, kFinger, kDamper, kHammer, kLever};
    for (std::size_t i = 0; i < kFrameCoordinates; ++i) {
        x.q[i] = pose.q[kPlaces[i]];
        x.v[i] = pose.v[kPlaces[i]];
    }
    const FrameState start = x;
    FrameInput u;
    u.key_Nm = in.force[kKey];
    u.finger_N = in.force[kFinger];
    u.hammer_Nm = in.force[kHammer];
    u.driven = in.driven;
    u.tied_drag_Nms = in.tied_drag_Nms;
    u.tied_inertia_kgm2 = in.tied_inertia_kgm2;
    if (in.driven) u.driven_radps2 = (in.driven_radps - x.v[kFrameKey]) / in.h_s;
    const int phase0 = pose.phase;
    const double half_up = in.h_s * kActionGrid_hz + 0.5;  // positive, and lround is the C library's
    const int steps = std::max(1, static_cast<int>(half_up));
    const double h_s = in.h_s / steps;
    for (int i = 0; i < steps; ++i) {
        FrameInput u0 = u, u1 = u;
        const auto tray_at = [&](double share) {
            return in.tray_lift0_m + share * (in.tray_lift1_m - in.tray_lift0_m);
        };
        u0.tray_lift_m = tray_at(static_cast<double>(i) / steps);
        u1.tray_lift_m = tray_at(static_cast<double>(i + 1) / steps);
        // Means over the tick by the trapezoidal rule.
        const auto tell = [&](const FrameInput& at, double share) {
            model.add_forces(pose.phase, x, at, share, out);
            if (u.driven) out.driven_Nm += share * core::Episode<Model>::readout(model, pose.phase, x, at);
        };
        if (i == 0) tell(u0, 0.5 / steps);
        const FrameState before = x;
        const int reigned = pose.phase;
        const core::EpisodeStep done = core::Episode<Model>::step(model, pose.phase, x, u0, u1, h_s);
        if constexpr (requires { model.speak(SubStep{}, out); }) {
            const double at = static_cast<double>(i) / steps, switched_s = i * h_s + done.last_transition_s;
            model.speak({at, at + 1.0 / steps, switched_s / in.h_s, reigned, pose.phase, before, x, in.string_samples},
                        out);
        }
        tell(u1, (i + 1 == steps ? 0.5 : 1.0) / steps);
    }
    x.q[kFrameHammer] += in.hammer_shift_rad;
    if (in.driven) {
        x.q[kFrameKey] = in.driven_rad;
        x.v[kFrameKey] = in.driven_radps;
    }
    // Viscous friction never brings anything quite to rest: what has all but stopped, and is not about to move, stands.
    constexpr double kStill = 1e-6, kStillChange = 1e-8;  // rad/s or m/s; of what it was a tick ago
    bool still = pose.phase == phase0;
    for (std::size_t i = 0; i < kFrameCoordinates; ++i) {
        still = still && x.v[i] < kStill && x.v[i] > -kStill && x.v[i] - start.v[i] < kStillChange &&
                start.v[i] - x.v[i] < kStillChange;
    }
    if (still) {
        x = start;
        x.v = {};
    }
    for (std::size_t i = 0; i < kFrameCoordinates; ++i) {
        pose.q[kPlaces[i]] = x.q[i];
        pose.v[kPlaces[i]] = x.v[i];
    }
    model.finish(pose);
}

}  // namespace letoff::keyboard
