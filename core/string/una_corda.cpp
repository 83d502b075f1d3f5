#include "core/string/una_corda.h"

#include <algorithm>
#include <cmath>

namespace letoff::core {
namespace {

// Ours within what grands have: hammers 9.5-11 mm wide, unisons of three 7-8 mm from first to last string, of two some
// 5 mm. The pedal's 3 mm then leaves one string of two and two of three, as it should.
constexpr double kHalfWidth_m = 5.0e-3;
constexpr double kSpacing3_m = 3.8e-3, kSpacing2_m = 5.0e-3;
constexpr double kEdge_m = 0.5e-3;    // the crown's edge is round
constexpr double kGroove_m = 1.0e-3;  // beside a groove of this width the felt is fresh

}  // namespace

std::array<double, kMaxStrings> struck_shares(int strings, double shift_m) {
    std::array<double, kMaxStrings> share{};
    const double spacing_m = strings == 3 ? kSpacing3_m : kSpacing2_m;
    double sum = 0;
    for (int i = 0; i < strings; ++i) {
        const double at_m = (i - 0.5 * (strings - 1)) * spacing_m;
        const double covered_m = at_m - (shift_m - kHalfWidth_m);
        share[static_cast<std::size_t>(i)] = std::clamp((covered_m + kEdge_m) / (2 * kEdge_m), 0.0, 1.0);
        sum += share[static_cast<std::size_t>(i)];
    }
    if (sum > 0) {
        for (double& b : share) b /= sum;
    } else {
        share[static_cast<std::size_t>(strings - 1)] = 1;  // the last string is never missed
    }
    return share;
}

Blow blow_of(const UnaCorda& action, double pedal) {
    Blow blow;
    if (!(pedal > 0)) return blow;
    const double shift_m = pedal * action.shift_m;
    const std::array<double, kMaxStrings> share = struck_shares(action.strings, shift_m);
    for (int k = 0; k < action.strings; ++k) {
        const auto set = static_cast<std::size_t>(k);
        blow.gain[set] = 0;
        for (std::size_t i = 0; i < kMaxStrings; ++i) blow.gain[set] += share[i] * action.of_string[set][i];
    }
    blow.hardness = 1 + (action.hardness - 1) * std::min(1.0, shift_m / kGroove_m);
    return blow;
}

// In a basis of the even motion u and two motions d and m at right angles to it and to each other, set k has the
// components (sqrt(even_k), a_k, b_k): the columns (sqrt(even), a, b) are orthonormal. That leaves a turn free: how the
// motion in phase leans, (a_0, b_0). Of three strings it leans along m, the last two against each other, so that it
// does not matter to it which string is left out; of two it can only lean to one of them, and we take the one that una
// corda leaves out, or that pedal would be the louder one.
std::array<std::array<double, kMaxStrings>, kMaxSets> motions_of_strings(int strings,
                                                                         const std::array<double, kMaxStrings>& even) {
    std::array<std::array<double, kMaxStrings>, kMaxSets> motion{};
    for (auto& set : motion) set.fill(1);
    if (strings < 2) return motion;
    const bool three = strings == 3;
    const std::array<double, 3> root{std::sqrt(even[0]), std::sqrt(even[1]), three ? std::sqrt(even[2]) : 0.0};
    // a: the second set's own direction, less what of it lies along root.
    std::array<double, 3> a{root[1] * root[0], root[1] * root[1] - 1, root[1] * root[2]};
    const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (double& component : a) component /= length;
    const std::array<double, 3> b{root[1] * a[2] - root[2] * a[1], root[2] * a[0] - root[0] * a[2],
                                  root[0] * a[1] - root[1] * a[0]};
    const double lean = std::hypot(a[0], b[0]);
    const double along = lean > 0 ? a[0] / lean : 1, across = lean > 0 ? b[0] / lean : 0;
    const std::array<double, 3> d = three ? std::array{2 / std::sqrt(6.0), -1 / std::sqrt(6.0), -1 / std::sqrt(6.0)}
                                          : std::array{1 / std::sqrt(2.0), -1 / std::sqrt(2.0), 0.0};
    const std::array<double, 3> m{0, 1 / std::sqrt(2.0), -1 / std::sqrt(2.0)};
    const double n = strings;
    for (std::size_t k = 0; k < static_cast<std::size_t>(strings); ++k) {
        if (root[k] == 0) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(strings); ++i) {
            const double leaning =
                three ? a[k] * (along * m[i] - across * d[i]) + b[k] * (across * m[i] + along * d[i]) : a[k] * d[i];
            motion[k][i] = 1 + std::sqrt(n) * leaning / root[k];
        }
    }
    return motion;
}

}  // namespace letoff::core
