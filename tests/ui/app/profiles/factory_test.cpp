// What each factory profile measures, as `letoff measure --profile NAME` does: tolerances are what a technician works
// to.
#include "ui/app/profiles/factory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/string/string_design.h"
#include "keyboard/bench/regulation.h"
#include "keyboard/bench/speech.h"
#include "keyboard/bench/touchweight.h"
#include "keyboard/keybed/grand_keys.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

constexpr double kMm = 1e-3;

struct Measured {
    keyboard::Regulation regulation;
    keyboard::Touchweight touchweight;
};

Touch touch_of_factory(const std::string& name) {
    const auto profile = factory_profile(name);
    EXPECT_TRUE(profile.has_value()) << name;
    return profile ? touch_of(*profile).value() : Touch{};
}

/// key: 1..88.
Measured measured(const std::string& name, int key) {
    static const core::StringSet strings = core::design_strings({});
    const Touch touch = touch_of_factory(name);
    const auto on_bench = keyboard::settle_test_key(keyboard::grand_keys(strings, key - 1, 1, touch.grand).front());
    Measured m;
    m.regulation = keyboard::measure_regulation(on_bench);
    m.touchweight = keyboard::measure_touchweight(on_bench, m.regulation);
    return m;
}

struct Figures {
    const char* name;
    double down_weight_g, friction_g;             // +- 2 and 1 g
    double dip_mm, blow_mm, let_off_mm, drop_mm;  // +- 0.15, 0.7, 0.15, 0.3 mm
};
constexpr Figures kA4[] = {
    {"concert", 49, 11.75, 10.05, 46.05, 1.9, 1.9},        {"small-grand", 48.5, 10, 10.7, 44.5, 1.8, 1.6},
    {"heavy-practice", 57.5, 12.5, 10.05, 45.2, 1.8, 1.7}, {"light-salon", 40.5, 9.5, 10.2, 44.7, 1.8, 1.6},
    {"regulated", 49.5, 12, 10.2, 46.5, 1.6, 1.55},        {"worn", 50, 16.5, 10.15, 48.4, 3.0, 1.1},
};

TEST(FactoryProfiles, MeasureWhatTheirNotesSayAtA4) {
    ASSERT_GT(factory_names().size(), std::size(kA4)) << "the other actions' are below";
    for (const Figures& f : kA4) {
        const Measured m = measured(f.name, 49);
        EXPECT_NEAR(m.touchweight.down_weight_g, f.down_weight_g, 2) << f.name;
        EXPECT_NEAR(m.touchweight.friction_g(), f.friction_g, 1) << f.name;
        EXPECT_NEAR(m.regulation.key_dip_m / kMm, f.dip_mm, 0.15) << f.name;
        EXPECT_NEAR(m.regulation.blow_m / kMm, f.blow_mm, 0.7) << f.name;
        EXPECT_NEAR(m.regulation.let_off_m / kMm, f.let_off_mm, 0.15) << f.name;
        EXPECT_NEAR(m.regulation.drop_m / kMm, f.drop_mm, 0.3) << f.name;
    }
}

// Without dry friction the two weights lie close together; the rest is the concert grand's.
TEST(FactoryProfiles, OtherActionsAreWhatTheirNotesSay) {
    const Measured episode = measured("grand-episode", 49);
    EXPECT_LT(episode.touchweight.friction_g(), 3);
    EXPECT_NEAR(episode.touchweight.balance_weight_g(), 37, 4);
    EXPECT_NEAR(episode.regulation.key_dip_m / kMm, 10.05, 0.15);
    EXPECT_NEAR(episode.regulation.blow_m / kMm, 46.05, 0.7);
    EXPECT_NEAR(episode.regulation.let_off_m / kMm, 1.9, 0.6);
    const Touch two_body = touch_of_factory("two-body");
    EXPECT_EQ(two_body.grand.action->name, "two_body");
    for (const char* upright : {"upright-studio", "upright-worn"})
        EXPECT_EQ(touch_of_factory(upright).grand.action->name, "upright");
    const Measured fortepiano = measured("fortepiano", 49);
    EXPECT_NEAR(fortepiano.regulation.key_dip_m / kMm, 5.5, 0.3);
    const auto spoken = [](const std::string& name) {
        const Touch touch = touch_of_factory(name);
        const core::StringSet own = core::design_strings(string_design_of(touch, touch.strings));
        const auto key = keyboard::settle_test_key(keyboard::grand_keys(own, 48, 1, touch.grand).front());
        return keyboard::measure_speech(key, key.rest_dip_m + 0.0065);
    };
    EXPECT_NEAR(spoken("harpsichord").force_N, 0.055 * 9.81, 0.06);
    EXPECT_NEAR(spoken("organ").force_N, 1.25, 0.15);
}

