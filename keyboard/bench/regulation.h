// What a technician measures with a ruler: dip, blow, let-off, drop, aftertouch, lost motion, damper pick-up.
// Terms: design, section 5. Let-off, drop, aftertouch and lost motion come from one press at 2 mm/s, the key's motion
// prescribed.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct Regulation {
    double key_dip_m = 0;         // from rest to where the key stands under 3 N
    double blow_m = 0;            // crown to strings at rest
    double let_off_m = 0;         // crown to strings at the highest point of the slow press
    double drop_m = 0;            // fall from there, with the key at the bottom under 3 N: the lever hangs on its screw
    double aftertouch_m = 0;      // dip minus the dip at which the jack slips out and the hammer begins to fall
    double lost_motion_m = 0;     // dip before the hammer moves
    double damper_pick_up_m = 0;  // dip at which the key tail meets the damper; 0 without a damper
    double let_off_dip_m = 0;     // dip (from the drawing) at which the jack meets its button
    double jack_release_dip_m = 0;
    double bottom_dip_m = 0;       // dip (from the drawing) under 3 N
    double head_to_key_ratio = 0;  // way of the crown by way of the key front, from 2 to 7 mm of dip
};

Regulation measure_regulation(const TestKey& key);
/// At most core::kLanes keys side by side, in the time that one takes and with the same results.
std::vector<Regulation> measure_regulations(std::span<const TestKey> keys);

}  // namespace letoff::keyboard
