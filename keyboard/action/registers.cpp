#include "keyboard/action/registers.h"

#include <algorithm>
#include <array>
#include <cmath>

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

constexpr double kFrontLead_mm = 80;  // leads added in front of the balance rail, near it: the key stays quick
constexpr double kLead_mm = 150;      // what a lighter hammer takes away: A4's own leads there,
constexpr double kOwnLead_g = 24;     // three of 8 g (its front weight is 22 g), then leads as far behind the rail

/// What a technician turns or adds on a key, against A4, for its lighter or heavier hammer.
struct Turn {
    double key;
    double capstan_mm, let_off_button_mm, drop_screw_mm;  // upwards
    double lead_g;                                        // in the key's front; negative: out of it
    double key_friction_g;                                // balance and front pin, as felt at the finger
    double knuckle_share;                                 // of A4's rubbing: heavy hammers' knuckles are powdered
    double backcheck_mm;                                  // towards the tail
    double spring_share;  // repetition spring beyond A4's balance, in moments of the hammer's weight
};
// Found key by key by one procedure, alike on every key (REGULATION.md): settle, measure (keyboard/bench), turn each
// screw by what is missing over what it does (capstan -16.6 mm of blow a mm, button -6.7 mm of let-off, drop screw -5.7
// mm of drop, spring 0.35 m/s of rise a share, lead at 80 mm -0.36 g a gram), until blow is 46.05, let-off and drop 1.9
// mm, balance weight 37 g, friction 14 g at key 1 to 10 g at key 88 (straight between; by the pins, and where 0.3 g in
// them is too much already, by the knuckles) and the hammer rises from its check with 0.2 m/s. The check stands as near
// as the tail clears it on the way up at 9.4 m/s (a heavy hammer bends its felts more, and its key is deeper by then).
constexpr std::array<Turn, 10> kTurns{{
    {1, 0.038, 0.068, 0.027, 55.4, 0.23, 0.80, -0.12, -0.103},
    {12, 0.036, 0.066, 0.026, 55.4, 0.00, 0.80, -0.12, -0.083},
    {20, 0.034, 0.059, 0.023, 45.8, 0.00, 0.83, -0.07, -0.095},
    {30, 0.025, 0.042, 0.016, 32.3, 0.00, 0.88, 0.01, -0.070},
    {40, 0.015, 0.017, 0.007, 17.0, 0.00, 0.96, 0.04, -0.027},
    {49, 0.000, 0.000, 0.000, 0.0, 0.00, 1.00, 0.00, 0.000},
    {58, -0.011, -0.008, -0.004, -8.2, 0.64, 1.00, 0.06, -0.025},
    {67, -0.027, -0.015, -0.007, -16.1, 1.00, 1.00, 0.07, -0.052},
    {78, -0.045, -0.025, -0.013, -25.9, 1.57, 1.00, -0.01, -0.096},
    {88, -0.056, -0.034, -0.019, -33.7, 1.90, 1.00, -0.09, -0.145},
}};

constexpr std::size_t kHammerMass = grand_row("hammer_mass_kg"), kHammerCom = grand_row("hammer_com_x_mm"),
                      kSpring = grand_row("repetition_spring_Nm_per_rad"),
                      kSpringRest = grand_row("repetition_spring_rest_rad"),
                      kJackSpring = grand_row("jack_spring_Nm_per_rad");

/// Moment of the hammer's weight about its centre, shank level.
double hammer_moment_Nm(const GrandValues& v) {
    return v[kHammerMass] * core::kGravity_mps2 * v[kHammerCom] * 1e-3;
}

/// What the repetition spring has to give so that the lever carries the hammer: a newton at the knuckle takes its lever
/// arm of the hammer and the arm to the lever's centre; friction of both centres on top.
double carrying_torque_Nm(const GrandValues& v) {
    const double c = std::cos(v[grand_row("hammer_drawn_angle_rad")]),
                 s = std::sin(v[grand_row("hammer_drawn_angle_rad")]);
    const double knuckle_mm = c * v[grand_row("knuckle_x_mm")] - s * v[grand_row("knuckle_y_mm")];
    const double lever_mm = v[grand_row("lever_pivot_x_mm")] - v[grand_row("hammer_pivot_x_mm")] - knuckle_mm;
    return lever_mm / knuckle_mm * (hammer_moment_Nm(v) + v[grand_row("hammer_dry_friction_Nm")]) +
           v[grand_row("lever_dry_friction_Nm")];
}

/// Sets the springs of a key for its own hammer. What A4's spring gives beyond carrying its hammer (less, because the
/// lever's weight helps) is kept as a share of the hammer's weight. One coil works on lever and jack (Schwander's
/// spring), so the jack's torque goes with it: let-off and aftertouch are then alike for heavy and light hammers.
void set_springs(GrandValues& v, const GrandValues& base, double more_share) {
    const double base_Nm = -base[kSpring] * base[kSpringRest];
    const double share = (base_Nm - carrying_torque_Nm(base)) / hammer_moment_Nm(base) + more_share;
    const double torque_Nm = carrying_torque_Nm(v) + share * hammer_moment_Nm(v);
    v[kSpringRest] = -torque_Nm / base[kSpring];
    if (base_Nm > 0) v[kJackSpring] = base[kJackSpring] * (torque_Nm / base_Nm);
}

constexpr std::size_t kShank = grand_row("shank_stiffness_Nm_per_rad");
constexpr double kSoftestShank_Nm_per_rad = 0.5;  // a first mode of 13 Hz: no shank is softer

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
    const double lead_g = turn_between(&Turn::lead_g, key);
    if (lead_g > 0) {
        part::add_lead(v, lead_g, kFrontLead_mm);
    } else {
        const double own_g = std::max(lead_g, -kOwnLead_g);
        part::add_lead(v, own_g, kLead_mm);
        part::add_lead(v, own_g - lead_g, -kLead_mm);
    }
    v[grand_row("capstan_y_mm")] += turn_between(&Turn::capstan_mm, key);
    v[grand_row("let_off_button_y_mm")] += turn_between(&Turn::let_off_button_mm, key);
    v[grand_row("drop_screw_y_mm")] += turn_between(&Turn::drop_screw_mm, key);
    v[grand_row("backcheck_x_mm")] -= turn_between(&Turn::backcheck_mm, key);
    for (const std::size_t mu : {grand_row("jack_knuckle_mu"), grand_row("lever_knuckle_mu")})
        v[mu] *= turn_between(&Turn::knuckle_share, key);
    if (key != kReferenceKey) set_springs(v, base, turn_between(&Turn::spring_share, key));
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
    take_own_values(*touch.action, touch.base, v);
    for (const GrandTouch::OfKey& own : touch.keys) {
        if (own.key_index != key_index) continue;
        double value = own.relative ? v[own.row] + own.value : own.value;
        if (own.row == kShank) {  // all keys bend or none does: they share one topology
            if (!(touch.base[kShank] > 0)) continue;
            value = std::max(value, kSoftestShank_Nm_per_rad);
        }
        v[own.row] = core::clamp_to(kGrandRows[own.row], value);
    }
    return v;
}

}  // namespace letoff::keyboard
