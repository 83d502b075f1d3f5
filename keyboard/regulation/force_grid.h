// A force curve of many points as means over a grid of dips, so that curves can be compared place by place.
#pragma once

#include <cmath>
#include <vector>

#include "keyboard/bench/force_curve.h"

namespace letoff::keyboard {

/// Means over a grid of dips.
struct ForceGrid {
    static constexpr double kStep_m = 1e-4;
    std::vector<double> sum, count;
    explicit ForceGrid(double to_m) : sum(static_cast<std::size_t>(to_m / kStep_m) + 2), count(sum.size()) {}
    void add(double dip_m, double force_N) {
        const double index = std::round(dip_m / kStep_m);
        if (index < 0 || index >= static_cast<double>(sum.size())) return;
        sum[static_cast<std::size_t>(index)] += force_N;
        count[static_cast<std::size_t>(index)] += 1;
    }
};

/// Where both branches have points; a finger does not pull.
ForceCurve curve_of(const ForceGrid& down, const ForceGrid& up);

}  // namespace letoff::keyboard
