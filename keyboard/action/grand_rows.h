// The numbers of the grand action, each a row: id, unit, default, limits, who may change it, what it is.
// Defaults are a planar grand regulated by simulation at A4: masses, arms and the felts of heel, button and stops after
// Thorin et al. 2017 (table 3, appendix A) and Gillespie's thesis (table 3.4); knuckle and punching felts are stiffer
// than Thorin's and felt dampings are chosen, so that the regulated figures hold (keyboard/action/REGULATION.md).
// Friction: hammer centre 1.01 N mm (Hirschkorn 2004, table A.9), the rest for a friction of 12 g. Points are where the
// drawing shows the bodies at rest: x from the balance rail to the back, y up; hammer points in the hammer's frame.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/param/row.h"

namespace letoff::keyboard {

// clang-format off
inline constexpr core::Row kGrandRows[] = {
    {"key_mass_kg", "kg", 0.12, 0.036, 0.36, core::Live::kTechnician, "Mass of the key."},
    {"key_inertia_kgm2", "kg m2", 0.0022, 0.00066, 0.0066, core::Live::kTechnician, "Moment of inertia of the key about its pivot."},
    {"key_com_x_mm", "mm", -41.25, -101.25, 18.75, core::Live::kTechnician, "Centre of mass of the key, from its pivot to the back."},
    {"key_com_y_mm", "mm", 0.0, -30.0, 30.0, core::Live::kTechnician, "Centre of mass of the key, from its pivot upwards."},
    {"key_dry_friction_Nm", "N m", 0.000662, 0.0, 0.05, core::Live::kTechnician, "Dry friction torque in the pivot of the key."},
    {"key_viscous_Nms", "N m s", 0.001, 0.0, 0.01, core::Live::kTechnician, "Viscous friction in the pivot of the key."},
    {"wippen_mass_kg", "kg", 0.018, 0.0054, 0.054, core::Live::kTechnician, "Mass of the wippen."},
    {"wippen_inertia_kgm2", "kg m2", 5e-05, 1.5e-05, 0.00015, core::Live::kTechnician, "Moment of inertia of the wippen about its pivot."},
    {"wippen_com_x_mm", "mm", -50.0, -110.0, 10.0, core::Live::kTechnician, "Centre of mass of the wippen, from its pivot to the back."},
    {"wippen_com_y_mm", "mm", 10.0, -20.0, 40.0, core::Live::kTechnician, "Centre of mass of the wippen, from its pivot upwards."},
    {"wippen_dry_friction_Nm", "N m", 0.0003, 0.0, 0.01, core::Live::kTechnician, "Dry friction torque in the pivot of the wippen."},
    {"wippen_viscous_Nms", "N m s", 1e-05, 0.0, 0.01, core::Live::kTechnician, "Viscous friction in the pivot of the wippen."},
    {"jack_mass_kg", "kg", 0.0055, 0.00165, 0.0165, core::Live::kTechnician, "Mass of the jack."},
    {"jack_inertia_kgm2", "kg m2", 3e-06, 9e-07, 9e-06, core::Live::kTechnician, "Moment of inertia of the jack about its pivot."},
    {"jack_com_x_mm", "mm", -3.0, -63.0, 57.0, core::Live::kTechnician, "Centre of mass of the jack, from its pivot to the back."},
    {"jack_com_y_mm", "mm", 15.0, -15.0, 45.0, core::Live::kTechnician, "Centre of mass of the jack, from its pivot upwards."},
    {"jack_dry_friction_Nm", "N m", 0.0001, 0.0, 0.01, core::Live::kTechnician, "Dry friction torque in the pivot of the jack."},
    {"jack_viscous_Nms", "N m s", 1e-06, 0.0, 0.01, core::Live::kTechnician, "Viscous friction in the pivot of the jack."},
    {"lever_mass_kg", "kg", 0.0055, 0.00165, 0.0165, core::Live::kTechnician, "Mass of the repetition lever."},
    {"lever_inertia_kgm2", "kg m2", 3.5e-06, 1.05e-06, 1.05e-05, core::Live::kTechnician, "Moment of inertia of the repetition lever about its pivot."},
    {"lever_com_x_mm", "mm", -12.0, -72.0, 48.0, core::Live::kTechnician, "Centre of mass of the repetition lever, from its pivot to the back."},
    {"lever_com_y_mm", "mm", 5.0, -25.0, 35.0, core::Live::kTechnician, "Centre of mass of the repetition lever, from its pivot upwards."},
    {"lever_dry_friction_Nm", "N m", 0.00144, 0.0, 0.01, core::Live::kTechnician, "Dry friction torque in the pivot of the repetition lever."},
    {"lever_viscous_Nms", "N m s", 1e-06, 0.0, 0.01, core::Live::kTechnician, "Viscous friction in the pivot of the repetition lever."},
    {"hammer_mass_kg", "kg", 0.0102, 0.00306, 0.0306, core::Live::kTechnician, "Mass of the hammer with its shank."},
    {"hammer_inertia_kgm2", "kg m2", 0.000139, 4.17e-05, 0.000417, core::Live::kTechnician, "Moment of inertia of the hammer with its shank about its pivot."},
    {"hammer_com_x_mm", "mm", 110.0, 50.0, 170.0, core::Live::kTechnician, "Centre of mass of the hammer with its shank, from its pivot to the back."},
    {"hammer_com_y_mm", "mm", 4.0, -26.0, 34.0, core::Live::kTechnician, "Centre of mass of the hammer with its shank, from its pivot upwards."},
    {"hammer_dry_friction_Nm", "N m", 0.00101, 0.0, 0.01, core::Live::kTechnician, "Dry friction torque in the pivot of the hammer with its shank."},
    {"hammer_viscous_Nms", "N m s", 1e-06, 0.0, 0.01, core::Live::kTechnician, "Viscous friction in the pivot of the hammer with its shank."},
    {"shank_stiffness_Nm_per_rad", "N m/rad", 0.0, 0.0, 60.0, core::Live::kNobody, "Bending stiffness of the hammer shank at its hinge, 7.3 for a first mode of 50 Hz at A4; 0: a rigid shank. The whole keyboard has one or the other."},
    {"shank_hinge_mm", "mm", 34.0, 20.0, 100.0, core::Live::kTechnician, "Where a flexible shank bends, from the hammer centre: 0.15 of the way from knuckle to head (pseudo-rigid body of a cantilever)."},
    {"shank_damping_Nms", "N m s", 0.001, 0.0, 0.05, core::Live::kTechnician, "Damping of a flexible shank at its hinge: 0.001 is a loss of 2 % of critical at 50 Hz, our choice for maple."},
    {"wippen_pivot_x_mm", "mm", 177.0, 167.0, 187.0, core::Live::kTechnician, "Wippen centre, from the balance rail to the back."},
    {"wippen_pivot_y_mm", "mm", 60.0, 50.0, 70.0, core::Live::kTechnician, "Wippen centre, height above the balance rail."},
    {"jack_pivot_x_mm", "mm", 80.0, 70.0, 90.0, core::Live::kTechnician, "Jack centre, at the drawn rest."},
    {"jack_pivot_y_mm", "mm", 60.0, 50.0, 70.0, core::Live::kTechnician, "Jack centre, at the drawn rest."},
    {"lever_pivot_x_mm", "mm", 110.0, 100.0, 120.0, core::Live::kTechnician, "Repetition lever centre, at the drawn rest."},
    {"lever_pivot_y_mm", "mm", 95.0, 85.0, 105.0, core::Live::kTechnician, "Repetition lever centre, at the drawn rest."},
    {"hammer_pivot_x_mm", "mm", 63.0, 53.0, 73.0, core::Live::kTechnician, "Hammer centre, from the balance rail to the back."},
    {"hammer_pivot_y_mm", "mm", 124.0, 114.0, 134.0, core::Live::kTechnician, "Hammer centre, height above the balance rail."},
    {"hammer_drawn_angle_rad", "rad", -0.34, -0.5, -0.2, core::Live::kNobody, "Hammer angle in the drawing, the shank level when the head is at the string."},
    {"knuckle_x_mm", "mm", 17.0, 14.0, 20.0, core::Live::kTechnician, "Knuckle centre in the hammer frame, along the shank (15.5-17 mm: Stanwood)."},
    {"knuckle_y_mm", "mm", -7.0, -10.0, -4.0, core::Live::kTechnician, "Knuckle centre in the hammer frame, across the shank."},
    {"knuckle_radius_mm", "mm", 5.0, 3.0, 7.0, core::Live::kTechnician, "Radius of the knuckle."},
    {"capstan_x_mm", "mm", 101.686438, 91.686438, 111.686438, core::Live::kTechnician, "Capstan, from the balance rail to the back."},
    {"capstan_y_mm", "mm", 30.972, 28.972, 32.972, core::Live::kTechnician, "Capstan height: raises the hammer line (blow)."},
    {"capstan_radius_mm", "mm", 6.0, 3.0, 9.0, core::Live::kTechnician, "Radius of the capstan head."},
    {"heel_y_mm", "mm", 37.05, 35.05, 39.05, core::Live::kTechnician, "Height of the wippen heel cloth at the drawn rest."},
    {"jack_top_mm", "mm", -0.0628568867, -1.0, 1.0, core::Live::kTechnician, "Jack top above the lowest point of the knuckle at the drawn rest."},
    {"jack_overlap_mm", "mm", 1.4, 0.2, 3.0, core::Live::kTechnician, "How far the back face of the jack stands behind the knuckle centre: the jack button."},
    {"jack_corner_radius_mm", "mm", 1.18038053, 0.2, 3.0, core::Live::kTechnician, "Radius of the corner between the jack top and its back face."},
    {"jack_top_length_mm", "mm", 7.0, 4.0, 10.0, core::Live::kNobody, "Width of the jack top."},
    {"jack_face_length_mm", "mm", 15.0, 8.0, 25.0, core::Live::kNobody, "Length of the back face of the jack."},
    {"lever_height_mm", "mm", 0.08, -1.0, 1.0, core::Live::kTechnician, "Repetition lever above the lowest point of the knuckle at the drawn rest: the lever height screw."},
    {"let_off_button_x_mm", "mm", 57.0, 52.0, 62.0, core::Live::kTechnician, "Let-off button, from the balance rail to the back."},
    {"let_off_button_y_mm", "mm", 71.427, 68.427, 74.427, core::Live::kTechnician, "Let-off button height: 0.1 mm lower gives 0.67 mm more let-off."},
    {"let_off_button_radius_mm", "mm", 4.0, 2.0, 6.0, core::Live::kTechnician, "Radius of the let-off button."},
    {"jack_tender_y_mm", "mm", 62.0, 59.0, 65.0, core::Live::kTechnician, "Height of the jack tender at the drawn rest."},
    {"tail_x_mm", "mm", 123.65, 117.65, 129.65, core::Live::kTechnician, "Hammer tail, centre of its curve in the hammer frame."},
    {"tail_y_mm", "mm", -9.3, -15.3, -3.3, core::Live::kTechnician, "Hammer tail, centre of its curve in the hammer frame."},
    {"tail_radius_mm", "mm", 10.8, 5.0, 80.0, core::Live::kTechnician, "Radius of the hammer tail."},
    {"backcheck_x_mm", "mm", 223.87, 218.87, 228.87, core::Live::kTechnician, "Backcheck, centre of its curve, from the balance rail to the back: 1 mm back gives 2.6-3.2 mm more check distance."},
    {"backcheck_y_mm", "mm", 71.878, 66.878, 76.878, core::Live::kTechnician, "Backcheck, centre of its curve, above the balance rail."},
    {"backcheck_radius_mm", "mm", 30.0, 10.0, 80.0, core::Live::kTechnician, "Radius of the backcheck."},
    {"front_rail_y_mm", "mm", -12.7461178, -16.7461178, -8.7461178, core::Live::kTechnician, "Front rail punching under the key at the finger point: sets the dip."},
    {"back_rail_y_mm", "mm", -3.0, -5.0, -1.0, core::Live::kTechnician, "Back rail cloth under the key tail."},
    {"string_y_mm", "mm", 166.994603, 162.994603, 170.994603, core::Live::kTechnician, "Height of the strings above the balance rail."},
    {"crown_x_mm", "mm", 130.0, 120.0, 140.0, core::Live::kTechnician, "Centre of the hammer crown in the hammer frame, along the shank."},
    {"crown_y_mm", "mm", 43.0, 35.0, 50.0, core::Live::kTechnician, "Centre of the hammer crown in the hammer frame, across the shank."},
    {"crown_radius_mm", "mm", 5.0, 3.0, 20.0, core::Live::kTechnician, "Radius of the hammer crown."},
    {"rest_cushion_x_mm", "mm", 154.608, 144.608, 164.608, core::Live::kTechnician, "Hammer rest cushion, centre of its curve."},
    {"rest_cushion_y_mm", "mm", 81.1093, 73.1093, 89.1093, core::Live::kTechnician, "Hammer rest cushion, centre of its curve."},
    {"drop_screw_x_mm", "mm", 66.0, 62.0, 70.0, core::Live::kTechnician, "Drop screw, from the balance rail to the back."},
    {"drop_screw_y_mm", "mm", 7.492, 5.0, 10.0, core::Live::kTechnician, "Drop screw centre above the lowest point of the knuckle at the drawn rest: 0.1 mm up gives 0.57 mm less drop."},
    {"jack_stop_x_mm", "mm", 84.2, 81.2, 87.2, core::Live::kTechnician, "Jack rest stop on the wippen."},
    {"jack_stop_y_mm", "mm", 90.0, 85.0, 95.0, core::Live::kTechnician, "Jack rest stop on the wippen."},
    {"jack_window_mm", "mm", 7.5, 3.0, 40.0, core::Live::kTechnician, "How far the jack's top tips out before it meets the felt at the end of the repetition lever's window."},
    {"lever_stop_y_mm", "mm", 88.0, 85.0, 91.0, core::Live::kTechnician, "Lever rest stop on the wippen."},
    {"jack_spring_Nm_per_rad", "N m/rad", 0.01903, 0.002, 0.3, core::Live::kTechnician, "Stiffness of the jack spring."},
    {"jack_spring_rest_rad", "rad", -0.218809341, -3.0, 0.5, core::Live::kTechnician, "Angle of the jack at which its spring is slack."},
    {"repetition_spring_Nm_per_rad", "N m/rad", 0.015, 0.002, 0.3, core::Live::kTechnician, "Stiffness of the repetition spring."},
    {"repetition_spring_rest_rad", "rad", -1.897, -4.0, 0.5, core::Live::kTechnician, "Angle of the repetition lever at which its spring is slack."},
    {"heel_felt_k", "N/m^r", 40000000000.0, 2000000000.0, 800000000000.0, core::Live::kTechnician, "Felt stiffness k of the wippen heel on the capstan."},
    {"heel_felt_r", "", 2.7, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the wippen heel on the capstan."},
    {"heel_felt_b", "N s/m3", 300000000.0, 0.0, 6000000000.0, core::Live::kTechnician, "Felt damping b of the wippen heel on the capstan."},
    {"knuckle_felt_k", "N/m^r", 49845305000.0, 2492265250.0, 996906100000.0, core::Live::kTechnician, "Felt stiffness k of the knuckle, on jack and lever."},
    {"knuckle_felt_r", "", 3.0, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the knuckle, on jack and lever."},
    {"knuckle_felt_b", "N s/m3", 2366893820.0, 0.0, 47337876400.0, core::Live::kTechnician, "Felt damping b of the knuckle, on jack and lever."},
    {"jack_knuckle_mu", "", 0.095, 0.0, 1.2, core::Live::kTechnician, "Coulomb friction of the knuckle on the jack."},
    {"lever_knuckle_mu", "", 0.13, 0.0, 1.2, core::Live::kTechnician, "Coulomb friction of the knuckle on the repetition lever."},
    {"let_off_button_felt_k", "N/m^r", 16000000000.0, 800000000.0, 320000000000.0, core::Live::kTechnician, "Felt stiffness k of the let-off button."},
    {"let_off_button_felt_r", "", 2.7, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the let-off button."},
    {"let_off_button_felt_b", "N s/m3", 300000000.0, 0.0, 6000000000.0, core::Live::kTechnician, "Felt damping b of the let-off button."},
    {"let_off_button_mu", "", 0.0966878146, 0.0, 1.2, core::Live::kTechnician, "Coulomb friction of the let-off button."},
    {"backcheck_felt_k", "N/m^r", 7500000000.0, 375000000.0, 150000000000.0, core::Live::kTechnician, "Felt stiffness k of the tail on the backcheck."},
    {"backcheck_felt_r", "", 2.6, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the tail on the backcheck."},
    {"backcheck_felt_b", "N s/m3", 450000000.0, 0.0, 9000000000.0, core::Live::kTechnician, "Felt damping b of the tail on the backcheck."},
    {"backcheck_mu", "", 0.6, 0.0, 1.2, core::Live::kTechnician, "Coulomb friction of the tail on the backcheck."},
    {"front_rail_felt_k", "N/m^r", 15404682700.0, 770234135.0, 308093654000.0, core::Live::kTechnician, "Felt stiffness k of the front rail punching."},
    {"front_rail_felt_r", "", 2.5, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the front rail punching."},
    {"front_rail_felt_b", "N s/m3", 1000000000.0, 0.0, 20000000000.0, core::Live::kTechnician, "Felt damping b of the front rail punching."},
    {"back_rail_felt_k", "N/m^r", 1000000000.0, 50000000.0, 20000000000.0, core::Live::kTechnician, "Felt stiffness k of the back rail cloth."},
    {"back_rail_felt_r", "", 2.5, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the back rail cloth."},
    {"back_rail_felt_b", "N s/m3", 2000000000.0, 0.0, 40000000000.0, core::Live::kTechnician, "Felt damping b of the back rail cloth."},
    {"rest_cushion_felt_k", "N/m^r", 500000000.0, 25000000.0, 10000000000.0, core::Live::kTechnician, "Felt stiffness k of the hammer rest cushion."},
    {"rest_cushion_felt_r", "", 2.5, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the hammer rest cushion."},
    {"rest_cushion_felt_b", "N s/m3", 200000000.0, 0.0, 4000000000.0, core::Live::kTechnician, "Felt damping b of the hammer rest cushion."},
    {"rest_cushion_mu", "", 0.3, 0.0, 1.2, core::Live::kTechnician, "Coulomb friction of the hammer rest cushion."},
    {"drop_screw_felt_k", "N/m^r", 16000000000.0, 800000000.0, 320000000000.0, core::Live::kTechnician, "Felt stiffness k of the lever on the drop screw."},
    {"drop_screw_felt_r", "", 2.7, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the lever on the drop screw."},
    {"drop_screw_felt_b", "N s/m3", 360000000.0, 0.0, 7200000000.0, core::Live::kTechnician, "Felt damping b of the lever on the drop screw."},
    {"drop_screw_mu", "", 0.1, 0.0, 1.2, core::Live::kTechnician, "Coulomb friction of the lever on the drop screw."},
    {"jack_stop_felt_k", "N/m^r", 16000000000.0, 800000000.0, 320000000000.0, core::Live::kTechnician, "Felt stiffness k of the jack rest stop and the window's end."},
    {"jack_stop_felt_r", "", 2.7, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the jack rest stop and the window's end."},
    {"jack_stop_felt_b", "N s/m3", 200000000.0, 0.0, 4000000000.0, core::Live::kTechnician, "Felt damping b of the jack rest stop and the window's end."},
    {"lever_stop_felt_k", "N/m^r", 200000000000.0, 10000000000.0, 4000000000000.0, core::Live::kTechnician, "Felt stiffness k of the lever rest stop."},
    {"lever_stop_felt_r", "", 2.7, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the lever rest stop."},
    {"lever_stop_felt_b", "N s/m3", 1000000000.0, 0.0, 20000000000.0, core::Live::kTechnician, "Felt damping b of the lever rest stop."},
    {"damper_mass_kg", "kg", 0.035, 0.01, 0.08, core::Live::kTechnician, "Mass of the damper as the key tail lifts it; bass 45 g to treble 30 g, our choice."},
    {"damper_dry_friction_N", "N", 0.01, 0.0, 0.5, core::Live::kTechnician, "Dry friction of the damper in its guide."},
    {"damper_viscous_Ns_per_m", "N s/m", 0.1, 0.0, 5.0, core::Live::kTechnician, "Viscous friction of the damper in its guide."},
    {"damper_x_mm", "mm", 180.0, 150.0, 200.0, core::Live::kTechnician, "Where the key tail meets the damper lever."},
    {"damper_gap_mm", "mm", 3.6, 0.5, 7.0, core::Live::kTechnician, "Travel of the key tail before it lifts the damper: sets the dip of pick-up."},
    {"damper_stop_mm", "mm", 5.2, 3.0, 10.0, core::Live::kTechnician, "Lift at which the damper meets its stop rail."},
    {"damper_lever_felt_k", "N/m^r", 2000000000.0, 100000000.0, 40000000000.0, core::Live::kTechnician, "Felt stiffness k of the key tail on the damper lever, of the tray and of the stop rail."},
    {"damper_lever_felt_r", "", 2.5, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the key tail on the damper lever, of the tray and of the stop rail."},
    {"damper_lever_felt_b", "N s/m3", 200000000.0, 0.0, 4000000000.0, core::Live::kTechnician, "Felt damping b of the key tail on the damper lever, of the tray and of the stop rail."},
    {"damper_string_felt_k", "N/m^r", 500000000.0, 25000000.0, 10000000000.0, core::Live::kTechnician, "Felt stiffness k of the damper on its strings."},
    {"damper_string_felt_r", "", 2.5, 1.5, 4.0, core::Live::kTechnician, "Felt exponent r of the damper on its strings."},
    {"damper_string_felt_b", "N s/m3", 200000000.0, 0.0, 4000000000.0, core::Live::kTechnician, "Felt damping b of the damper on its strings."},
    {"tray_gap_mm", "mm", 1.0, 0.0, 4.0, core::Live::kTechnician, "Travel of the pedal tray before it lifts the damper, our choice: a tenth of the pedal travel is free."},
    {"tray_travel_mm", "mm", 5.6, 2.0, 8.0, core::Live::kTechnician, "Travel of the pedal tray with the pedal fully down: lifts the damper 4.6 mm, as a held key does."},
    {"key_lever_mm", "mm", 225.0, 150.0, 300.0, core::Live::kTechnician, "Front lever of the key: from its own balance pin to 13 mm behind its front edge, where dip is told and weights are laid."},
    {"touch_point_mm", "mm", 0.0, 0.0, 120.0, core::Live::kTechnician, "How far from there towards the fallboard the finger plays the key."},
};
// clang-format on
static_assert(core::table_is_sound(kGrandRows));

inline constexpr std::size_t kGrandRowCount = std::size(kGrandRows);

/// One value for each row, in the rows' units.
using GrandValues = std::array<double, kGrandRowCount>;

consteval std::size_t grand_row(std::string_view id) {
    return core::index_of_row(kGrandRows, id);
}

constexpr GrandValues grand_defaults() {
    return core::defaults_of(kGrandRows);
}

}  // namespace letoff::keyboard
