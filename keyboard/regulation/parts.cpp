#include "keyboard/regulation/parts.h"

#include "core/string/deterministic_math.h"

namespace letoff::keyboard {
namespace part {
namespace {

constexpr double kHeadArm_m = 0.130;     // head's centre from the hammer's pivot, along the shank
constexpr double kHeadHeight_m = 0.030;  // and across: half the height of the head above the shank
constexpr double kWireAbove_mm = 50.0;   // the backcheck's middle above the foot of its wire in the key; our choice

void add_mass(GrandValues& v, std::size_t mass, std::size_t inertia, std::size_t x, std::size_t y, double kg,
              double x_m, double y_m) {
    const double before = v[mass], after = before + kg;
    v[x] = (before * v[x] + kg * x_m * 1e3) / after;
    v[y] = (before * v[y] + kg * y_m * 1e3) / after;
    v[mass] = after;
    v[inertia] += kg * (x_m * x_m + y_m * y_m);
}

constexpr std::size_t kBushings[] = {grand_row("key_dry_friction_Nm"), grand_row("wippen_dry_friction_Nm"),
                                     grand_row("jack_dry_friction_Nm"), grand_row("lever_dry_friction_Nm"),
                                     grand_row("hammer_dry_friction_Nm")};
// Those that carry the load of every stroke.
constexpr std::size_t kPressedFelts[] = {grand_row("heel_felt_k"), grand_row("knuckle_felt_k"),
                                         grand_row("let_off_button_felt_k"), grand_row("front_rail_felt_k"),
                                         grand_row("back_rail_felt_k")};

}  // namespace

void add_to_head(GrandValues& v, double grams) {
    add_mass(v, grand_row("hammer_mass_kg"), grand_row("hammer_inertia_kgm2"), grand_row("hammer_com_x_mm"),
             grand_row("hammer_com_y_mm"), grams * 1e-3, kHeadArm_m, kHeadHeight_m);
}

void add_lead(GrandValues& v, double grams, double place_mm) {
    add_mass(v, grand_row("key_mass_kg"), grand_row("key_inertia_kgm2"), grand_row("key_com_x_mm"),
             grand_row("key_com_y_mm"), grams * 1e-3, -place_mm * 1e-3, 0.0);
}

void assist(GrandValues& v, double grams) {
    v[grand_row("key_com_x_mm")] -= grams * kFront_m / v[grand_row("key_mass_kg")];  // g m / kg = mm
}

// F(d) becomes F(d / s): k d^r and b d^2 d' with k / s^r and b / s^3.
void soften(GrandValues& v, std::size_t felt_k, double percent) {
    const double s = 1 + percent / 100;
    v[felt_k] /= core::pow_positive(s, v[felt_k + 1]);
    v[felt_k + 2] /= s * s * s;
}

void tilt_backcheck(GrandValues& v, double degrees) {
    v[grand_row("backcheck_x_mm")] -= kWireAbove_mm * degrees * (core::kPi / 180);
}

double front_weight_g(const GrandValues& v) {
    return -v[grand_row("key_mass_kg")] * v[grand_row("key_com_x_mm")] / kFront_m;  // kg mm / m = g
}

double strike_weight_g(const GrandValues& v) {
    return 1e3 * v[grand_row("hammer_mass_kg")] * v[grand_row("hammer_com_x_mm")] / v[grand_row("crown_x_mm")];
}

double strike_weight_head_g(const GrandValues& v, double grams) {
    return grams * v[grand_row("crown_x_mm")] / (kHeadArm_m * 1e3);
}

// Our choice, for an action that has been played for decades (100 %), from what technicians write of worn actions
// (regulation.csv has no figures): bushings have lost half their grip; felts are a third harder to press and a tenth of
// a millimetre thinner where the parts lie on each other, three tenths where the key lands; knuckles rub by a third
// more; the spring gives a tenth less; the hammer has been filed by 0.8 g.
void worn(GrandValues& v, double percent) {
    const double w = percent / 100;
    for (const std::size_t bushing : kBushings) v[bushing] *= 1 - 0.5 * w;
    for (const std::size_t felt : kPressedFelts) soften(v, felt, -33 * w);
    v[grand_row("heel_y_mm")] += 0.1 * w;
    v[grand_row("jack_top_mm")] -= 0.1 * w;      // the knuckle is flat where the jack stands,
    v[grand_row("lever_height_mm")] -= 0.1 * w;  // and where the lever carries it
    v[grand_row("let_off_button_y_mm")] += 0.1 * w;
    v[grand_row("front_rail_y_mm")] -= 0.3 * w;
    v[grand_row("back_rail_y_mm")] -= 0.1 * w;
    v[grand_row("jack_knuckle_mu")] *= 1 + 0.33 * w;
    v[grand_row("lever_knuckle_mu")] *= 1 + 0.33 * w;
    v[grand_row("repetition_spring_rest_rad")] *= 1 - 0.1 * w;
    add_to_head(v, -0.8 * w);
}

// Our choice, per percent of relative humidity from the 45 % of a room that a piano is built for: bushings grip 1.5 %
// more (a centre of 4 g is at 6 g in a damp summer and 2.5 g in a heated winter, as technicians complain); felt gives
// 0.3 % more and is 2 um thicker where the key lies and lands.
void damp(GrandValues& v, double above_percent) {
    for (const std::size_t bushing : kBushings) v[bushing] *= 1 + 0.015 * above_percent;
    for (const std::size_t felt : kPressedFelts) soften(v, felt, 0.3 * above_percent);
    v[grand_row("front_rail_y_mm")] += 0.002 * above_percent;
    v[grand_row("back_rail_y_mm")] += 0.002 * above_percent;
}

}  // namespace part

GrandValues with_parts(GrandValues v, int key_index, std::span<const PartOfKey> parts, std::string* refused,
                       std::array<double, kPartCount>* found) {
    const auto check = [&](const core::Row& row, double& value) {
        if (const auto valid = core::validate(row, value); !valid) {
            if (refused != nullptr && refused->empty()) *refused = valid.error();
            value = core::clamp_to(row, value);
        }
    };
    constexpr std::size_t kLeadPlace = 0;  // before all that put leads there
    static_assert(kPartRows[kLeadPlace].id == "key_lead_place_mm");
    double lead_place_mm = kPartRows[kLeadPlace].default_value;
    bool turned = false;
    for (std::size_t p = 0; p < kPartCount; ++p) {
        const double from = kParts[p].read(v);
        double to = from;
        bool asked = false;
        for (const int of : {PartOfKey::kEveryKey, key_index}) {
            for (const PartOfKey& part : parts) {
                if (part.part != p || part.key_index != of) continue;
                to = part.relative ? to + part.value : part.value;
                asked = true;
            }
            if (of == key_index) break;
        }
        if (asked) {
            check(kPartRows[p], to);
            if (p == kLeadPlace) lead_place_mm = to;
            kParts[p].turn(v, from, to, lead_place_mm);
            turned = true;
        }
        if (found != nullptr) (*found)[p] = to;
    }
    for (std::size_t i = 0; turned && i < kGrandRowCount; ++i) check(kGrandRows[i], v[i]);
    return v;
}

}  // namespace letoff::keyboard
