#include "ui/app/profiles/factory.h"

#include <span>

#include "storage/same_name.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

/// Of the whole instrument, or of keys first_key .. last_key (1..88).
struct FactoryValue {
    std::string_view row;
    storage::ProfileValue value;
    int first_key = storage::kWholeInstrument, last_key = storage::kWholeInstrument;
};

struct FactoryProfile {
    std::string_view name, action, notes;
    std::span<const FactoryValue> values;
};

constexpr storage::ProfileValue is(double value) {
    return {value, false};
}
constexpr storage::ProfileValue by(double turn) {
    return {turn, true};
}

// What each takes from where (shared/reference/regulation.csv, physics_data.md); screws are turned until `letoff
// measure` gives the figures of the notes, by the table of grand_action_regulation.md. Grams of a hammer head sit 130
// mm along the shank and 30 mm above it (keyboard/regulation/parts), so mass, inertia and centre of mass change
// together. Repetition spring and jack spring, one coil, are bent for the hammer as from key to key
// (keyboard/action/registers): every hammer rises from its check with some 0.2 m/s. A deeper dip takes the check nearer
// to the hammer, so it is bent back.

// Dip 0.420 in and blow 1 3/4 in: Steinway S, M, L. Head 0.6 g lighter: strike weight at Stanwood's border of medium
// and low. The capstan stands 3 mm nearer to the balance rail, which gives that dip the same way of the hammer; the key
// is a sixth lighter, and leaded less, as a shorter key is.
constexpr FactoryValue kSmallGrand[] = {
    {"hammer_mass_kg", is(0.0096)},
    {"hammer_inertia_kgm2", is(0.00012832)},
    {"hammer_com_x_mm", is(108.75)},
    {"hammer_com_y_mm", is(2.375)},
    {"key_mass_kg", is(0.10)},
    {"key_inertia_kgm2", is(0.0017)},
    {"key_com_x_mm", is(-30.0)},
    {"capstan_x_mm", by(-3.0)},
    {"capstan_y_mm", by(0.085)},
    {"front_rail_y_mm", by(-0.66)},
    {"let_off_button_y_mm", by(0.01)},
    {"drop_screw_y_mm", by(0.045)},
    {"backcheck_x_mm", by(0.5)},
    {"repetition_spring_rest_rad", by(0.1)},
    {"jack_spring_Nm_per_rad", by(-0.001)},
    {"front_rail_y_mm", by(-0.08), 81, 88},
};

// Heads 1.45 g heavier: strike weights in Stanwood's upper third ("full"); capstan, button and screw turned for their
// weight, the repetition spring a seventh stronger to carry them. Nothing is leaded: down weight 58 g.
constexpr FactoryValue kHeavyPractice[] = {
    {"hammer_mass_kg", is(0.01165)},
    {"hammer_inertia_kgm2", is(0.00016481)},
    {"hammer_com_x_mm", is(112.489)},
    {"hammer_com_y_mm", is(7.236)},
    {"capstan_y_mm", by(0.06)},
    {"let_off_button_y_mm", by(0.027)},
    {"drop_screw_y_mm", by(0.038)},
    {"repetition_spring_rest_rad", by(-0.27)},
    {"jack_spring_Nm_per_rad", by(0.0027)},
};

// Heads 1 g lighter: strike weights in Stanwood's lower third; hammer centres that turn easily (a quarter less, felt as
// a gram); repetition spring a tenth weaker for the lighter heads; blow 44.5 mm (Steinway 1 3/4 in, Schimmel 44-46).
constexpr FactoryValue kLightSalon[] = {
    {"hammer_mass_kg", is(0.0092)},
    {"hammer_inertia_kgm2", is(0.0001212)},
    {"hammer_com_x_mm", is(107.826)},
    {"hammer_com_y_mm", is(1.174)},
    {"capstan_y_mm", by(0.063)},
    {"let_off_button_y_mm", by(-0.003)},
    {"drop_screw_y_mm", by(0.01)},
    {"hammer_dry_friction_Nm", is(0.00075)},
    {"front_rail_y_mm", by(-0.15)},
    {"backcheck_x_mm", by(0.15)},
    {"repetition_spring_rest_rad", by(0.19)},
    {"jack_spring_Nm_per_rad", by(-0.0019)},
};

// By the book: dip 10.2 mm (Yamaha 10 +- 0.2), blow 46.4 mm (Kawai 46-48), let-off 1/16 in, drop as much.
constexpr FactoryValue kRegulated[] = {
    {"capstan_y_mm", by(-0.02)},    {"let_off_button_y_mm", by(0.045)}, {"drop_screw_y_mm", by(0.095)},
    {"front_rail_y_mm", by(-0.16)}, {"backcheck_x_mm", by(0.2)},
};

