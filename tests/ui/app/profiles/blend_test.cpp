#include "ui/app/profiles/blend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Rows of every kind: for the instrument and for keys, absolute and relative, of one profile and of both.
storage::Profile a() {
    storage::Profile p{.name = "A", .action = "grand", .notes = "a's", .extra = R"({"maker":"a"})"};
    p.values[{0, "hammer_mass_kg"}] = {0.012, false};
    p.values[{0, "front_rail_y_mm"}] = {0.4, true};
    p.values[{0, "catch_up"}] = {20, false};
    p.values[{49, "capstan_y_mm"}] = {31.2, false};
    p.values[{49, "drop_screw_y_mm"}] = {0.2, true};
    p.values[{50, "knuckle_radius_mm"}] = {4.8, false};
    p.values[{0, "salt"}] = {1, false};
    return p;
}
storage::Profile b() {
    storage::Profile p{.name = "B", .action = "grand", .notes = "b's"};
    p.values[{0, "hammer_mass_kg"}] = {0.009, false};
    p.values[{0, "key_mass_kg"}] = {0.14, false};
    p.values[{49, "capstan_y_mm"}] = {0.1, true};
    p.values[{49, "drop_screw_y_mm"}] = {-0.1, true};
    p.values[{0, "pepper"}] = {2, false};
    p.values[{0, "salt"}] = {3, false};
    return p;
}

TEST(Blend, RowsRunStraightBetweenTheTwo) {
    const auto blended = blend(a(), b(), 0.3);
    ASSERT_TRUE(blended.ok()) << blended.error();
    const storage::ProfileValues& v = blended.value().profile.values;
    const auto value = [&](int key, const char* row) { return v.at({key, row}); };
    EXPECT_EQ(value(0, "hammer_mass_kg"), (storage::ProfileValue{0.0111, false}));
    EXPECT_EQ(value(0, "key_mass_kg"), (storage::ProfileValue{0.126, false})) << "A has the action's 0.12";
    EXPECT_EQ(value(0, "front_rail_y_mm"), (storage::ProfileValue{0.28, true})) << "B has none: 0";
    EXPECT_EQ(value(0, "catch_up"), (storage::ProfileValue{44, false})) << "B has 100";
    EXPECT_EQ(value(49, "drop_screw_y_mm"), (storage::ProfileValue{0.11, true}));
    EXPECT_EQ(value(49, "capstan_y_mm"), (storage::ProfileValue{31.1616, false})) << "B's key comes to 31.072";
    EXPECT_EQ(value(50, "knuckle_radius_mm"), (storage::ProfileValue{4.86, false}));
    const Touch touch = touch_of(blended.value().profile).value();
    EXPECT_DOUBLE_EQ(value_at(touch, 48, "hammer_mass_kg").value_or(0), 0.0111);
}

TEST(Blend, TheEndsAreTheProfilesThemselves) {
    const auto of = [](double share) { return blend(a(), b(), share).value().profile; };
    EXPECT_EQ(of(0), a());
    storage::ProfileValues all_b = b().values;
    all_b.erase({0, "pepper"});
    all_b[{0, "salt"}] = {1, false};
    EXPECT_EQ(of(1).values, all_b);
    // The same the other way round, and one profile with itself anywhere.
    for (const double share : {0.0, 0.17, 0.5, 1.0}) EXPECT_EQ(blend(a(), a(), share).value().profile, a()) << share;
}

TEST(Blend, TextsAndUnknownRowsAreTheFirstsAndAreNamed) {
    const Blend blended = blend(a(), b(), 0.5).value();
    EXPECT_EQ(blended.profile.notes, "a's");
    EXPECT_EQ(blended.profile.extra, a().extra);
    EXPECT_EQ(blended.profile.values.at({0, "salt"}).value, 1);
    EXPECT_FALSE(blended.profile.values.contains({0, "pepper"}));
    EXPECT_THAT(blended.kept, ElementsAre("pepper", "salt"));
}

TEST(Blend, OtherActionsAreRefused) {
    storage::Profile upright = b();
    upright.action = "clavichord";
    EXPECT_THAT(blend(a(), upright, 0.5).error(), HasSubstr("'B' for 'clavichord'"));
    storage::Profile other = a();
    other.action = "clavichord";
    EXPECT_THAT(blend(other, upright, 0.5).error(), HasSubstr("this version has: grand"));
}

// At the limits of a row no rounding may lead beyond it.
TEST(Blend, LimitsAreNotPassed) {
    storage::Profile low = a(), high = a();
    low.values = {{{0, "capstan_x_mm"}, {91.686438, false}}};
    high.values = {{{0, "capstan_x_mm"}, {111.686438, false}}};
    for (int i = 0; i <= 1000; ++i) EXPECT_TRUE(blend(low, high, i / 1000.0).ok()) << i;
}

}  // namespace
}  // namespace letoff::ui
