// A key tied to a moving point at its front by a spring and a damper: how a real key under a real finger acts on the
// simulated one.
//
//   F = k (x - y) + c (x' - y')     x: the point, y: dip of the simulated key; F on the finger, positive upwards
//
// The key stays a free body: F enters its momentum balance with y and y' at the middle of the step, and is solved with
// the rest of the mechanism (core/multibody/step.h: implicit, second order, no second solver). So no step and no
// stiffness makes the tie itself unstable, and no acceleration of x is ever needed. What moves with x already - the
// mass and the weight of the real key or lever - is taken off the simulated key.
#pragma once

namespace letoff::keyboard {

struct KeyTie {
    double dip_m = 0, speed_mps = 0;  // of the point, mean over the step
    double stiffness_N_per_m = 0, damping_Ns_per_m = 0;
    double own_mass_kg = 0;   // at the front: that much less of the simulated key's; leaves kLeastTiedMass_kg
    double own_weight_N = 0;  // pulls the front down: that much less of the simulated key's
};

/// What stays of a simulated key whose mass another has: too little to be felt beside the 0.26 kg that a key with its
/// hammer weighs to a stroke, enough for a well-conditioned balance.
inline constexpr double kLeastTiedMass_kg = 0.004;

/// What a tie did in the last tick.
struct TiedForce {
    double force_N = 0;    // on the finger, positive upwards, mean over the tick
    double rails_N = 0;    // the part of it that front and back rail hold up (back: negative)
    double way_m = 0;      // of the simulated key's front, downwards
    double stretch_m = 0;  // x - y, mean over the tick
};

}  // namespace letoff::keyboard
