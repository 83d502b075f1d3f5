#include "keyboard/action/registers.h"

#include <algorithm>
#include <array>

#include "core/unit/constants.h"
#include "core/unit/piecewise.h"

namespace letoff::keyboard {
namespace {

constexpr int kReferenceKey = 49;  // A4, where the base values are regulated

using core::Knot;

// Hammer head mass in g: Conklin 1996, figure 7.
constexpr std::array<Knot, 10> kHead_g{
    {{1, 11.0}, {12, 11.0}, {20, 10.4}, {30, 9.5}, {40, 8.5}, {50, 7.4}, {60, 6.3}, {70, 5.3}, {80, 4.3}, {88, 3.6}}};
constexpr std::array<Knot, 2> kDamper_g{{{1, 45.0}, {kDampedKeys, 30.0}}};

constexpr double kLead_mm = 150;  // a lead in front of the balance rail

/// What a technician turns or adds on a key, against A4, for its lighter or heavier hammer.
struct Turn {
    double key;
    double capstan_mm, let_off_button_mm, drop_screw_mm;  // upwards
    double lead_g;                                        // at kLead_mm
    double key_friction_g;                                // balance and front pin, as felt at the finger
    double backcheck_mm;                                  // towards the tail
};
// Found by turning until `letoff measure` gave blow 45.5 mm, let-off 1.8 mm, drop 1.75 mm, DW 50 - 48.5 - 46 g and
// friction 16 - 11.75 - 10 g (keys 1, 49, 88, straight between) on each of these keys.
constexpr std::array<Turn, 10> kTurns{{
    {1, 0.094, 0.098, 0.056, 33.6, 0.50, 0.0},
    {12, 0.097, 0.098, 0.055, 32.4, -0.34, 0.0},
    {20, 0.086, 0.084, 0.043, 26.8, -0.59, 0.0},
    {30, 0.066, 0.062, 0.029, 18.3, -0.66, 0.0},
    {40, 0.037, 0.034, 0.012, 9.1, -0.72, 0.0},
    {49, 0.000, 0.000, 0.000, 0.0, 0.00, 0.0},
    {58, -0.035, -0.036, -0.011, -8.2, 0.58, 0.0},
    {67, -0.045, -0.077, -0.035, -15.2, 0.90, 0.0},
    {78, -0.062, -0.133, -0.065, -24.1, 1.69, -0.3},
    {88, -0.081, -0.183, -0.096, -31.7, 2.25, -0.6},
}};

double turn_between(double Turn::* screw, double key) {
    std::array<Knot, kTurns.size()> knots{};
    for (std::size_t i = 0; i < kTurns.size(); ++i) knots[i] = {kTurns[i].key, kTurns[i].*screw};
    return core::piecewise_linear(knots, key);
}

}  // namespace

GrandValues grand_values(int key_index, const GrandValues& base) {
    GrandValues v = base;
    const double key = key_index + 1;
    part::add_to_head(v, core::piecewise_linear(kHead_g, key) - core::piecewise_linear(kHead_g, kReferenceKey));
    part::add_lead(v, turn_between(&Turn::lead_g, key), kLead_mm);
    v[grand_row("capstan_y_mm")] += turn_between(&Turn::capstan_mm, key);
    v[grand_row("let_off_button_y_mm")] += turn_between(&Turn::let_off_button_mm, key);
    v[grand_row("drop_screw_y_mm")] += turn_between(&Turn::drop_screw_mm, key);
    v[grand_row("backcheck_x_mm")] -= turn_between(&Turn::backcheck_mm, key);
    v[grand_row("key_dry_friction_Nm")] +=
        turn_between(&Turn::key_friction_g, key) * core::kNewtonPerGram * part::kFront_m;
    // A ratio of one leaves every bit as it is.
    constexpr std::size_t kDamperMass = grand_row("damper_mass_kg");
    v[kDamperMass] =
        1e-3 * core::piecewise_linear(kDamper_g, key) * (base[kDamperMass] / kGrandRows[kDamperMass].default_value);
    for (std::size_t i = 0; i < kGrandRowCount; ++i) v[i] = core::clamp_to(kGrandRows[i], v[i]);
    return v;
}

GrandValues grand_values(int key_index, const GrandTouch& touch) {
    return with_parts(grand_values_before_parts(key_index, touch), key_index, touch.parts);
}

GrandValues grand_values_before_parts(int key_index, const GrandTouch& touch) {
    GrandValues v = grand_values(key_index, touch.base);
    for (const GrandTouch::OfKey& own : touch.keys) {
        if (own.key_index != key_index) continue;
        v[own.row] = core::clamp_to(kGrandRows[own.row], own.relative ? v[own.row] + own.value : own.value);
    }
    return v;
}

}  // namespace letoff::keyboard
