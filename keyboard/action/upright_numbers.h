// The numbers of the upright as it is regulated at A4, and why each is what it is. Masoudi & McPhee give the structure
// (bodies, butt spring, bridle strap, wire, contacts) and no number of it; none of our references has masses, inertias
// or lengths of an upright (reference/physics_data.md, section 6). So: "G" is the grand's row of that name, for a part
// that is alike; "R" an upright's regulation (reference/regulation.csv: N. Hunt, MMD, Schimmel); "D" is read off the
// drawing, which was laid out so that R holds with a key of the grand's lengths; "C" is chosen, with the reason.
//
// Points in mm: x from the balance rail to the back, y above it, as drawn at rest; hammer points in the hammer's frame,
// whose origin is the butt's centre pin, y along the shank and x towards the strings. Angles: positive is a turn
// towards the player for what stands up.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace letoff::keyboard {

struct UprightNumber {
    std::string_view id;
    double value;
    std::string_view why;
};

// clang-format off
inline constexpr UprightNumber kUprightNumbers[] = {
    {"key_com_x_mm", -38, "C: leaded until the down weight is 50 to 55 g"},
    {"capstan_x_mm", 129, "D: 0.57 of the front lever; with wippen and butt 5 of hammer for 1 of key"},
    {"capstan_y_mm", 30.15, "D"},
    {"front_rail_y_mm", -12.95, "R: dip 10 mm"},

    {"wippen_pivot_x_mm", 180, "D: on the main rail, 20 mm before the strings"},
    {"wippen_pivot_y_mm", 60, "D"},
    {"heel_y_mm", 36.05, "D: on the capstan, 6 mm round"},
    {"wippen_mass_kg", 0.022, "C: the grand's and 4 g for backcheck socket, spoon and bridle wire"},
    {"wippen_inertia_kgm2", 4.5e-5, "C: that mass along 100 mm before and 15 mm behind the pin, thicker at the pin"},
    {"wippen_com_x_mm", -35, "C"},
    {"wippen_com_y_mm", 2, "C"},

    {"jack_x_mm", 132, "D: 48 mm before the wippen's pin"},
    {"jack_y_mm", 62, "D"},
    {"jack_top_y_mm", 125.8, "D: an upright's jack is long, 62 mm"},
    {"jack_back_x_mm", 137, "D: its back face, 3 mm behind where the butt bears"},
    {"jack_width_mm", 8, "D"},
    {"jack_corner_mm", 0.8, "G"},
    {"jack_face_mm", 25, "D: of the back face, down from the top"},
    {"jack_mass_kg", 0.007, "C: the grand's, and as much longer"},
    {"jack_inertia_kgm2", 8e-6, "C: 5 g in a bar of 62 mm, 2 g in a toe of 25 mm"},
    {"jack_com_x_mm", -3, "C"},
    {"jack_com_y_mm", 24, "C"},
    {"jack_spring_Nm_per_rad", 0.019, "G"},
    {"jack_spring_rest_rad", -0.25, "C: 5 N mm under the butt, as the grand's"},
    {"toe_y_mm", 68, "D: top of the toe"},
    {"button_x_mm", 116, "D: toe 24 mm before the jack's pin"},
    {"button_y_mm", 75.25, "R: let-off 3 - 2 mm"},
    {"button_radius_mm", 4, "G"},
    {"jack_stop_rail_mm", 9, "C: the jack's way forward to its rail: the butt is clear by more than its 3 mm"},
    {"jack_wippen_stop_rad", 0.20, "C: how far it can fall back from the drawing when no butt is there"},

    {"butt_x_mm", 147.1, "D"},
    {"butt_y_mm", 137.3, "D"},
    {"hammer_drawn_rad", 0.339, "R: blow 46 mm (Schimmel), 130 mm from the pin"},
    {"bearing_x_mm", -15.5, "D: where the jack bears, from the pin"},
    {"bearing_y_mm", -5, "D"},
    {"bearing_radius_mm", 1.5, "D: the leather over its felt at the notch's front"},
    {"notch_x_mm", -12.3, "D: the notch's back wall"},
    {"notch_y_mm", -8.2, "D"},
    {"notch_radius_mm", 1.5, "D"},
    {"hammer_mass_kg", 0.0115, "C: the grand's head and shank, and 1.3 g for butt and catcher near the pin"},
    {"hammer_inertia_kgm2", 0.000141, "C: the grand's, and that at 40 mm"},
    {"hammer_com_x_mm", 2.0, "C: as the grand's, the butt's parts on the player's side"},
    {"hammer_com_y_mm", 98, "C: as the grand's"},
    {"hammer_dry_friction_Nm", 0.001, "G: 1.01 N mm (Hirschkorn 2004)"},
    {"crown_x_mm", 48, "G: from the shank to the crown's centre, less 5 for the felt"},
    {"crown_y_mm", 130, "G"},
    {"crown_radius_mm", 5, "G"},
    {"string_x_mm", 200.1, "D: the shank stands upright when the crown meets the strings"},
    {"butt_spring_Nm_per_rad", 0.010, "C: brings a hammer back from the strings, where its weight pulls it on: 6 g there"},
    {"butt_spring_rest_rad", 0.80, "C"},
    {"rest_rail_x_mm", 112.25, "R: sets the blow"},
    {"rest_rail_y_mm", 215.15, "D"},
    {"rest_rail_radius_mm", 4, "D"},
    {"soft_rail_mm", 12, "C: the soft pedal's way of the rail; at the crown 130 / 78 of it, 20 of 46 mm of blow: a half-blow rail"},
    {"catcher_x_mm", -48, "D"},
    {"catcher_y_mm", 10, "D"},
    {"catcher_radius_mm", 6, "D"},

    {"wire_x_mm", 78, "D: where the backcheck's wire stands in the wippen"},
    {"wire_y_mm", 66, "D"},
    {"check_x_mm", 63.4, "R: centre of the check's curve; turned until the hammer is caught 15 mm from the strings"},
    {"check_y_mm", 110.2, "D"},
    {"check_radius_mm", 30, "G"},
    {"check_mass_kg", 0.010, "C: block 7 g, wire 3 g"},
    {"check_inertia_kgm2", 2.6e-5, "C: the block at 55 mm, the wire along it"},
    {"check_com_x_mm", -10, "C"},
    {"check_com_y_mm", 42, "C"},
    {"wire_Nm_per_rad", 80, "C: steel, 3.5 mm, clamped, 55 mm free: 3 E I / L = 80 N m/rad at a hinge (one mode, 280 Hz)"},
    {"wire_Nms", 0.0009, "C: 2 % of critical"},

    {"strap_wippen_x_mm", 80, "D: top of the bridle wire"},
    {"strap_wippen_y_mm", 105, "D"},
    {"strap_butt_x_mm", -40, "D: on the catcher's shank"},
    {"strap_butt_y_mm", 4, "D"},
    {"strap_mm", 38.0, "C: 2 mm slack at rest"},
    {"strap_k", 2.0e6, "C: cloth tape, 2 N at 1 mm, stiffening"},
    {"strap_r", 2.0, "C"},
    {"strap_b", 2.0e6, "C: 0.2 N at 1 mm and 0.1 m/s"},

    {"damper_x_mm", 192, "D: pin of the damper lever"},
    {"damper_y_mm", 148, "D"},
    {"damper_arm_mm", 70, "D: pin to head, and to where the pedal's rod takes it"},
    {"spoon_x_mm", 190, "D"},
    {"spoon_y_mm", 98, "D: 38 mm above the wippen's pin, 50 mm below the damper's"},
    {"spoon_radius_mm", 3, "D"},
    {"spoon_gap_mm", 2.05, "R: the spoon takes the damper when the hammer is half way"},
    {"damper_mass_kg", 0.020, "C: head 10 g, lever and wire 10 g"},
    {"damper_inertia_kgm2", 6.0e-5, "C: the head at 70 mm, the lever along 120 mm"},
    {"damper_com_x_mm", 2, "C"},
    {"damper_com_y_mm", 20, "C"},
    {"damper_spring_Nm_per_rad", 0.12, "C"},
    {"damper_spring_rest_rad", -0.50, "C: 0.86 N on the strings; a third of it reaches the finger, some 20 g"},
    {"damper_dry_friction_Nm", 0.0007, "C: a centre as the hammer's, lighter"},
    {"damper_viscous_Nms", 0.0005, "G: 0.1 N s/m at 70 mm"},
};
// clang-format on

