// Regulation in a technician's terms, second half: what he measures on the whole action and turns screws for until the
// figure is there (keyboard/regulation/parts.h: what he does to the parts).
//
// A figure is measured by the bench itself (keyboard/bench), so what was asked is what `letoff measure` tells. It has
// no place in a profile: as in a piano, what stays is where the screws are. `letoff regulate` finds that place by
// playing the action (keyboard/regulation/solve.h) and keeps it as turns of the action's rows, with what was asked in
// the revision's note. So nothing has to be solved when the instrument starts, a profile plays alike in every build
// whose action is the same, and a heavier hammer put on later changes the let-off, as it does in a piano.
//
// One line of kFigures is all that a figure is; one line of kScrews says what a screw does to the figures. Those
// numbers are the measured ones of shared/reference/grand_action_regulation.md ("Which screw does what"), per unit of
// the row; they are a first guess only.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "keyboard/bench/regulation.h"
#include "keyboard/bench/strokes.h"
#include "keyboard/bench/touchweight.h"

namespace letoff::keyboard {

/// What is known of a key: always the slow press and one stroke, the weights where a figure needs them.
struct Measured {
    Regulation regulation;
    PlayedStroke stroke;  // about mf, its check watched
    Touchweight touchweight;
};

struct Figure {
    core::Row row;  // limits: what anybody might ask for; what the action can is found by trying
    double (*read)(const Measured&);
    bool weights = false;                    // read from the touchweight
    double precise = 0.005;                  // solved to this where the action allows it,
    double accepted = 0.05;                  // and refused where it is not this near
    double told = 0.1;                       // limits are told in steps of this
    std::array<std::string_view, 3> screws;  // the first is turned that is not yet taken for another figure
};

// clang-format off
inline constexpr Figure kFigures[] = {
    {{"blow_mm", "mm", 46, 20, 70, core::Live::kTechnician, "Hammer crown to strings at rest."},
     [](const Measured& m) { return m.regulation.blow_m * 1e3; }, false, 0.01, 0.05, 0.1, {"capstan_y_mm"}},
    {{"key_dip_mm", "mm", 10, 3, 15, core::Live::kTechnician, "Way of the key front from rest to where it stands under 3 N."},
     [](const Measured& m) { return m.regulation.key_dip_m * 1e3; }, false, 0.005, 0.05, 0.1, {"front_rail_y_mm"}},
    {{"let_off_mm", "mm", 1.9, 0, 20, core::Live::kTechnician, "Hammer crown to strings at the highest point of a slow press."},
     [](const Measured& m) { return m.regulation.let_off_m * 1e3; }, false, 0.005, 0.05, 0.1, {"let_off_button_y_mm"}},
    {{"drop_mm", "mm", 1.9, 0, 20, core::Live::kTechnician, "Fall of the hammer after let-off, the key down."},
     [](const Measured& m) { return m.regulation.drop_m * 1e3; }, false, 0.005, 0.05, 0.1, {"drop_screw_y_mm"}},
    {{"check_distance_mm", "mm", 11, 2, 40, core::Live::kTechnician, "Hammer crown to strings when the backcheck holds it after an mf stroke."},
     [](const Measured& m) { return m.stroke.held ? m.stroke.check_distance_m * 1e3 : 0.0; }, false, 0.02, 0.2, 0.1, {"backcheck_x_mm"}},
    {{"aftertouch_mm", "mm", 1, 0, 5, core::Live::kTechnician, "Way of the key front left when the jack has let go."},
     [](const Measured& m) { return m.regulation.aftertouch_m * 1e3; }, false, 0.01, 0.05, 0.1, {"front_rail_y_mm", "capstan_y_mm", "capstan_x_mm"}},
    {{"damper_pick_up_mm", "mm", 4.5, 0.5, 10, core::Live::kTechnician, "Way of the key front before its tail lifts the damper."},
     [](const Measured& m) { return m.regulation.damper_pick_up_m * 1e3; }, false, 0.01, 0.05, 0.1, {"damper_gap_mm"}},
    {{"down_weight_g", "g", 49, 10, 150, core::Live::kTechnician, "Least weight on the key front that falls to let-off, damper lifted."},
     [](const Measured& m) { return m.touchweight.down_weight_g; }, true, 0.25, 1, 0.5, {"key_lead_g", "key_pin_friction_g"}},
    {{"up_weight_g", "g", 25.5, 0, 150, core::Live::kTechnician, "Greatest weight on the key front that the key lifts back from let-off."},
     [](const Measured& m) { return m.touchweight.up_weight_g; }, true, 0.25, 1, 0.5, {"key_lead_g", "key_pin_friction_g"}},
    {{"balance_weight_g", "g", 37.25, 0, 150, core::Live::kTechnician, "Mean of down and up weight."},
     [](const Measured& m) { return m.touchweight.balance_weight_g(); }, true, 0.25, 1, 0.5, {"key_lead_g", "key_pin_friction_g"}},
    {{"friction_g", "g", 11.75, 0, 60, core::Live::kTechnician, "Half the difference of down and up weight."},
     [](const Measured& m) { return m.touchweight.friction_g(); }, true, 0.25, 1, 0.5, {"key_pin_friction_g"}},
};
// clang-format on

inline constexpr std::size_t kFigureCount = std::size(kFigures);
inline constexpr auto kFigureRows = [] {
    std::array<core::Row, kFigureCount> rows{};
    for (std::size_t i = 0; i < kFigureCount; ++i) rows[i] = kFigures[i].row;
    return rows;
}();
static_assert(core::table_is_sound(kFigureRows));

struct Screw {
    std::string_view row;  // of kGrandRows or kPartRows
    double most = 0;       // turned at once
    std::array<double, kFigureCount> changes{};
};

// In the order of kFigures. Aftertouch by capstan: as measured; what is too small to guide is left out.
// clang-format off
inline constexpr Screw kScrews[] = {
    //                            blow    dip   let-off drop  check  after  damper DW    UW    BW     friction
    {"capstan_y_mm",        0.5, {-16.6, -0.12, 0.0,  -1.95, -0.42,  2.20,  0.0,  -9.0,  0.0,  -4.5,  -4.5}},
    {"front_rail_y_mm",     1.0, {0.0,   -0.95, 0.0,   0.0,   2.6,  -0.95,  0.0,   0.0,  0.0,   0.0,   0.0}},
    {"let_off_button_y_mm", 0.2, {0.0,   -0.04, -6.7,  6.7,   0.24, -1.53,  0.0,   0.0,  3.5,   1.75, -1.75}},
    {"drop_screw_y_mm",     0.2, {0.0,    0.0,  0.0,  -5.74,  0.0,   0.0,   0.0,   0.0, -4.0,  -2.0,   2.0}},
    {"backcheck_x_mm",      1.0, {0.0,    0.0,  0.0,   0.0,   2.9,   0.0,   0.0,   0.0,  0.0,   0.0,   0.0}},
    {"capstan_x_mm",        2.0, {0.106,  0.0,  0.0,  -0.20,  0.0,   0.19,  0.0,   1.6,  1.1,   1.35,  0.25}},
    {"damper_gap_mm",       1.0, {0.0,    0.0,  0.0,   0.0,   0.0,   0.0,   1.25,  0.0,  0.0,   0.0,   0.0}},
    {"key_lead_g",         60.0, {-0.023, 0.0,  0.0,   0.0,   0.0,   0.0,   0.0,  -0.67, -0.67, -0.67,  0.0}},
    {"key_pin_friction_g", 20.0, {0.0,    0.0,  0.0,   0.0,   0.0,   0.0,   0.0,   1.0, -1.0,   0.0,   1.0}},
};
// clang-format on

/// Which line of kScrews turns each of some figures, in their order; where two want the same screw, a sentence.
core::Result<std::vector<std::size_t>> screws_for(std::span<const std::size_t> figures);

struct MeasureWhat {
    bool weights = false;
    std::vector<double> accelerations_mps2{};  // of the stroke, one a key; about mf without
    std::vector<Touchweight> expected{};       // one a key, so that weighing is quick
};
inline constexpr double kAboutMf_mps2 = 9.0;

/// At most core::kLanes keys side by side.
std::vector<Measured> measure_keys(std::span<const KeyBuild> builds, const MeasureWhat& what = {});

/// What an action must do to be one, by what was seen; the first that it does not, in words, or nothing.
std::string_view fault_of(const Measured& measured);

}  // namespace letoff::keyboard
