#include "core/param/row.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace letoff::core {
namespace {

constexpr std::array<Row, 3> kRegulation = {{
    {"let_off_mm", "mm", 1.6, 0.5, 5.0, Live::kTechnician, "Crown to string at let-off."},
    {"volume", "", 1, 0, 2, Live::kPlayer, "How loud everything is."},
    {"keys", "", 88, 88, 88, Live::kNobody, "How many keys there are."},
}};
constexpr std::array<Row, 1> kSound = {{{"gain_db", "dB", -6, -60, 12, Live::kPlayer, "Gain of the output."}}};
static_assert(table_is_sound(kRegulation));

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::array<std::string_view, 3> kColours{"red", "green", "blue"};
constexpr std::array<Row, 1> kChoice = {
    {{"colour", "", 1, 0, 2, Live::kNobody, "Which colour.", std::span<const std::string_view>(kColours)}}};
static_assert(table_is_sound(kChoice));
constexpr std::array<Row, 1> kTooFew = {
    {{"colour", "", 1, 0, 3, Live::kNobody, "Which colour.", std::span<const std::string_view>(kColours)}}};
static_assert(!table_is_sound(kTooFew));

TEST(RowTest, AChoiceIsAskedForByNameOrNumberAndNothingBetween) {
    EXPECT_EQ(validate(kChoice[0], "blue").value(), 2);
    EXPECT_EQ(validate(kChoice[0], "0").value(), 0);
    EXPECT_EQ(validate(kChoice[0], "pink").error(), "colour is 'pink', it must be one of red, green, blue.");
    EXPECT_EQ(validate(kChoice[0], 1.5).error(), "colour is 1.5, it must be one of red, green, blue.");
    EXPECT_EQ(validate(kChoice[0], "3").error(), "colour is 3, it must be one of red, green, blue.");
    EXPECT_EQ(value_text(kChoice[0], 2), "blue");
    EXPECT_EQ(value_text(kChoice[0], 7), "7");
    EXPECT_EQ(value_text(kRegulation[0], 1.5), "1.5");
}

TEST(RowTest, ClampGivesTheNearestAllowedAndTheDefaultForNoNumber) {
    EXPECT_EQ(clamp_to(kRegulation[0], 0.1), 0.5);
    EXPECT_EQ(clamp_to(kRegulation[0], 2.25), 2.25);
    EXPECT_EQ(clamp_to(kRegulation[0], kInfinity), 5.0);
    EXPECT_EQ(clamp_to(kRegulation[0], kNan), 1.6);
}

TEST(RowTest, LimitsThemselvesAreValid) {
    EXPECT_EQ(validate(kRegulation[0], 0.5).value(), 0.5);
    EXPECT_EQ(validate(kRegulation[0], 5.0).value(), 5.0);
}

TEST(RowTest, TheSentenceNamesTheThingTheValueAndWhatIsAccepted) {
    EXPECT_EQ(validate(kRegulation[0], 0.4).error(), "let_off_mm is 0.4, it must be between 0.5 and 5 mm.");
    EXPECT_EQ(validate(kRegulation[1], -1).error(), "volume is -1, it must be between 0 and 2.");
    EXPECT_EQ(validate(kRegulation[2], 61).error(), "keys is 61, it must be 88.");
    EXPECT_EQ(validate(kRegulation[0], kNan).error(), "let_off_mm is nan, it must be between 0.5 and 5 mm.");
    EXPECT_FALSE(validate(kRegulation[0], kInfinity).ok());
}

TEST(RowTest, TextMustBeOneNumberAndNothingElse) {
    EXPECT_EQ(validate(kRegulation[0], "1.75").value(), 1.75);
    EXPECT_EQ(validate(kRegulation[0], "2e0").value(), 2.0);
    for (const char* bad : {"", " ", "1,6", "1.6mm", " 1.6", "1.6 ", "--1", "x", "nan", "inf", "1e999", "9"}) {
        const auto result = validate(kRegulation[0], bad);
        ASSERT_FALSE(result.ok()) << bad;
        EXPECT_TRUE(result.error().starts_with("let_off_mm is ")) << result.error();
    }
    EXPECT_EQ(validate(kRegulation[0], "1,6").error(),
              "let_off_mm is '1,6', not a number; it must be between 0.5 and 5 mm.");
}

TEST(RowTest, FindsByTheWholeIdInOneTableOrSeveral) {
    EXPECT_EQ(find(kRegulation, "volume"), &kRegulation[1]);
    EXPECT_EQ(find(kRegulation, "vol"), nullptr);
    const std::array<std::span<const Row>, 2> tables = {kRegulation, kSound};
    EXPECT_EQ(find(tables, "gain_db"), &kSound[0]);
    EXPECT_EQ(find(tables, "let_off_mm"), &kRegulation[0]);
    EXPECT_EQ(find(tables, ""), nullptr);
}

TEST(RowTest, AnUnsoundTableIsSeen) {
    const Row good{"a", "", 1, 0, 2, Live::kPlayer, "Good."};
    const auto sound = [](const Row& row) { return table_is_sound(std::span(&row, 1)); };
    EXPECT_TRUE(sound(good));
    Row bad = good;
    bad.default_value = 3;
    EXPECT_FALSE(sound(bad));
    bad = good;
    bad.minimum = 2.5;
    EXPECT_FALSE(sound(bad));
    bad = good;
    bad.maximum = kInfinity;
    EXPECT_FALSE(sound(bad));
    bad = good;
    bad.default_value = kNan;
    EXPECT_FALSE(sound(bad));
    bad = good;
    bad.sentence = "No full stop";
    EXPECT_FALSE(sound(bad));
    const std::array<Row, 2> twice = {good, good};
    EXPECT_FALSE(table_is_sound(twice));
}

}  // namespace
}  // namespace letoff::core