TEST(FactoryProfiles, EveryActionButTheBallHasOne) {
    std::vector<std::string_view> with;
    for (const std::string& name : factory_names()) {
        const Touch touch = touch_of_factory(name);
        EXPECT_TRUE(touch.warnings.empty()) << name;
        with.push_back(touch.grand.action->name);
    }
    for (const keyboard::Action& action : keyboard::actions()) {
        const bool has = std::find(with.begin(), with.end(), action.name) != with.end();
        EXPECT_EQ(has, action.name != "bouncing_ball") << action.name;
    }
}

TEST(FactoryProfiles, HarpsichordsHaveStringsOfTheirOwn) {
    const Touch touch = touch_of_factory("harpsichord");
    const core::StringSet own = core::design_strings(string_design_of(touch, touch.strings));
    const core::NoteStrings& a4 = own.notes[48];
    EXPECT_EQ(a4.strings, 1);
    EXPECT_NEAR(a4.f1_target_hz, 415, 1e-6);
    for (const core::NoteStrings& note : own.notes) {
        EXPECT_GT(note.tension_N, 15);
        EXPECT_LT(note.tension_N, 90);
    }
}

// Over the keyboard every key lets off, before its bottom, below the strings; and each piano is evenly what it is.
TEST(FactoryProfiles, LetOffAtEveryKeyLookedAt) {
    for (const Figures& f : kA4) {
        for (const int key : {1, 20, 40, 64, 76, 88}) {
            const Measured m = measured(f.name, key);
            EXPECT_NEAR(m.regulation.let_off_m / kMm, f.let_off_mm, 0.4) << f.name << " key " << key;
            EXPECT_GT(m.regulation.aftertouch_m / kMm, 0.02) << f.name << " key " << key;
            EXPECT_LT(m.regulation.aftertouch_m / kMm, 2.0) << f.name << " key " << key << ": the jack slips out";
            EXPECT_GT(m.regulation.drop_m / kMm, 0.1) << f.name << " key " << key;
            EXPECT_LT(m.regulation.drop_m / kMm, 3.0) << f.name << " key " << key;
            EXPECT_NEAR(m.regulation.blow_m / kMm, f.blow_mm, 2) << f.name << " key " << key;
            EXPECT_NEAR(m.touchweight.down_weight_g, f.down_weight_g, 5) << f.name << " key " << key;
            EXPECT_GT(m.touchweight.up_weight_g, 5) << f.name << " key " << key << ": the key comes back";
        }
    }
}

TEST(FactoryProfiles, WearShowsAsATechnicianSeesIt) {
    const Measured fresh = measured("concert", 49), worn = measured("worn", 49);
    EXPECT_GT(worn.touchweight.friction_g(), fresh.touchweight.friction_g() + 3);
    EXPECT_LT(worn.touchweight.up_weight_g, fresh.touchweight.up_weight_g - 5);
    EXPECT_LT(worn.regulation.aftertouch_m, fresh.regulation.aftertouch_m);
    EXPECT_GT(worn.regulation.blow_m, fresh.regulation.blow_m + 2 * kMm) << "the hammer line has sunk";
    EXPECT_LT(worn.regulation.drop_m, fresh.regulation.drop_m);
    const Touch touch = touch_of_factory("worn");
    for (int key = 0; key < core::kKeyCount; ++key)
        EXPECT_LT(value_at(touch, key, "hammer_mass_kg").value_or(1),
                  keyboard::grand_values(key)[keyboard::grand_row("hammer_mass_kg")]);
}

}  // namespace
}  // namespace letoff::ui
