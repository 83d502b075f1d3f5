// The technician's two looks at a jack at rest.
//   position   the jack's back face should stand level with the back of the knuckle's core, a little behind the middle
//   height     the repetition lever should carry the knuckle a hair above the jack: pulled away from under the knuckle
//              and let go, the jack slips back freely and the hammer only winks. A lever too low leaves the hammer on
//              the jack (it drops as the jack goes, and holds it out); one too high leaves a gap: lost motion.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct JackCheck {
    double behind_core_m = 0;  // back face behind the knuckle's middle, along the jack's top
    double lever_share = 0;    // part of the knuckle's load that the lever carries at rest, 0..1
    double wink_m = 0;         // how far the crown drops while the jack is held away
    double return_s = 0;       // after letting go, until the jack is on its stop again
    bool returns = false;      // it came back under the knuckle within half a second
};

JackCheck check_jack(const TestKey& key);

}  // namespace letoff::keyboard
