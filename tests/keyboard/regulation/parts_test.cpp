// A technician's terms for the parts of an action: each does to the numbers, and to the touch, what it says.
#include "keyboard/regulation/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "keyboard/action/registers.h"
#include "keyboard/bench/stanwood.h"
#include "keyboard/regulation/figures.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using ::testing::HasSubstr;

std::size_t part_named(std::string_view id) {
    const core::Row* row = core::find(kPartRows, id);
    EXPECT_NE(row, nullptr) << id;
    return static_cast<std::size_t>(row - kPartRows.data());
}
GrandValues with(std::string_view id, double value, bool relative = false, int key = kA4) {
    const PartOfKey part{key, part_named(id), value, relative};
    return with_parts(grand_values(key), key, {&part, 1});
}
double read(std::string_view id, const GrandValues& v) {
    return kParts[part_named(id)].read(v);
}
Touchweight weighed(const GrandValues& values) {
    const KeyBuild build{values, true, nullptr, kA4};
    return measure_keys({&build, 1}, {.weights = true}).front().touchweight;
}

TEST(Parts, ReadingGivesWhatWasSet) {
    for (const Part& part : kParts) {
        const double value = part.row.default_value + 0.1 * (part.row.maximum - part.row.default_value);
        const GrandValues v = with(part.row.id, value);
        // Terms without a memory read as built.
        const bool remembers = part.read(v) != part.read(grand_defaults());
        if (remembers) {
            EXPECT_NEAR(part.read(v), value, 1e-9 * std::abs(value)) << part.row.id;
        }
        if (part.row.id != "key_lead_place_mm") {
            EXPECT_NE(v, grand_values(kA4)) << part.row.id << " does nothing";
        }
    }
}

TEST(Parts, DefaultsAreTheGrandAtA4) {
    for (const Part& part : kParts) {
        EXPECT_NEAR(part.read(grand_defaults()), part.row.default_value, 0.02 * std::abs(part.row.default_value) + 1e-9)
            << part.row.id;
    }
}

TEST(Parts, ThreeGramsOnTheHammerAreOnItsHead) {
    const GrandValues before = grand_values(kA4), after = with("hammer_mass_g", 3, true);
    EXPECT_NEAR(after[grand_row("hammer_mass_kg")] - before[grand_row("hammer_mass_kg")], 0.003, 1e-12);
    // 3 g at 130 mm along and 30 mm across the shank.
    EXPECT_NEAR(after[grand_row("hammer_inertia_kgm2")] - before[grand_row("hammer_inertia_kgm2")],
                0.003 * (0.130 * 0.130 + 0.030 * 0.030), 1e-12);
    EXPECT_NEAR(read("strike_weight_g", after) - read("strike_weight_g", before), 3.0, 1e-9);
}

TEST(Parts, StrikeAndFrontWeightAreStanwoods) {
    const TestKey& key = a4();
    const StanwoodWeights w = measure_stanwood(key, measure_regulation(key), {48.5, 25});
    EXPECT_NEAR(read("strike_weight_g", key.build.values), w.strike_weight_g, 0.05);
    EXPECT_NEAR(read("front_weight_g", key.build.values), w.front_weight_g, 0.05);
}

// 15 g of lead at 150 mm are 10 g at the finger; nearer to the balance rail it takes more for as much.
TEST(Parts, LeadsTakeOffDownAndUpWeightAlike) {
    const Touchweight as_built = weighed(grand_values(kA4)), leaded = weighed(with("key_lead_g", 15));
    EXPECT_NEAR(as_built.down_weight_g - leaded.down_weight_g, 10, 0.5);
    EXPECT_NEAR(as_built.up_weight_g - leaded.up_weight_g, 10, 0.5);
    const std::array<PartOfKey, 2> near{PartOfKey{kA4, part_named("key_lead_place_mm"), 75, false},
                                        PartOfKey{kA4, part_named("front_weight_g"), 10, true}};
    const GrandValues v = with_parts(grand_values(kA4), kA4, near);
    EXPECT_NEAR(v[grand_row("key_mass_kg")] - grand_defaults()[grand_row("key_mass_kg")], 0.030, 1e-9);
    EXPECT_NEAR(as_built.balance_weight_g() - weighed(v).balance_weight_g(), 10, 0.5);
}

TEST(Parts, AssistTakesOffWeightWithoutInertia) {
    const GrandValues v = with("assist_g", 8);
    EXPECT_NEAR(weighed(grand_values(kA4)).balance_weight_g() - weighed(v).balance_weight_g(), 8, 0.5);
    EXPECT_EQ(v[grand_row("key_inertia_kgm2")], grand_defaults()[grand_row("key_inertia_kgm2")]);
    EXPECT_EQ(v[grand_row("key_mass_kg")], grand_defaults()[grand_row("key_mass_kg")]);
}

