// The technician's test of the repetition spring: a blow is held in the check, then the key is let up slowly. As the
// check lets go, the spring lifts the hammer: a good one raises it visibly and gently, without a jump; too weak a one
// leaves it down, too strong a one throws it.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct SpringRise {
    bool held = false;           // the check held the blow; without that there is nothing to see
    double checked_m = 0;        // crown below the strings in the check
    double rise_m = 0;           // how far the spring lifts the crown from there
    double rise_speed_mps = 0;   // the crown's fastest on the way up
    double release_dip_m = 0;    // dip from rest at which the check lets go
    bool strikes_again = false;  // thrown against the strings
};

inline constexpr double kSpringLetUp_mps = 0.010;  // "slowly"

/// A blow with this acceleration of the finger, let up at `let_up_mps` half a second after its start.
SpringRise measure_spring_rise(const TestKey& key, double acceleration_mps2, double let_up_mps = kSpringLetUp_mps);

}  // namespace letoff::keyboard
