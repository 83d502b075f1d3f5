// Of an action without a hammer, what a technician looks for in its place: where in the dip it speaks (the plectrum
// lets go, the pallet opens), what the finger feels just before, and from where it can speak again. The key's front
// goes down at 10 mm/s, a little less at each try up again, and down.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct Speech {
    double dip_m = 0;     // from rest; 0: it never spoke
    double force_N = 0;   // the most on the finger up to there, where it touches
    double resets_m = 0;  // dip from rest to which the key has to come up before it can speak again, to 0.1 mm
};

/// Presses to bottom_dip_m (from the drawing) at most.
Speech measure_speech(const TestKey& key, double bottom_dip_m);

}  // namespace letoff::keyboard
