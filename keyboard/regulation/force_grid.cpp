#include "keyboard/regulation/force_grid.h"

#include <algorithm>

#include "keyboard/regulation/fit.h"

namespace letoff::keyboard {

ForceCurve curve_of(const ForceGrid& down, const ForceGrid& up) {
    ForceCurve curve;
    for (std::size_t i = 0; i < down.sum.size(); ++i) {
        if (down.count[i] == 0 || up.count[i] == 0) continue;
        curve.dip_m.push_back(static_cast<double>(i) * ForceGrid::kStep_m);
        curve.down_N.push_back(std::max(down.sum[i] / down.count[i], 0.0));  // a finger does not pull
        curve.up_N.push_back(std::max(up.sum[i] / up.count[i], 0.0));
    }
    return curve;
}

ForceCurve gridded(std::span<const CurvePoint> points) {
    double deepest_m = 0;
    for (const CurvePoint& p : points) deepest_m = std::max(deepest_m, p.dip_m);
    ForceGrid down(deepest_m), up(deepest_m);
    for (const CurvePoint& p : points) (p.down ? down : up).add(p.dip_m, p.force_N);
    return curve_of(down, up);
}

}  // namespace letoff::keyboard
