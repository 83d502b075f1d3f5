#include "storage/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "storage/utf8.h"
#include "tests/storage/profile_examples.h"

namespace letoff::storage {
namespace {

using test::example;
using test::kRows;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string objection(const Profile& profile) {
    const auto checked = check_profile(profile, kRows, "profile");
    return checked ? "" : checked.error();
}

TEST(Profile, AnExampleIsFine) {
    EXPECT_EQ(objection(example()), "");
    Profile empty = example();
    empty.values.clear();
    empty.notes.clear();
    EXPECT_EQ(objection(empty), "");
}

TEST(Profile, NamesArePrintableAndBounded) {
    for (const char* good : {"A", "Mein Flügel", "1901 (worn)", "ピアノ"}) EXPECT_TRUE(check_profile_name(good).ok());
    EXPECT_TRUE(check_profile_name(std::string(kLongestName_bytes, 'x')).ok());
    for (const std::string& wrong :
         {std::string(), std::string(" x"), std::string("x "), std::string("a@3"), std::string("a\nb"),
          std::string("\xFF"), std::string("a\0b", 3), std::string(kLongestName_bytes + 1, 'x')}) {
        const auto checked = check_profile_name(wrong);
        ASSERT_FALSE(checked.ok()) << wrong;
        EXPECT_THAT(checked.error(), HasSubstr("cannot be the name of a profile"));
        EXPECT_TRUE(is_clean_text(checked.error(), TextShape::kOneLine)) << checked.error();
    }
}

TEST(Profile, ValuesKeepTheLimitsOfTheirRows) {
    Profile profile = example();
    profile.values[{49, "hammer_g"}] = {31, false};
    EXPECT_THAT(objection(profile), AllOf(HasSubstr("key 49 (A4)"), HasSubstr("hammer_g is 31"), HasSubstr("30 g")));
    profile.values[{49, "hammer_g"}] = {27, true};  // the whole range
    EXPECT_EQ(objection(profile), "");
    profile.values[{49, "hammer_g"}] = {-27.5, true};
    EXPECT_THAT(objection(profile), HasSubstr("hammer_g is changed by -27.5"));
    profile.values[{49, "hammer_g"}] = {std::nan(""), true};
    EXPECT_THAT(objection(profile), HasSubstr("a finite number is needed"));
}

TEST(Profile, ValuesOfUnknownRowsNeedOnlyBeFinite) {
    Profile profile = example();
    profile.values[{49, "not_yet"}] = {-1e300, false};
    EXPECT_EQ(objection(profile), "");
    profile.values[{49, "not_yet"}] = {std::numeric_limits<double>::infinity(), false};
    EXPECT_THAT(objection(profile), HasSubstr("not_yet"));
}

TEST(Profile, PlacesAreKeysAndRowNames) {
    const auto refused = [](const ProfilePlace& wrong) {
        Profile profile = example();
        profile.values[wrong] = {1, false};
        return objection(profile);
    };
    EXPECT_THAT(refused({89, "not_yet"}), HasSubstr("no key 89"));
    EXPECT_THAT(refused({-1, "not_yet"}), HasSubstr("no key -1"));
    for (const std::string& wrong : {std::string(), std::string("a b"), std::string(65, 'x')})
        EXPECT_THAT(refused({1, wrong}), HasSubstr("is no name of a value")) << wrong;
}

TEST(Profile, TextsAreBounded) {
    Profile profile = example();
    profile.notes = std::string(kLongestNotes_bytes + 1, 'x');
    EXPECT_THAT(objection(profile), HasSubstr("notes"));
    profile.notes = "bell \a";
    EXPECT_THAT(objection(profile), HasSubstr("notes"));
    profile = example();
    profile.action = "Grand piano";
    EXPECT_THAT(objection(profile), HasSubstr("'Grand piano' is no name of an action"));
    EXPECT_TRUE(check_revision_note("let-off after the humid week").ok());
    EXPECT_FALSE(check_revision_note("two\nlines").ok());
    EXPECT_FALSE(check_revision_note(std::string(kLongestNote_bytes + 1, 'x')).ok());
}

TEST(Profile, DifferencesAreThoseOfEveryPlace) {
    ProfileValues before = example().values, after = before;
    EXPECT_TRUE(difference(before, after).empty());
    after.erase({49, "hammer_g"});
    after[{1, "hammer_g"}] = {4, false};
    after[{kWholeInstrument, "blow_mm"}] = {44.5, true};  // the number alike, its meaning not
    const auto changes = difference(before, after);
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_EQ(changes[0].place.row, "blow_mm");
    EXPECT_FALSE(changes[0].before->relative);
    EXPECT_TRUE(changes[0].after->relative);
    EXPECT_EQ(changes[1].place.key, 1);
    EXPECT_FALSE(changes[1].before.has_value());
    EXPECT_EQ(changes[2].place.key, 49);
    EXPECT_FALSE(changes[2].after.has_value());
}

TEST(Utf8, OnlyWholeCharactersThatCanBeShown) {
    const auto clean = [](std::string_view text) { return is_clean_text(text, TextShape::kOneLine); };
    for (const char* good : {"", "~", "\xC2\xA0", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"})
        EXPECT_TRUE(clean(good)) << good;
    for (const char* wrong :
         {"\x7F", "\t", "\xC2", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xC2\x41", "\xC2\x85"})
        EXPECT_FALSE(clean(wrong)) << wrong;
    EXPECT_TRUE(is_clean_text("a\n\tb", TextShape::kLines));
    EXPECT_FALSE(is_clean_text("a\rb", TextShape::kLines));
}

}  // namespace
}  // namespace letoff::storage
