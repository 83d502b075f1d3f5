// Fits a key to the force curve of a real one: force on the finger against dip, the key driven down and up at 10 mm/s
// (Docquier et al. 2021, section 5.1.5; keyboard/bench/force_curve.h measures ours so).
//
// Levenberg-Marquardt on the difference of the two curves; the seven derivatives and the curve itself come from one run
// of eight keys side by side. What is fitted is what such a curve can tell:
//   leads                  how high both branches lie (a heavier hammer lies there too: it cannot be told apart)
//   friction of the pins   how far the branches lie apart
//   let-off button, repetition spring, knuckle friction    where the let-off's bump begins, and its height both ways
//   damper pick-up, damper weight                          the step on the way down
//   front rail punching    the dip at which the force reaches 3 N
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keyboard/bench/force_curve.h"
#include "keyboard/regulation/solve.h"

namespace letoff::keyboard {

struct CurvePoint {
    double dip_m = 0, force_N = 0;
    bool down = true;
};

/// Columns dip_mm, force_N, branch (down or up), a header line or none; lines of # are skipped. A sentence names the
/// line, what is there and what would be accepted.
core::Result<std::vector<CurvePoint>> parse_force_curve(std::string_view text, std::string_view file);

struct CurveFit {
    std::vector<Turn> turns;
    double rms_before_N = 0, rms_after_N = 0;  // what is left over below kFittedTo_N
    ForceCurve before, after;
    std::string refused;  // a sentence; the curve tells too little or is of no such action
};

/// Higher forces are the front rail's felt.
inline constexpr double kFittedTo_N = 2.5;

CurveFit fit_curve(const GrandTouch& touch, int key_index, std::span<const CurvePoint> points,
                   const core::StringSet& strings);

/// The points as means over a grid of dips, where both branches have some.
ForceCurve gridded(std::span<const CurvePoint> points);

/// The curve as `fit_curve` sees it, driven to this dip from rest.
std::vector<ForceCurve> swept_curves(std::span<const KeyBuild> builds, double to_dip_m);

}  // namespace letoff::keyboard
