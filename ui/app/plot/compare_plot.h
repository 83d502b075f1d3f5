// One key under several touches: the force of a slow press against dip, as Docquier et al. 2021 draw theirs (figures 24
// to 26: full dip at 10 mm/s, one line for each setting).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "keyboard/bench/force_curve.h"

namespace letoff::ui {

struct NamedCurve {
    std::string name;
    keyboard::ForceCurve curve;
};

/// Down drawn full, up thin and dashed.
std::string compared_curves_svg(std::span<const NamedCurve> curves, std::string_view title);

}  // namespace letoff::ui
