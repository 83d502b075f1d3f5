// Pictures of one key: a keystroke over time (every body's angle, the hammer's way to the strings and back, force
// against dip) and the slow force curve.
#pragma once

#include <string>
#include <string_view>

#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/trace.h"

namespace letoff::ui {

/// `trace` has at least one row.
std::string keystroke_svg(const keyboard::Trace& trace, std::string_view title);

std::string force_curve_svg(const keyboard::ForceCurve& curve, const keyboard::Regulation& regulation,
                            double rest_dip_m, std::string_view title);

}  // namespace letoff::ui
