// Where a key and its action are, and how a key comes to where playing leaves it.
#pragma once

#include <array>

#include "core/event/strike.h"
#include "core/multibody/lane_model.h"
#include "keyboard/action/grand.h"

namespace letoff::keyboard {

/// One key's mechanics at one moment, its strings apart.
struct KeyState {
    std::array<double, kGrandBodies> q{}, v{};
    std::array<double, core::kMaxFrictions> friction_impulse_Ns{}, friction_side{};
    int phase = 0;                // which of the action's sub-models reigns; 0 for an action without
    double hammer_torque_Nm = 0;  // on the hammer in the last tick, all but the strings'
    double escapement_s = core::kNotYet_s, bottom_s = core::kNotYet_s;  // of the stroke under way
};

/// The soft stroke after which a key rests where playing leaves it: friction lets it rest anywhere in a band (blow 45.5
/// mm after a stroke, 46.8 mm as drawn). About 1 m/s at the string; a released key comes to rest within 0.19 s.
struct SettleStroke {
    static constexpr double kBefore_s = 0.3, kHeld_s = 0.4, kAfter_s = 0.6;
    static constexpr double kAcceleration_mps2 = 2.0, kLift_mps = 0.25;
};

}  // namespace letoff::keyboard
