// What every action that is stepped by itself has: the finger, the key between its rails, the damper and its tray. A
// plane linkage with small angles (Gillespie 1994, section 4: forces and weights act square to their levers), felts
// after Thorin et al. eq 2.6: F = k d^r + b d^2 d', F >= 0, with the grand's rows; pivots have viscous friction alone,
// as Gillespie's. Coordinates and signs are the grand's (keyboard/action/grand.h).
//
// A tick is integrated on a grid of its own, kActionGrid_hz, so that nothing depends on the tick's length but the
// input. The stiffest spring is a front rail punching under the key at 100 N, omega = 3000 1/s: a step is 0.2 / omega,
// where Runge-Kutta's limit is 2.8. A felt's loss b d^2 grows beyond any limit of an explicit step, so it is held to
// the mass that it moves times kActionGrid_hz (limit: 2.8 times that): a knuckle pressed with more than some 28 N loses
// less than its row says.
#pragma once

#include <algorithm>

#include "core/episode/episode.h"
#include "core/simd/scalar_math.h"
#include "keyboard/action/action.h"

namespace letoff::keyboard {

inline constexpr int kActionGrid_hz = 16000;

/// A felt's three numbers; the exponents 2.5 and 3 take no power function. moved_kg: the mass that it acts on.
struct FrameFelt {
    double k = 0, r = 0, b = 0;
    double force_N(double d_m, double d_mps, double moved_kg) const noexcept {
        return d_m > 0 ? pressed_N(d_m, d_mps, moved_kg) : 0.0;
    }

  private:
    double pressed_N(double d_m, double d_mps, double moved_kg) const noexcept;
};

/// Slots of an episode's state.
enum FrameCoordinate : std::size_t {
    kFrameKey,
    kFrameFinger,
    kFrameDamper,
    kFrameHammer,
    kFrameLever,
    kFrameCoordinates
};
using FrameState = core::EpisodeState<kFrameCoordinates>;
using FrameChanges = std::array<double, kFrameCoordinates>;

struct FrameInput {
    double key_Nm = 0, finger_N = 0, hammer_Nm = 0;
    double tray_lift_m = 0;
    double driven_radps2 = 0;
    double tied_drag_Nms = 0, tied_inertia_kgm2 = 0;
    bool driven = false;
};
/// Of all inputs only the tray moves within a tick.
inline FrameInput between_inputs(const FrameInput& a, const FrameInput& b, double share) noexcept {
    FrameInput u = a;
    u.tray_lift_m += share * (b.tray_lift_m - a.tray_lift_m);
    return u;
}

struct KeyFrame {
    double key_inertia_kgm2, key_weight_Nm, key_viscous_Nms;  // weight: its front goes down by itself where positive
    double touch_arm_m, front_arm_m, back_arm_m;
    double dip_free_m;  // at which the front meets its rail
    double finger_kg;
    double damper_kg, damper_viscous_Ns_per_m, damper_arm_m, damper_gap_m, damper_stop_m, tray_gap_m;
    FrameFelt pulp, front, back, damper_lever, damper_string;
    double hammer_inertia_kgm2, hammer_kg, hammer_com_x_m, hammer_com_y_m, hammer_viscous_Nms;
    double knuckle_x_m, knuckle_y_m;
};
KeyFrame key_frame(const GrandValues& values, bool damped);

/// Forces of the frame at a state.
struct FrameForces {
    double pulp_N = 0, front_N = 0, back_N = 0, key_damper_N = 0, damper_string_N = 0, damper_stop_N = 0, tray_N = 0;
};
FrameForces frame_forces(const KeyFrame& frame, const FrameState& x, const FrameInput& u) noexcept;
/// Torque on the key of all but the action's own; accelerations of finger and damper are written.
double frame_motion(const KeyFrame& frame, const FrameForces& forces, const FrameState& x, const FrameInput& u,
                    FrameChanges& a) noexcept;
/// Where the frame's forces have their places; compressions are of this state.
void add_frame_forces(const KeyFrame& frame, const FrameForces& forces, const FrameState& x, const FrameInput& u,
                      double share, ActionForces& out) noexcept;

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

/// The knuckle's height above the hammer centre, and d(height) / d(angle).
struct Knuckle {
    double height_m, arm_m, gravity_Nm;  // gravity: torque of the hammer's weight, downwards positive
    core::SinCos hammer;                 // of its angle
};
Knuckle knuckle_at(const KeyFrame& frame, double hammer_rad) noexcept;

/// A step of the grid, for an action without a hammer to tell how it sounds.
struct SubStep {
    double begin = 0, end = 0, switched = 0;  // shares of the tick; of the last transition, where there was one
    int phase0 = 0, phase1 = 0;
    FrameState x0, x1;
    int string_samples = 0;
};
/// A force that runs straight from f0 to f1 between two shares of the tick, to the means over the strike grid.
void add_ramp(ActionForces& out, int samples, double begin, double end, double f0_N, double f1_N) noexcept;

/// Steps a model over a tick, on the grid. Model: a `frame`, sub_models() whose readout is the torque that a driven key
/// takes, add_forces(phase, x, u, share, out) that tells contact forces and compressions, and, without a hammer,
/// speak(sub_step, out).
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