inline constexpr std::size_t kUprightNumberCount = std::size(kUprightNumbers);
using UprightValues = std::array<double, kUprightNumberCount>;

consteval std::size_t upright_number(std::string_view id) {
    for (std::size_t i = 0; i < kUprightNumberCount; ++i) {
        if (kUprightNumbers[i].id == id) return i;
    }
    throw "no such number";
}

/// A felt of the upright: its power law (the grand's, where a part is alike), and the cloth it stands for. The fibres'
/// networks are fitted to the power law (core/felt/micromechanical.h): the paper prints its own inside figures only.
struct UprightFelt {
    std::string_view id;
    double k, r;                    // N / m^r
    double thickness_mm, area_mm2;  // chosen: what such a cloth or cushion has
    double v_f0;                    // 0.389: pressed as hammer felt is; 0.086: soft red felt (Masoudi & McPhee)
    double loss;                    // of the work of pressing: 0.20 - 0.35, as felts of actions lose
    double hardest_N;      // fitted and told up to here, what the contact meets at ff; beyond it goes on straight
    std::string_view row;  // of the grand, whose change from its factory value it follows; "": none
};

// clang-format off
inline constexpr UprightFelt kUprightFelts[] = {
    {"heel", 4.0e10, 2.7, 1.6, 100, 0.389, 0.25, 60, "heel_felt_k"},
    {"butt", 5.0e10, 3.0, 3.0, 60, 0.389, 0.25, 60, "knuckle_felt_k"},
    {"notch", 1.6e10, 2.7, 2.0, 40, 0.389, 0.30, 20, "jack_stop_felt_k"},
    {"let_off_button", 1.6e10, 2.7, 2.0, 50, 0.389, 0.30, 20, "let_off_button_felt_k"},
    {"backcheck", 2.0e8, 2.5, 5.0, 150, 0.086, 0.35, 30, "backcheck_felt_k"},
    {"front_rail", 1.5e10, 2.5, 2.0, 300, 0.389, 0.35, 150, "front_rail_felt_k"},
    {"back_rail", 1.0e9, 2.5, 3.0, 200, 0.086, 0.35, 30, "back_rail_felt_k"},
    {"rest_rail", 5.0e8, 2.5, 4.0, 100, 0.086, 0.35, 20, "rest_cushion_felt_k"},
    {"jack_stop", 1.6e10, 2.7, 2.0, 40, 0.389, 0.30, 20, "jack_stop_felt_k"},
    {"spoon", 2.0e9, 2.5, 3.0, 40, 0.389, 0.30, 20, "damper_lever_felt_k"},
    {"damper", 5.0e8, 2.5, 4.0, 200, 0.086, 0.30, 10, "damper_string_felt_k"},
};
// clang-format on

inline constexpr std::size_t kUprightFeltCount = std::size(kUprightFelts);
consteval std::size_t upright_felt(std::string_view id) {
    for (std::size_t i = 0; i < kUprightFeltCount; ++i) {
        if (kUprightFelts[i].id == id) return i;
    }
    throw "no such felt";
}

}  // namespace letoff::keyboard
