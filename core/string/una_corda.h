// The una corda pedal of a grand: the whole action shifts to the side, so that hammers miss a string of their note and
// meet the others with felt that has no grooves. Nothing else changes: keys weigh what they did, and the string that is
// not struck still hangs on the same bridge, so more of the blow goes into motions of the strings against each other,
// which ring longer (Weinreich 1977).
//
// A blow gives string i the share b_i of its force, sum b_i = 1. Strings lie evenly apart about the hammer's middle;
// a string's share falls to nothing while the hammer's edge passes from kEdge_m beyond it to kEdge_m short of it. In
// set k string i moves as of_string[k][i] (mean 1), so the set takes  gain_k = sum_i b_i of_string[k][i]  of what an
// even blow gives it, and its displacement counts gain_k at the hammer. Of a pure sideways motion an uneven blow makes
// as much as an even one. Pure arithmetic, real-time safe.
#pragma once

#include <array>

namespace letoff::core {

inline constexpr int kMaxStrings = 3;
inline constexpr int kMaxSets = 4;  // of three strings (modal_string.h)

struct UnaCorda {
    int strings = 0;
    double shift_m = 0;   // of the whole pedal
    double hardness = 1;  // of the felt beside the grooves, times the hammer's K
    std::array<std::array<double, kMaxStrings>, kMaxSets> of_string{};
};

struct Blow {
    std::array<double, kMaxSets> gain{1, 1, 1, 1};
    double hardness = 1;
    bool operator==(const Blow&) const = default;
};

/// Shares of the strings in a blow of the action shifted so far, towards the last string; the first are left behind.
std::array<double, kMaxStrings> struck_shares(int strings, double shift_m);

/// pedal: 0 up .. 1 down.
Blow blow_of(const UnaCorda& action, double pedal);

/// Motions of `strings` strings that are at right angles, of which an even blow gives set k the share even[k] (their
/// sum is 1), as amplitudes of mean 1: what UnaCorda has as of_string.
std::array<std::array<double, kMaxStrings>, kMaxSets> motions_of_strings(int strings,
                                                                         const std::array<double, kMaxStrings>& even);

}  // namespace letoff::core
