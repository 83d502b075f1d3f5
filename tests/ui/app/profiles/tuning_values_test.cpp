#include "ui/app/profiles/tuning_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "ui/app/profiles/blend.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

using core::string_row;
using core::StringValues;
using storage::kWholeInstrument;
using storage::Profile;
using ::testing::HasSubstr;

Profile grand() {
    return {.name = "My grand", .action = "grand"};
}
StringValues strings_of(const Profile& profile) {
    const auto touch = touch_of(profile);
    EXPECT_TRUE(touch.ok()) << touch.error();
    return touch ? touch.value().strings : StringValues{};
}

TEST(TuningValues, AProfileWithoutThemIsThePianoAsItIs) {
    EXPECT_TRUE(strings_of(grand()) == StringValues{});
}

TEST(TuningValues, KeysFollowTheWholeInstrumentOrHaveTheirOwn) {
    Profile profile = grand();
    profile.values[{kWholeInstrument, "hammer_hardness"}] = {1.5, false};
    profile.values[{kWholeInstrument, "note_cents"}] = {2, true};
    profile.values[{49, "hammer_hardness"}] = {0.25, true};
    profile.values[{50, "note_cents"}] = {-7, false};
    const auto touch = touch_of(profile);
    ASSERT_TRUE(touch.ok()) << touch.error();
    EXPECT_EQ(value_at(touch.value(), 0, "hammer_hardness"), 1.5);
    EXPECT_EQ(value_at(touch.value(), 48, "hammer_hardness"), 1.75);
    EXPECT_EQ(value_at(touch.value(), 0, "note_cents"), 2);
    EXPECT_EQ(value_at(touch.value(), 49, "note_cents"), -7);
    EXPECT_EQ(whole_value(touch.value(), "hammer_hardness"), 1.5);
    EXPECT_EQ(value_at(touch.value(), 48, "a4_hz"), std::nullopt) << "no key has an A4 of its own";
    EXPECT_EQ(core::string_design(touch.value().strings).voices[48].felt_hardness, 1.75);
}

TEST(TuningValues, WhatCannotBeIsRefusedWithThePlace) {
    Profile of_key = grand(), beyond = grand(), between = grand();
    of_key.values[{49, "temperament"}] = {1, false};
    beyond.values[{kWholeInstrument, "note_volume_dB"}] = {10, false};
    beyond.values[{88, "note_volume_dB"}] = {5, true};
    between.values[{kWholeInstrument, "temperament"}] = {1.5, true};
    EXPECT_THAT(touch_of(of_key).error(), HasSubstr("key 49 (A4): temperament is for the whole instrument"));
    EXPECT_THAT(touch_of(beyond).error(),
                HasSubstr("key 88 (C8): note_volume_dB is 15, it must be between -60 and 12 dB"));
    EXPECT_THAT(touch_of(between).error(), HasSubstr("temperament is 1.5, it must be one of equal, just-major"));
}

TEST(TuningValues, WhatIsStoredComesBackAndWhatDidNotChangeStaysAsItWas) {
    Profile profile = grand();
    profile.values[{49, "note_cents"}] = {3, true};
    profile.values[{49, "unison_cents"}] = {2, false};
    const StringValues before = strings_of(profile);
    StringValues after = before;
    after.set_whole(string_row("a4_hz"), 440);
    after.set_whole(string_row("temperament"), 4);
    after.set_whole(string_row("unison_cents"), 1);
    after.keys[60][string_row("stretch_cents")] = 12.5;
    store_strings(before, after, profile.values);
    EXPECT_TRUE(strings_of(profile) == after);
    EXPECT_EQ((profile.values[{49, "note_cents"}]), (storage::ProfileValue{3, true}));
    EXPECT_EQ(profile.values.count({49, "unison_cents"}), 0u);
    EXPECT_EQ(profile.values.size(), 5u) << "A4, temperament, unison, one stretch, one note";
    StringValues back = before;
    store_strings(after, back, profile.values);
    EXPECT_TRUE(strings_of(profile) == before);
}

TEST(TuningValues, ABlendTakesTheNearerTemperamentAndGoesBetweenPitches) {
    Profile a = grand(), b = grand();
    a.values[{kWholeInstrument, "temperament"}] = {3, false};
    b.values[{kWholeInstrument, "temperament"}] = {8, false};
    a.values[{kWholeInstrument, "a4_hz"}] = {430, false};
    b.values[{kWholeInstrument, "a4_hz"}] = {440, false};
    for (const auto& [share, temperament, a4_hz] : {std::tuple{0.3, 3.0, 433.0}, std::tuple{0.8, 8.0, 438.0}}) {
        const auto blended = blend(a, b, share);
        ASSERT_TRUE(blended.ok()) << blended.error();
        const StringValues strings = strings_of(blended.value().profile);
        EXPECT_EQ(strings.whole[string_row("temperament")], temperament);
        EXPECT_DOUBLE_EQ(strings.whole[string_row("a4_hz")], a4_hz);
    }
}

}  // namespace
}  // namespace letoff::ui
