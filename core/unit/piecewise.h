// A figure read off a published curve: straight between its knots, constant beyond them.
#pragma once

#include <span>

namespace letoff::core {

struct Knot {
    double x, y;
};

/// Knots in rising x, at least one.
inline double piecewise_linear(std::span<const Knot> knots, double x) {
    if (x <= knots.front().x) return knots.front().y;
    for (std::size_t i = 1; i < knots.size(); ++i) {
        if (x > knots[i].x) continue;
        const double share = (x - knots[i - 1].x) / (knots[i].x - knots[i - 1].x);
        return knots[i - 1].y + share * (knots[i].y - knots[i - 1].y);
    }
    return knots.back().y;
}

}  // namespace letoff::core
