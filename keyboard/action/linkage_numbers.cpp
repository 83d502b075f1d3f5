#include "keyboard/action/linkage_numbers.h"

#include "core/simd/scalar_math.h"
#include "core/unit/constants.h"

namespace letoff::keyboard {

WippenLinkage wippen_linkage(const GrandValues& v) {
    const auto mm = [&](std::size_t row) { return 1e-3 * v[row]; };
    const auto raw = [&](std::size_t row) { return v[row]; };
    WippenLinkage w;
    const double pivot = mm(grand_row("wippen_pivot_x_mm")), capstan = mm(grand_row("capstan_x_mm"));
    w.capstan_arm_m = pivot - capstan;
    w.wippen_per_key = capstan / w.capstan_arm_m;
    // Half-way between the drawn rest and the strings the knuckle stands over this.
    const core::SinCos half_way = core::small_sincos(0.5 * raw(grand_row("hammer_drawn_angle_rad")));
    w.knuckle_arm_m = pivot - (mm(grand_row("hammer_pivot_x_mm")) + half_way.cos * mm(grand_row("knuckle_x_mm")) -
                               half_way.sin * mm(grand_row("knuckle_y_mm")));
    w.lever_pivot_m = pivot - mm(grand_row("lever_pivot_x_mm"));
    w.jack_pivot_m = pivot - mm(grand_row("jack_pivot_x_mm"));
    w.lever_kg = raw(grand_row("lever_mass_kg"));
    w.lever_kgm2 = raw(grand_row("lever_inertia_kgm2"));
    w.lever_com_m = -mm(grand_row("lever_com_x_mm"));
    w.jack_kgm2 = raw(grand_row("jack_inertia_kgm2"));
    const double jack_kg = raw(grand_row("jack_mass_kg"));
    w.wippen_kgm2 = raw(grand_row("wippen_inertia_kgm2")) + jack_kg * w.jack_pivot_m * w.jack_pivot_m;
    w.weight_Nm = core::kGravity_mps2 * (raw(grand_row("wippen_mass_kg")) * -mm(grand_row("wippen_com_x_mm")) +
                                         jack_kg * (w.jack_pivot_m - mm(grand_row("jack_com_x_mm"))) +
                                         w.lever_kg * (w.lever_pivot_m + w.lever_com_m));
    return w;
}

}  // namespace letoff::keyboard
