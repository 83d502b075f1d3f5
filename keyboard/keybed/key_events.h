// What one key did in a tick: struck, went down, came up, pushed its strings.
#pragma once

#include "core/event/sound_frame.h"
#include "core/event/strike.h"
#include "core/midi/velocity.h"

namespace letoff::keyboard {

struct KeyEvents {
    bool struck = false, reached_bottom = false, released = false, on_strings = false;
    core::Strike strike;
    struct KeyBottom {
        int key_index = 0;
        double time_s = 0;
    } bottom;
    core::Release release;
    core::StringForce force;    // where on_strings
    double spoken_key_mps = 0;  // where struck without a hammer: of the key's front
    /// What a finger can aim at: the hammer's speed, or what a hammer's would be for the key's.
    double touch_mps() const {
        return strike.by_hammer ? strike.hammer_speed_mps : core::kHammerPerKey * spoken_key_mps;
    }
};

}  // namespace letoff::keyboard
