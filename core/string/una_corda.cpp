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

// In a basis of the even motion u and, at right angles to it, the outer strings against each other and the middle one
// against both, motion k has the components (sqrt(even_k), a_k, b_k): the columns (sqrt(even), a, b) are orthonormal.
std::array<std::array<double, kMaxStrings>, kMaxSets> motions_of_strings(int strings,
                                                                         const std::array<double, kMaxStrings>& even) {
    std::array<std::array<double, kMaxStrings>, kMaxSets> motion{};
    for (auto& set : motion) set.fill(1);
    if (strings < 2) return motion;
    const std::array<double, 3> root{std::sqrt(even[0]), std::sqrt(even[1]), strings == 3 ? std::sqrt(even[2]) : 0.0};
    // a: the second set's own direction, less what of it lies along root.
    std::array<double, 3> a{-root[1] * root[0], 1 - root[1] * root[1], -root[1] * root[2]};
    const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (double& component : a) component /= length;
    const std::array<double, 3> b{root[1] * a[2] - root[2] * a[1], root[2] * a[0] - root[0] * a[2],
                                  root[0] * a[1] - root[1] * a[0]};
    const double n = strings;
    for (int k = 0; k < strings; ++k) {
        const auto set = static_cast<std::size_t>(k);
        if (root[set] == 0) continue;
        for (int i = 0; i < strings; ++i) {
            const double outer = (i == 0 ? 1.0 : i == strings - 1 ? -1.0 : 0.0) / std::sqrt(2.0);
            const double middle = strings == 3 ? (i == 1 ? -2.0 : 1.0) / std::sqrt(6.0) : 0.0;
            const double amplitude = root[set] / std::sqrt(n) + a[set] * outer + b[set] * middle;
            motion[set][static_cast<std::size_t>(i)] = std::sqrt(n) * amplitude / root[set];
        }
    }
    return motion;
}

}  // namespace letoff::core
