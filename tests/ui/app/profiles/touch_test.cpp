#include "ui/app/profiles/touch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/string/string_design.h"
#include "keyboard/gesture/stroke_table.h"
#include "keyboard/keybed/grand_keys.h"
#include "ui/app/profiles/factory.h"

namespace letoff::ui {
namespace {

using keyboard::grand_row;
using storage::kWholeInstrument;
using storage::Profile;
using ::testing::AllOf;
using ::testing::HasSubstr;

Profile grand() {
    return {.name = "My grand", .action = "grand"};
}
Profile from_factory(const std::string& name) {
    const auto profile = factory_profile(name);
    if (profile) return *profile;
    ADD_FAILURE() << "there is no " << name;
    return {};
}
Touch touch(const Profile& profile) {
    auto made = touch_of(profile);
    EXPECT_TRUE(made.ok()) << made.error();
    return made.ok() ? made.value() : Touch{};
}
std::string refused(const Profile& profile) {
    const auto made = touch_of(profile);
    EXPECT_FALSE(made.ok());
    return made.ok() ? "" : made.error();
}
double at(const Profile& profile, int key, std::string_view row) {
    const auto value = value_at(touch(profile), key - 1, row);
    EXPECT_TRUE(value.has_value()) << row;
    return value.value_or(0);
}
double as_built(int key, std::size_t row) {
    return keyboard::grand_values(key - 1)[row];
}

TEST(ProfileTouch, TheFactorysConcertIsTheGrandToTheBit) {
    const Touch concert = touch(from_factory("concert"));
    for (int k = 0; k < core::kKeyCount; ++k)
        EXPECT_EQ(keyboard::grand_values(k, concert.grand), keyboard::grand_values(k));
    EXPECT_EQ(concert.catch_up_percent, 100);
    EXPECT_TRUE(concert.warnings.empty());
}

TEST(ProfileTouch, EveryFactoryProfileCanBePlayedAndStored) {
    for (const std::string& name : factory_names()) {
        const Profile profile = from_factory(name);
        EXPECT_EQ(profile.name, name);
        EXPECT_TRUE(touch_of(profile).ok()) << name;
        EXPECT_TRUE(storage::check_profile(profile, {}, name).ok()) << name;
    }
    EXPECT_TRUE(factory_profile("CONCERT").has_value());
    EXPECT_FALSE(factory_profile("concert ").has_value());
}

TEST(ProfileTouch, AKeysOwnValueChangesThatKeyAlone) {
    Profile profile = grand();
    profile.values[{49, "hammer_mass_kg"}] = {0.003, true};
    profile.values[{49, "let_off_button_y_mm"}] = {71.5, false};
    profile.values[{1, "drop_screw_y_mm"}] = {-0.1, true};
    const core::StringSet strings = core::design_strings({});
    const auto before = keyboard::grand_keys(strings);
    const auto after = keyboard::grand_keys(strings, 0, core::kKeyCount, touch(profile).grand);
    for (size_t k = 0; k < before.size(); ++k) {
        const bool changed = k == 0 || k == 48;
        EXPECT_EQ(before[k].values == after[k].values, !changed) << k;
        // So the stroke tables of the others are found where they are kept, and those of these keys are not.
        EXPECT_EQ(keyboard::stroke_hash(before[k], 4000) == keyboard::stroke_hash(after[k], 4000), !changed) << k;
    }
    keyboard::GrandValues expected = before[48].values;
    expected[grand_row("hammer_mass_kg")] += 0.003;
    expected[grand_row("let_off_button_y_mm")] = 71.5;
    EXPECT_EQ(after[48].values, expected);
    EXPECT_DOUBLE_EQ(after[0].values[grand_row("drop_screw_y_mm")], as_built(1, grand_row("drop_screw_y_mm")) - 0.1);
}

TEST(ProfileTouch, TheWholeInstrumentsValueIsThatAtA4AndTheRegistersFollow) {
    Profile profile = grand();
    profile.values[{kWholeInstrument, "capstan_y_mm"}] = {0.25, true};
    profile.values[{kWholeInstrument, "lever_height_mm"}] = {0.2, false};
    profile.values[{88, "capstan_y_mm"}] = {0.5, true};  // on top of what the registers make of the whole
    for (const int key : {1, 49, 87}) {
        EXPECT_DOUBLE_EQ(at(profile, key, "capstan_y_mm"), as_built(key, grand_row("capstan_y_mm")) + 0.25);
        EXPECT_EQ(at(profile, key, "lever_height_mm"), 0.2);
    }
    EXPECT_DOUBLE_EQ(at(profile, 88, "capstan_y_mm"), as_built(88, grand_row("capstan_y_mm")) + 0.75);
    EXPECT_EQ(whole_value(touch(profile), "lever_height_mm"), 0.2);
    EXPECT_DOUBLE_EQ(whole_value(touch(profile), "capstan_y_mm").value_or(0),
                     keyboard::grand_defaults()[grand_row("capstan_y_mm")] + 0.25);
}

/// A row that the registers write over would be a value that does nothing.
TEST(ProfileTouch, EveryRowOfTheWholeInstrumentReachesTheKeys) {
    for (const core::Row& row : keyboard::kGrandRows) {
        Profile profile = grand();
        const double other = row.default_value + 0.3 * (row.maximum - row.default_value);
        profile.values[{kWholeInstrument, std::string(row.id)}] = {other, false};
        for (const int key : {1, 40, 60}) {
            const auto index = static_cast<std::size_t>(&row - keyboard::kGrandRows);
            EXPECT_NE(at(profile, key, row.id), as_built(key, index)) << row.id << " of key " << key;
        }
    }
}

TEST(ProfileTouch, WhatLeadsAKeyBeyondItsLimitsIsRefusedWithTheKeyAndTheLimits) {
    Profile profile = grand();
    profile.values[{49, "lever_height_mm"}] = {0.95, true};  // 0.08 mm by itself, 1 mm at most
    EXPECT_THAT(refused(profile), AllOf(HasSubstr("'My grand', key 49 (A4)"), HasSubstr("lever_height_mm is 1.03"),
                                        HasSubstr("between -1 and 1 mm")));
    profile = grand();
    profile.values[{kWholeInstrument, "lever_height_mm"}] = {3, false};
    EXPECT_THAT(refused(profile), HasSubstr("whole instrument"));
    profile = grand();
    profile.values[{kWholeInstrument, "lever_height_mm"}] = {0.5, true};
    profile.values[{49, "lever_height_mm"}] = {0.45, true};  // each fine, not both
    EXPECT_THAT(refused(profile), HasSubstr("key 49"));
    profile = grand();
    profile.values[{kWholeInstrument, "hammer_mass_g"}] = {12, true};
    profile.values[{49, "hammer_mass_g"}] = {12, true};
    EXPECT_THAT(refused(profile), AllOf(HasSubstr("key 49 (A4)"), HasSubstr("hammer_mass_")));
}

TEST(ProfileTouch, OtherActionsAreRefused) {
    Profile profile = grand();
    profile.action = "clavichord";
    EXPECT_THAT(refused(profile), AllOf(HasSubstr("'clavichord'"), HasSubstr("this version has: grand")));
}

TEST(ProfileTouch, CatchUpIsOfTheWholeInstrument) {
    Profile profile = grand();
    profile.values[{kWholeInstrument, "catch_up"}] = {40, false};
    EXPECT_EQ(touch(profile).catch_up_percent, 40);
    EXPECT_EQ(whole_value(touch(profile), "catch_up"), 40);
    EXPECT_EQ(value_at(touch(profile), 0, "catch_up"), std::nullopt);
    profile.values[{3, "catch_up"}] = {40, false};
    EXPECT_THAT(refused(profile), HasSubstr("catch_up is for the whole instrument"));
}

TEST(ProfileTouch, RowsOfAnotherBuildAreNamedAndDoNothing) {
    Profile profile = grand();
    profile.values[{kWholeInstrument, "let_off_mm"}] = {1.6, false};
    profile.values[{49, "let_off_mm"}] = {1.5, false};
    const Touch made = touch(profile);
    ASSERT_EQ(made.warnings.size(), 1u);
    EXPECT_THAT(made.warnings[0], HasSubstr("let_off_mm"));
    EXPECT_EQ(keyboard::grand_values(48, made.grand), keyboard::grand_values(48));
}

TEST(ProfileTouch, SoundIsSetForTheWholeInstrument) {
    storage::Profile profile{.name = "My grand", .action = "grand"};
    profile.values[{storage::kWholeInstrument, "lid"}] = {3, false};
    profile.values[{storage::kWholeInstrument, "string_resonance_percent"}] = {-40, true};
    profile.values[{storage::kWholeInstrument, "pedal_noise_percent"}] = {200, false};
    const auto touch = touch_of(profile);
    ASSERT_TRUE(touch.ok()) << touch.error();
    EXPECT_EQ(touch.value().sound.lid_open(), 0.5);
    EXPECT_NEAR(touch.value().sound.resonance(), 0.6, 1e-12);
    EXPECT_EQ(touch.value().sound.noise_levels(), (audio::NoiseLevels{1, 1, 1, 1, 1, 2}));
    EXPECT_EQ(whole_value(touch.value(), "lid"), 3);
    EXPECT_EQ(value_at(touch.value(), 48, "lid"), std::nullopt);
    profile.values[{49, "lid"}] = {3, false};
    EXPECT_EQ(touch_of(profile).error(), "profile 'My grand', key 49 (A4): lid is for the whole instrument");
    profile.values.erase({49, "lid"});
    profile.values[{storage::kWholeInstrument, "lid"}] = {7, false};
    EXPECT_FALSE(touch_of(profile).ok());
}

TEST(ProfileTouch, MotorsAreSetForTheWholeInstrumentAndLimitsOnlyLowered) {
    storage::Profile profile{.name = "My grand", .action = "grand"};
    profile.values[{storage::kWholeInstrument, "force_peak_N"}] = {20, false};
    profile.values[{storage::kWholeInstrument, "device_weight_N"}] = {0.2, true};
    const auto touch = touch_of(profile);
    ASSERT_TRUE(touch.ok()) << touch.error();
    EXPECT_EQ(touch.value().haptics[keyboard::haptic_row("force_peak_N")], 20);
    EXPECT_EQ(touch.value().haptics[keyboard::haptic_row("device_weight_N")], 0.2);
    EXPECT_EQ(whole_value(touch.value(), "force_peak_N"), 20);
    profile.values[{storage::kWholeInstrument, "force_peak_N"}] = {61, false};
    EXPECT_FALSE(touch_of(profile).ok());
    profile.values[{storage::kWholeInstrument, "force_peak_N"}] = {20, false};
    profile.values[{1, "force_peak_N"}] = {10, false};
    EXPECT_EQ(touch_of(profile).error(), "profile 'My grand', key 1 (A0): force_peak_N is for the whole instrument");
}

}  // namespace
}  // namespace letoff::ui
