// Regulation in a technician's terms, first half: what he weighs, adds, pins, needles or finds on the parts of an
// action (keyboard/regulation/figures.h: what he measures and turns screws for).
//
// One line of the table is all that a term is: its row, how much of it a key has (`read`), and what the action's
// numbers (keyboard/action/grand_rows.h) become when the technician goes from one value to another (`turn`). A profile
// keeps the term as it was asked, absolute or relative; it is resolved when the keys are built, after the registers and
// the key's own screws, in the order of the table, in a microsecond a key. Several terms may act on one number: weights
// add up, friction and felt multiply.
//
// A term whose `read` is a constant has no memory in the numbers (leads added, wear): the constant is the action as
// built.
//
// Capstan height, jack position, lever height and the backcheck's place are screws that the action's rows have already,
// in millimetres: capstan_y_mm, jack_overlap_mm, lever_height_mm, backcheck_x_mm and backcheck_y_mm; so are the rubbing
// frictions of single contacts (jack_knuckle_mu, backcheck_mu ...).
//
// Sources: shared/reference/regulation.csv (key leads, strike weight, backcheck angle, friction), Stanwood 1996 (front
// and strike weight). What wear and humidity do in numbers is published nowhere that we found: see worn() and damp() in
// parts.cpp for our choice and its reasons.
#pragma once

#include <span>
#include <string>

#include "core/unit/constants.h"
#include "keyboard/action/grand_rows.h"

