// When the damper leaves the strings, by the key and by the pedal. The key: dip at which its tail meets the damper and
// at which the damper is clear, and where the hammer is then. The pedal: travel of the tray to the same two moments. A
// technician wants all dampers to leave together under the pedal, and each with the hammer half way up under its key.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct DamperTiming {
    bool damped = false;         // the rest is 0 on a key without a damper
    double key_pick_up_m = 0;    // dip from rest at which the key carries it
    double key_clear_m = 0;      // dip from rest at which it is off the strings
    double key_lift_m = 0;       // of the damper above its strings, the key held down by 3 N
    double hammer_share = 0;     // of the blow that the hammer has risen as the damper is picked up
    double pedal_pick_up_m = 0;  // tray travel
    double pedal_clear_m = 0;    // tray travel
    double pedal_lift_m = 0;     // of the damper, pedal fully down
};

DamperTiming measure_damper_timing(const TestKey& key);

}  // namespace letoff::keyboard
