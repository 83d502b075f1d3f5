// What every action that is stepped by itself has: the finger, the key between its rails, the damper and its tray. A
// plane linkage with small angles (Gillespie 1994, section 4: forces and weights act square to their levers), felts
// after Thorin et al. eq 2.6: F = k d^r + b d^2 d', F >= 0, with the grand's rows; pivots have viscous friction alone,
// as Gillespie's. Coordinates and signs are the grand's (keyboard/action/grand.h).
//
// A tick is integrated on a grid of its own, kActionGrid_hz (frame_model.h), so that nothing depends on the tick's
// length but the input. The stiffest spring is a front rail punching under the key at 100 N, omega = 3000 1/s: a step
// is 0.2 / omega, where Runge-Kutta's limit is 2.8. A felt's loss b d^2 grows beyond any limit of an explicit step, so
// it is held to the mass that it moves times kActionGrid_hz (limit: 2.8 times that): a knuckle pressed with more than
// some 28 N loses less than its row says.
#pragma once

#include "core/episode/episode.h"
#include "core/simd/scalar_math.h"
#include "keyboard/action/action.h"

namespace letoff::keyboard {

inline constexpr int kActionGrid_hz = 16000;
inline constexpr double kOutOfReach_m = 1.0;  // gap to a damper or a pedal's tray that is not there

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
/// A force that runs straight from f0 to f1 between two shares of the tick, to the means over the strike grid.
void add_ramp(ActionForces& out, int samples, double begin, double end, double f0_N, double f1_N) noexcept;

/// The knuckle's height above the hammer centre, and d(height) / d(angle).
struct Knuckle {
    double height_m, arm_m, gravity_Nm;  // gravity: torque of the hammer's weight, downwards positive
    core::SinCos hammer;                 // of its angle
};
Knuckle knuckle_at(const KeyFrame& frame, double hammer_rad) noexcept;

}  // namespace letoff::keyboard
