// A key and what was measured on it, for pictures and tables of it.
#pragma once

#include <limits>
#include <string_view>

#include "keyboard/bench/measure.h"

namespace letoff::ui {

struct MeasuredKey {
    int key_index = 0;
    keyboard::KeyReport report;
};

/// A figure that a key has not.
inline constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

/// Of a figure that is 0 where there is none.
inline double figure_or_none(double value) {
    return value > 0 ? value : kNoFigure;
}

/// Null: no stroke with that touch was measured.
inline const keyboard::PlayedStroke* stroke_of(const keyboard::KeyReport& report, std::string_view touch) {
    for (const keyboard::TouchReport& measured : report.strokes) {
        if (measured.touch == touch) return &measured.stroke;
    }
    return nullptr;
}

}  // namespace letoff::ui