// Years of play: heads filed by 0.8 g and 0.7 mm, heel cloth 0.16 mm thinner, front punchings pressed flat, knuckles
// and heel cloth packed hard (three times as stiff), dry centres and key bushings (some 5 g more friction than
// Ballard's), rough knuckles, a tired repetition spring, slippery checks, let-off 3 mm where buttons have sunk.
constexpr FactoryValue kWorn[] = {
    {"hammer_mass_kg", is(0.0094)},
    {"hammer_inertia_kgm2", is(0.00012476)},
    {"hammer_com_x_mm", is(108.298)},
    {"hammer_com_y_mm", is(1.787)},
    {"crown_y_mm", by(-0.7)},
    {"heel_y_mm", by(0.16)},
    {"front_rail_y_mm", by(-0.1)},
    {"front_rail_y_mm", by(-0.2), 73, 88},
    {"let_off_button_y_mm", by(-0.22)},
    {"knuckle_felt_k", is(1.5e11)},
    {"heel_felt_k", is(1.2e11)},
    {"key_dry_friction_Nm", is(0.005)},
    {"hammer_dry_friction_Nm", is(0.00155)},
    {"wippen_dry_friction_Nm", is(0.0006)},
    {"jack_knuckle_mu", is(0.15)},
    {"backcheck_mu", is(0.5)},
    {"repetition_spring_rest_rad", by(0.19)},
};

// What the worn grand has had done to it, where an upright has it too (keyboard/action/upright.h): filed hammers,
// packed cloth at heel and butt, flat punchings, dry centres and bushings, sunk let-off buttons, slippery checks; and a
// jack spring a sixth weaker.
constexpr FactoryValue kWornUpright[] = {
    {"hammer_mass_kg", is(0.0094)},
    {"hammer_inertia_kgm2", is(0.00012476)},
    {"hammer_com_x_mm", is(108.298)},
    {"hammer_com_y_mm", is(1.787)},
    {"crown_y_mm", by(-0.7)},
    {"heel_y_mm", by(0.16)},
    {"front_rail_y_mm", by(-0.1)},
    {"let_off_button_y_mm", by(-0.12)},
    {"knuckle_felt_k", is(1.5e11)},
    {"heel_felt_k", is(1.2e11)},
    {"key_dry_friction_Nm", is(0.005)},
    {"hammer_dry_friction_Nm", is(0.00155)},
    {"wippen_dry_friction_Nm", is(0.0006)},
    {"jack_knuckle_mu", is(0.15)},
    {"backcheck_mu", is(0.5)},
    {"jack_spring_Nm_per_rad", by(-0.003)},
};

// At 415 Hz in Vallotti's temperament, as such instruments are mostly tuned today. What the action is made of is its
// own (keyboard/action/harpsichord.cpp).
constexpr FactoryValue kHarpsichord[] = {
    {"a4_hz", is(415)},
    {"temperament", is(8)},  // vallotti
    {"stretch", is(0)},
};

constexpr FactoryProfile kFactory[] = {
    {kDefaultProfile,
     "grand",
     "A concert grand, freshly regulated: the grand action as its rows' defaults have it.",
     {}},
    {"small-grand", "grand",
     "A grand of some 1.7 m: deeper dip (10.7 mm) and shorter blow (44.5 mm), light hammers, short light keys.",
     kSmallGrand},
    {"heavy-practice", "grand",
     "For strong fingers: heavy hammers that no lead balances, down weight 58 g, everything regulated.",
     kHeavyPractice},
    {"light-salon", "grand", "Light and quick: light hammers, little friction, down weight 41 g, blow 44.5 mm.",
     kLightSalon},
    {"regulated", "grand",
     "The concert grand's parts regulated by the book: dip 10.2, blow 46.4, let-off 1.6, drop 1.6 mm.", kRegulated},
    {"worn", "grand",
     "The same piano after years of play: filed hammers, flat felts, dry centres, let-off 3 mm, weak springs.", kWorn},
    {"grand-episode",
     "grand_episode",
     "The concert grand as a machine of four sub-models, without dry friction and backcheck (Gillespie's thesis).",
     {}},
    {"two-body", "two_body", "Key and hammer with a spring between them: no let-off (Gillespie 1994).", {}},
    {"upright-studio",
     "upright",
     "A studio upright, freshly regulated: butt spring, bridle strap, felts of fibres.",
     {}},
    {"upright-worn", "upright", "The same upright after years of play: filed hammers, packed felts, dry centres.",
     kWornUpright},
    {"harpsichord", "harpsichord",
     "One 8-foot of a Franco-Flemish harpsichord, plucked: a dip of 7 mm, some 55 g, strings of its own.",
     kHarpsichord},
    {"fortepiano",
     "fortepiano",
     "A Viennese piano of about 1790: light hammers on the keys, a dip of 5.5 mm; the strings are the grand's.",
     {}},
    {"organ", "organ", "A tracker organ, one stop: 1.25 N to open a pallet, 0.7 N to hold it; needs a SoundFont.", {}},
};

}  // namespace

std::vector<std::string> factory_names() {
    std::vector<std::string> names;
    for (const FactoryProfile& profile : kFactory) names.emplace_back(profile.name);
    return names;
}

std::optional<storage::Profile> factory_profile(std::string_view name) {
    for (const FactoryProfile& made : kFactory) {
        if (!storage::same_name(made.name, name)) continue;
        storage::Profile profile;
        profile.name = made.name;
        profile.action = made.action;
        profile.notes = made.notes;
        for (const FactoryValue& value : made.values) {
            for (int key = value.first_key; key <= value.last_key; ++key)
                profile.values[{key, std::string(value.row)}] = value.value;
        }
        return profile;
    }
    return std::nullopt;
}

}  // namespace letoff::ui