TEST(Parts, PinFrictionIsTheFingersGrams) {
    const Touchweight as_built = weighed(grand_values(kA4)), tight = weighed(with("key_pin_friction_g", 4, true));
    EXPECT_NEAR(tight.friction_g() - as_built.friction_g(), 4, 0.5);
    EXPECT_NEAR(tight.balance_weight_g(), as_built.balance_weight_g(), 0.5);
}

// A felt that gives half as much more under the same force: F(1.5 d) is what F(d) was.
TEST(Parts, SoftFeltGivesSoMuchMore) {
    for (const char* felt : {"knuckle", "heel", "front_rail"}) {
        const std::string id = std::string(felt) + "_softness_percent", k = std::string(felt) + "_felt_k";
        const GrandValues v = with(id, 50);
        const auto row = static_cast<std::size_t>(core::find(kGrandRows, k) - kGrandRows);
        ASSERT_EQ(kGrandRows[row + 1].id, std::string(felt) + "_felt_r");
        ASSERT_EQ(kGrandRows[row + 2].id, std::string(felt) + "_felt_b");
        const double d = 1e-3, r = v[row + 1];
        EXPECT_NEAR(v[row] * std::pow(1.5 * d, r), grand_defaults()[row] * std::pow(d, r), 1e-6) << felt;
        // d^2 d' with both one and a half times
        EXPECT_NEAR(v[row + 2] * 1.5 * 1.5 * 1.5, grand_defaults()[row + 2], 1e-6 * grand_defaults()[row + 2]) << felt;
    }
}

TEST(Parts, AKeysOwnGoesOnTopOfTheWholeInstruments) {
    const std::size_t hammer = part_named("hammer_mass_g");
    const std::vector<PartOfKey> parts{{PartOfKey::kEveryKey, hammer, 1, true}, {kA4, hammer, 2, true}};
    const auto mass_g = [&](int key, std::span<const PartOfKey> asked) {
        return 1e3 * with_parts(grand_values(key), key, asked)[grand_row("hammer_mass_kg")];
    };
    const double a4_g = 1e3 * grand_values(kA4)[grand_row("hammer_mass_kg")];
    EXPECT_NEAR(mass_g(kA4, parts), a4_g + 3, 1e-9);
    EXPECT_NEAR(mass_g(0, parts), 1e3 * grand_values(0)[grand_row("hammer_mass_kg")] + 1, 1e-9);
    const std::vector<PartOfKey> absolute{{PartOfKey::kEveryKey, hammer, 1, true}, {kA4, hammer, 9, false}};
    EXPECT_NEAR(mass_g(kA4, absolute), 9, 1e-9);
    EXPECT_EQ(with_parts(grand_values(3), 3, {{{kA4, hammer, 2, true}}}), grand_values(3)) << "another key's";
}

TEST(Parts, WhatLeadsBeyondALimitIsASentence) {
    std::string why;
    const PartOfKey much{kA4, part_named("hammer_mass_g"), 25, true};
    with_parts(grand_values(kA4), kA4, {&much, 1}, &why);
    EXPECT_THAT(why, HasSubstr("hammer_mass_g is 35.2, it must be between 3.06 and 30.6 g"));
    why.clear();
    const PartOfKey strong{kA4, part_named("assist_g"), -30, false};  // the key's middle would lie behind the rail
    const GrandValues v = with_parts(grand_values(kA4), kA4, {&strong, 1}, &why);
    EXPECT_EQ(why, "");
    EXPECT_TRUE(std::isfinite(v[grand_row("key_com_x_mm")]));
}

TEST(Parts, WornAndDampActionsFeelSo) {
    const Touchweight as_built = weighed(grand_values(kA4));
    EXPECT_NEAR(read("hammer_centre_friction_g", with("wear_percent", 100)),
                0.5 * read("hammer_centre_friction_g", grand_values(kA4)), 1e-9);
    EXPECT_GT(weighed(with("humidity_percent", 75)).friction_g(), as_built.friction_g() + 1);
    EXPECT_LT(weighed(with("humidity_percent", 20)).friction_g(), as_built.friction_g() - 0.5);
    const KeyBuild worn{with("wear_percent", 100), true, nullptr, kA4}, fresh{grand_values(kA4), true, nullptr, kA4};
    EXPECT_GT(measure_keys({&worn, 1}).front().regulation.key_dip_m,
              measure_keys({&fresh, 1}).front().regulation.key_dip_m + 2e-4)
        << "thin punchings";
}

}  // namespace
}  // namespace letoff::keyboard
