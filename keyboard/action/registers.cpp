#include "keyboard/action/registers.h"

#include <algorithm>
#include <array>

namespace letoff::keyboard {
namespace {

constexpr int kReferenceKey = 49;  // A4, where the base values are regulated

struct Knot {
    double key, value;
};

double between(std::span<const Knot> knots, double key) {
    if (key <= knots.front().key) return knots.front().value;
    for (size_t i = 1; i < knots.size(); ++i) {
        if (key > knots[i].key) continue;
        const double share = (key - knots[i - 1].key) / (knots[i].key - knots[i - 1].key);
        return knots[i - 1].value + share * (knots[i].value - knots[i - 1].value);
    }
    return knots.back().value;
}

// Hammer head mass in g: Conklin 1996, figure 7.
constexpr std::array<Knot, 10> kHead_g{
    {{1, 11.0}, {12, 11.0}, {20, 10.4}, {30, 9.5}, {40, 8.5}, {50, 7.4}, {60, 6.3}, {70, 5.3}, {80, 4.3}, {88, 3.6}}};
constexpr std::array<Knot, 2> kFriction_g{{{1, 16.0}, {88, 10.0}}};
constexpr std::array<Knot, 2> kDownWeight_g{{{1, 50.0}, {88, 46.0}}};
constexpr std::array<Knot, 2> kDamper_g{{{1, 45.0}, {kDampedKeys, 30.0}}};

constexpr double kHeadArm_m = 0.130;     // head's centre from the hammer's pivot, along the shank
constexpr double kHeadHeight_m = 0.030;  // and across: half the height of the head above the shank
constexpr double kLeadArm_m = 0.150;     // a lead in front of the balance rail
constexpr double kFingerArm_m = 0.225;
constexpr double kRatio = 4.4;  // grams at the key for a gram at the head: measured on the action (0.5 g: 2.2 g)

}  // namespace

GrandValues grand_values(int key_index, const GrandValues& base) {
    GrandValues v = base;
    const double key = key_index + 1;
    const double head_kg = 1e-3 * (between(kHead_g, key) - between(kHead_g, kReferenceKey));
    const auto add_mass = [&](std::size_t mass, std::size_t inertia, std::size_t x, std::size_t y, double m_kg,
                              double x_m, double y_m) {
        const double before = v[mass], after = before + m_kg;
        v[x] = (before * v[x] + m_kg * x_m * 1e3) / after;
        v[y] = (before * v[y] + m_kg * y_m * 1e3) / after;
        v[mass] = after;
        v[inertia] += m_kg * (x_m * x_m + y_m * y_m);
    };
    add_mass(grand_row("hammer_mass_kg"), grand_row("hammer_inertia_kgm2"), grand_row("hammer_com_x_mm"),
             grand_row("hammer_com_y_mm"), head_kg, kHeadArm_m, kHeadHeight_m);

    const double friction = between(kFriction_g, key) / between(kFriction_g, kReferenceKey);
    for (std::size_t row :
         {grand_row("key_dry_friction_Nm"), grand_row("lever_dry_friction_Nm"), grand_row("hammer_dry_friction_Nm")})
        v[row] *= friction;

    // Balance weight = down weight - friction. A heavier head asks kRatio times its mass more at the key; leads take it
    // back.
    const auto balance_g = [&](double k) { return between(kDownWeight_g, k) - between(kFriction_g, k); };
    const double wanted_g = balance_g(key) - balance_g(kReferenceKey);
    const double lead_kg = 1e-3 * (kRatio * 1e3 * head_kg - wanted_g) * kFingerArm_m / kLeadArm_m;
    add_mass(grand_row("key_mass_kg"), grand_row("key_inertia_kgm2"), grand_row("key_com_x_mm"),
             grand_row("key_com_y_mm"), lead_kg, -kLeadArm_m, 0.0);

    v[grand_row("damper_mass_kg")] = 1e-3 * between(kDamper_g, key);
    for (std::size_t i = 0; i < kGrandRowCount; ++i) v[i] = core::clamp_to(kGrandRows[i], v[i]);
    return v;
}

}  // namespace letoff::keyboard
