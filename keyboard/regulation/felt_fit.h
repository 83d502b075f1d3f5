// Finds the fibres of a felt from a compression test: K_p and gamma of its loading and of its unloading network
// (Masoudi & McPhee, section 3.1, eq 7), sliding contacts included (9, 10), by Nelder and Mead's simplex (as their
// fminsearch; NLopt's) on log K_p and log gamma, least squares of the stress. Volume fraction and friction are given.
// Not for real-time threads.
#pragma once

#include <string_view>
#include <vector>

#include "core/felt/micromechanical.h"
#include "core/result.h"

namespace letoff::keyboard {

struct FeltPoint {
    double strain = 0, stress_Pa = 0;
    bool loading = true;
};

/// Columns strain, stress_Pa, branch (loading or unloading), a header line or none; lines of # are skipped. A sentence
/// names the line, what is there and what would be accepted.
core::Result<std::vector<FeltPoint>> parse_felt_test(std::string_view text, std::string_view file);

inline constexpr std::size_t kFewestFeltPoints = 4;  // of a branch that is fitted: two numbers come from them

struct FeltFit {
    core::MicromechanicalFelt felt;
    std::size_t loading_points = 0, unloading_points = 0;
    double loading_rms_Pa = 0, unloading_rms_Pa = 0;  // of what the model leaves over
    double loading_share = 0, unloading_share = 0;    // of the branch's own root mean square
    double loop_loss = 0;  // of the fitted felt, pressed to the largest strain: share of the work
};

/// A sentence where a branch has too few points, a strain is beyond what v_f0 allows, or nothing is pressed.
core::Result<FeltFit> fit_felt(std::vector<FeltPoint> points, const core::Fibres& fibres, std::string_view file);

}  // namespace letoff::keyboard
