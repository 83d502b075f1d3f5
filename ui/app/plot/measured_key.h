// A key and what was measured on it.
#pragma once

#include "keyboard/bench/measure.h"

namespace letoff::ui {

struct MeasuredKey {
    int key_index = 0;
    keyboard::KeyReport report;
};

}  // namespace letoff::ui
