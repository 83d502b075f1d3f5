// Makes keys of a profile like a real one whose force curve was measured (keyboard/regulation/fit.h): the curve is
// fitted on the middle one of the keys, and what was turned there is turned on all of them.
#pragma once

#include <span>
#include <vector>

#include "keyboard/regulation/fit.h"
#include "ui/app/profiles/regulation.h"

namespace letoff::ui {

struct FitReport {
    int key_index = 0;  // the key that was fitted
    keyboard::CurveFit fit;
    RegulationReport regulation;  // of that key
};

/// The profile with these keys made so. `key_indices`: 0..87, ascending.
core::Result<storage::Profile> fitted(const storage::Profile& profile, std::span<const int> key_indices,
                                      std::span<const keyboard::CurvePoint> points, FitReport& report);
/// The same, saved.
core::Result<storage::Saved> fit_profile(storage::ProfileStore& store, const storage::ProfileHead& head,
                                         std::span<const int> key_indices, std::span<const keyboard::CurvePoint> points,
                                         std::string_view note, FitReport& report);

}  // namespace letoff::ui
