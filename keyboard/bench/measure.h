// Everything the bench measures on one key, in SI.
#pragma once

#include <string_view>
#include <vector>

#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/strokes.h"
#include "keyboard/bench/touchweight.h"

namespace letoff::keyboard {

struct TouchReport {
    std::string_view touch;
    double asked_mps = 0;
    PlayedStroke stroke;
};

struct KeyReport {
    Regulation regulation;
    Touchweight touchweight;
    KeyForce force;
    double check_distance_m = 0;       // of the mf stroke; 0 where the check did not hold it
    double max_repetition_hz = 0;      // 0: none found
    std::vector<TouchReport> strokes;  // those whose speed the finger reached within 1 %
};

KeyReport measure_key(const KeyBuild& build, int tick_hz = kBenchTick_hz);

}  // namespace letoff::keyboard