namespace letoff::keyboard {

struct Part {
    core::Row row;
    double (*read)(const GrandValues&);
    void (*turn)(GrandValues&, double from, double to, double lead_place_mm);
};

namespace part {

void add_to_head(GrandValues& v, double grams);                   // at the head's centre
void add_lead(GrandValues& v, double grams, double place_mm);     // in front of the balance rail
void assist(GrandValues& v, double grams);                        // a weight's pull without its inertia
void soften(GrandValues& v, std::size_t felt_k, double percent);  // the felt gives so much more under a force
void tilt_backcheck(GrandValues& v, double degrees);              // about its wire's foot
void worn(GrandValues& v, double percent);
void damp(GrandValues& v, double above_percent);
double front_weight_g(const GrandValues& v);
double strike_weight_g(const GrandValues& v);
double strike_weight_head_g(const GrandValues& v, double grams);  // on the head, for so much strike weight

/// A gram gauge on a centre pulls at this radius, some flange's length from pin to screw: there the grand's hammer
/// centre has the 4 g that technicians pin for.
inline constexpr double kGauge_m = 0.025;
inline constexpr double kFront_m = 0.225;  // where weights are laid (design, section 5)
inline constexpr double kAsBuiltHumidity = 45;

constexpr double in_grams(double torque_Nm, double arm_m) {
    return torque_Nm / (core::kNewtonPerGram * arm_m);
}
constexpr double of_grams(double grams, double arm_m) {
    return grams * core::kNewtonPerGram * arm_m;
}
constexpr double share(double from, double to) {
    return from > 0 ? to / from : 1.0;
}

template <std::size_t Row>
double plain(const GrandValues& v) {
    return v[Row];
}
template <std::size_t Row>
double grams(const GrandValues& v) {
    return v[Row] * 1e3;
}
template <std::size_t Row>
double gauge_g(const GrandValues& v) {
    return in_grams(v[Row], kGauge_m);
}
template <std::size_t Row>
void pin(GrandValues& v, double, double to, double) {
    v[Row] = of_grams(to, kGauge_m);
}
/// Of a row's default, in percent.
template <std::size_t Row>
double percent(const GrandValues& v) {
    return 100 * v[Row] / kGrandRows[Row].default_value;
}
template <std::size_t Row>
void in_percent(GrandValues& v, double, double to, double) {
    v[Row] = to / 100 * kGrandRows[Row].default_value;
}
/// A spring is bent: its torque in the drawing, its stiffness kept.
template <std::size_t Stiffness, std::size_t Rest>
double spring_percent(const GrandValues& v) {
    return 100 * v[Stiffness] * v[Rest] / (kGrandRows[Stiffness].default_value * kGrandRows[Rest].default_value);
}
template <std::size_t Stiffness, std::size_t Rest>
void bend(GrandValues& v, double from, double to, double) {
    v[Rest] *= share(from, to);
}
template <std::size_t FeltK>
void needle(GrandValues& v, double, double to, double) {
    soften(v, FeltK, to);
}
inline double none(const GrandValues&) {
    return 0;
}
inline double as_built_humidity(const GrandValues&) {
    return kAsBuiltHumidity;
}
inline double usual_lead_place_mm(const GrandValues&) {
    return 150;
}
template <auto Change>
void changed_by(GrandValues& v, double from, double to, double) {
    Change(v, to - from);
}

}  // namespace part

// clang-format off
#define LETOFF_ROW(id) grand_row(id)
#define LETOFF_FELT(name, what) {{name "_softness_percent", "%", 0, -50, 100, core::Live::kTechnician, "How much more the felt of " what " gives under the same force."}, part::none, part::needle<grand_row(name "_felt_k")>}
inline constexpr Part kParts[] = {
    {{"key_lead_place_mm", "mm", 150, 20, 215, core::Live::kTechnician, "Where leads are put into the key, in front of the balance rail; for all other values that add or take away leads."},
     part::usual_lead_place_mm, [](GrandValues&, double, double, double) {}},
    {{"hammer_mass_g", "g", 10.2, 3.06, 30.6, core::Live::kTechnician, "Mass of the hammer with its shank; a change is made on the head."},
     part::grams<grand_row("hammer_mass_kg")>, part::changed_by<part::add_to_head>},
    {{"strike_weight_g", "g", 8.6, 2.5, 25, core::Live::kTechnician, "Hammer and shank on a scale under the strike line, shank level; a change is made on the head."},
     part::strike_weight_g, [](GrandValues& v, double from, double to, double) { part::add_to_head(v, part::strike_weight_head_g(v, to - from)); }},
    {{"front_weight_g", "g", 22, -30, 80, core::Live::kTechnician, "The key alone, tipped on the balance rail, on a scale under its front; a change is made with leads."},
     part::front_weight_g, [](GrandValues& v, double from, double to, double place_mm) { part::add_lead(v, (to - from) * part::kFront_m * 1e3 / place_mm, place_mm); }},
    {{"key_lead_g", "g", 0, -60, 150, core::Live::kTechnician, "Lead put into the key beyond what it has as built; negative takes lead out."},
     part::none, [](GrandValues& v, double, double to, double place_mm) { part::add_lead(v, to, place_mm); }},
    {{"assist_g", "g", 0, -30, 30, core::Live::kTechnician, "Assist spring or magnet under the key: how much it takes off the finger, without the inertia of a lead."},
     part::none, [](GrandValues& v, double, double to, double) { part::assist(v, to); }},
    {{"key_pin_friction_g", "g", 0.3, 0, 22, core::Live::kTechnician, "Dry friction of balance and front pin as the finger feels it."},
     [](const GrandValues& v) { return part::in_grams(v[LETOFF_ROW("key_dry_friction_Nm")], part::kFront_m); },
     [](GrandValues& v, double from, double to, double) { v[LETOFF_ROW("key_dry_friction_Nm")] += part::of_grams(to - from, part::kFront_m); }},
    {{"hammer_centre_friction_g", "g", 4.1, 0, 40, core::Live::kTechnician, "Dry friction of the hammer's centre, pulled with a gauge at 25 mm."},
     part::gauge_g<grand_row("hammer_dry_friction_Nm")>, part::pin<grand_row("hammer_dry_friction_Nm")>},
    {{"wippen_centre_friction_g", "g", 1.22, 0, 40, core::Live::kTechnician, "Dry friction of the wippen's centre, pulled with a gauge at 25 mm."},
     part::gauge_g<grand_row("wippen_dry_friction_Nm")>, part::pin<grand_row("wippen_dry_friction_Nm")>},
    {{"jack_centre_friction_g", "g", 0.41, 0, 40, core::Live::kTechnician, "Dry friction of the jack's centre, pulled with a gauge at 25 mm."},
     part::gauge_g<grand_row("jack_dry_friction_Nm")>, part::pin<grand_row("jack_dry_friction_Nm")>},
    {{"lever_centre_friction_g", "g", 5.9, 0, 40, core::Live::kTechnician, "Dry friction of the repetition lever's centre, pulled with a gauge at 25 mm."},
     part::gauge_g<grand_row("lever_dry_friction_Nm")>, part::pin<grand_row("lever_dry_friction_Nm")>},
    {{"knuckle_friction_percent", "%", 100, 0, 500, core::Live::kTechnician, "Rubbing of the knuckle on jack and lever, of what a new one has."},
     part::percent<grand_row("jack_knuckle_mu")>,
     [](GrandValues& v, double from, double to, double) { v[LETOFF_ROW("jack_knuckle_mu")] *= part::share(from, to); v[LETOFF_ROW("lever_knuckle_mu")] *= part::share(from, to); }},
    {{"backcheck_friction_percent", "%", 100, 0, 200, core::Live::kTechnician, "Rubbing of the hammer tail on the backcheck's leather, of what a new one has."},
     part::percent<grand_row("backcheck_mu")>, part::in_percent<grand_row("backcheck_mu")>},
    {{"backcheck_angle_deg", "deg", 70, 60, 80, core::Live::kTechnician, "Backcheck against the key; a smaller angle leans it away from the hammer."},
     [](const GrandValues&) { return 70.0; }, part::changed_by<part::tilt_backcheck>},
    {{"repetition_spring_percent", "%", 100, 10, 200, core::Live::kTechnician, "Strength of the repetition spring, of what a regulated one has."},
     part::spring_percent<grand_row("repetition_spring_Nm_per_rad"), grand_row("repetition_spring_rest_rad")>, part::bend<grand_row("repetition_spring_Nm_per_rad"), grand_row("repetition_spring_rest_rad")>},
    {{"jack_spring_percent", "%", 100, 10, 500, core::Live::kTechnician, "Strength of the jack spring, of what a new one has."},
     part::spring_percent<grand_row("jack_spring_Nm_per_rad"), grand_row("jack_spring_rest_rad")>, part::bend<grand_row("jack_spring_Nm_per_rad"), grand_row("jack_spring_rest_rad")>},
    LETOFF_FELT("heel", "the wippen heel"),
    LETOFF_FELT("knuckle", "the knuckle"),
    LETOFF_FELT("let_off_button", "the let-off button"),
    LETOFF_FELT("backcheck", "the backcheck"),
    LETOFF_FELT("front_rail", "the front rail punching"),
    LETOFF_FELT("back_rail", "the back rail cloth"),
    LETOFF_FELT("rest_cushion", "the hammer rest cushion"),
    LETOFF_FELT("drop_screw", "the lever under the drop screw"),
    LETOFF_FELT("damper_lever", "the key tail under the damper"),
    LETOFF_FELT("damper_string", "the damper on its strings"),
    {{"damper_weight_g", "g", 35, 10, 80, core::Live::kTechnician, "Weight of the damper as the key tail lifts it."},
     part::grams<grand_row("damper_mass_kg")>, [](GrandValues& v, double, double to, double) { v[LETOFF_ROW("damper_mass_kg")] = to * 1e-3; }},
    {{"wear_percent", "%", 0, 0, 100, core::Live::kTechnician, "From new to worn out: loose centres, hard and thin felt, dry knuckles, tired spring, filed hammer."},
     part::none, part::changed_by<part::worn>},
    {{"humidity_percent", "%", part::kAsBuiltHumidity, 20, 80, core::Live::kTechnician, "Humidity that the action has taken on: damp cloth grips its pins, damp felt is thick and soft."},
     part::as_built_humidity, part::changed_by<part::damp>},
};
#undef LETOFF_FELT
#undef LETOFF_ROW
// clang-format on

inline constexpr std::size_t kPartCount = std::size(kParts);
inline constexpr auto kPartRows = [] {
    std::array<core::Row, kPartCount> rows{};
    for (std::size_t i = 0; i < kPartCount; ++i) rows[i] = kParts[i].row;
    return rows;
}();
static_assert(core::table_is_sound(kPartRows));

/// What is asked of one part; on top of another that is asked for the whole instrument, if it is relative.
struct PartOfKey {
    static constexpr int kEveryKey = -1;
    int key_index = kEveryKey;
    std::size_t part = 0;
    double value = 0;
    bool relative = false;
};

/// What a key's values become. What leads beyond a limit stays there; `refused`, if given, gets a sentence about the
/// first that does. `found`, if given, is what the key has of each part in the end.
GrandValues with_parts(GrandValues v, int key_index, std::span<const PartOfKey> parts, std::string* refused = nullptr,
                       std::array<double, kPartCount>* found = nullptr);

}  // namespace letoff::keyboard
