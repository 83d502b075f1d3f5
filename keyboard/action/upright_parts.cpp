#include "keyboard/action/upright_parts.h"

namespace letoff::keyboard {

UprightParts::UprightParts(const GrandValues& values, int register_index)
    : values_(values), factory_(grand_values(register_index)), reference_(grand_defaults()) {
    for (std::size_t i = 0; i < kUprightNumberCount; ++i) u_[i] = kUprightNumbers[i].value;
    const auto by = [&](std::size_t number, std::size_t row) { u_[number] += moved(row); };
    by(upright_number("key_com_x_mm"), grand_row("key_com_x_mm"));
    by(upright_number("capstan_y_mm"), grand_row("capstan_y_mm"));
    by(upright_number("front_rail_y_mm"), grand_row("front_rail_y_mm"));
    by(upright_number("heel_y_mm"), grand_row("heel_y_mm"));
    by(upright_number("button_y_mm"), grand_row("let_off_button_y_mm"));
    by(upright_number("check_x_mm"), grand_row("backcheck_x_mm"));
    by(upright_number("jack_spring_Nm_per_rad"), grand_row("jack_spring_Nm_per_rad"));
    by(upright_number("hammer_dry_friction_Nm"), grand_row("hammer_dry_friction_Nm"));
    by(upright_number("crown_x_mm"), grand_row("crown_y_mm"));
    by(upright_number("string_x_mm"), grand_row("string_y_mm"));
    by(upright_number("spoon_gap_mm"), grand_row("damper_gap_mm"));
    by(upright_number("rest_rail_x_mm"), grand_row("rest_cushion_y_mm"));
    u_[upright_number("damper_mass_kg")] *= ratio(grand_row("damper_mass_kg"));
    u_[upright_number("damper_inertia_kgm2")] *= ratio(grand_row("damper_mass_kg"));
    set_hammer();
}

/// The grand's hammer of this key is so much lighter than at A4, and sits elsewhere; along its shank is up here,
/// towards the strings is x.
void UprightParts::set_hammer() {
    constexpr std::size_t kMass = grand_row("hammer_mass_kg"), kX = grand_row("hammer_com_x_mm"),
                          kY = grand_row("hammer_com_y_mm"), kInertia = grand_row("hammer_inertia_kgm2");
    double& kg = u_[upright_number("hammer_mass_kg")];
    double& across_mm = u_[upright_number("hammer_com_x_mm")];
    double& along_mm = u_[upright_number("hammer_com_y_mm")];
    const double more_kg = values_[kMass] - reference_[kMass];
    const auto moment = [&](std::size_t row) {
        return values_[kMass] * values_[row] - reference_[kMass] * reference_[row];
    };
    along_mm = (kg * along_mm + moment(kX)) / (kg + more_kg);
    across_mm = (kg * across_mm + moment(kY)) / (kg + more_kg);
    kg += more_kg;
    u_[upright_number("hammer_inertia_kgm2")] += values_[kInertia] - reference_[kInertia];
}

}  // namespace letoff::keyboard
