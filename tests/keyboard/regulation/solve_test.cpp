// Screws are turned until the bench measures what was asked, on the keys asked and with what cannot be refused.
#include "keyboard/regulation/solve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr double kMm = 1e-3;

std::size_t figure(std::string_view id) {
    const core::Row* row = core::find(kFigureRows, id);
    EXPECT_NE(row, nullptr) << id;
    return static_cast<std::size_t>(row - kFigureRows.data());
}
std::vector<RegulatedKey> regulated(const std::vector<Wanted>& wanted, const std::vector<int>& keys,
                                    const GrandTouch& touch = {}) {
    const auto executor = core::make_executor("inline", 1);
    auto done = regulate_keys({touch, touch, wanted, piano_strings()}, keys, *executor.value());
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error());
    return done.ok() ? std::move(done.value()) : std::vector<RegulatedKey>{};
}
/// The bench's own measurement, of one key by itself, after the turns.
Regulation measured(const RegulatedKey& key, const GrandTouch& touch = {}) {
    const GrandTouch after = turned(touch, key.key_index, key.turns);
    return measure_regulation(settle_test_key(grand_keys(piano_strings(), key.key_index, 1, after).front()));
}

TEST(Figures, ScrewsAreRowsAndEveryFigureHasOne) {
    for (const Screw& screw : kScrews) {
        EXPECT_TRUE(core::find(kGrandRows, screw.row) != nullptr || core::find(kPartRows, screw.row) != nullptr)
            << screw.row;
    }
    for (std::size_t f = 0; f < kFigureCount; ++f) {
        const auto screws = screws_for({{f}});
        ASSERT_TRUE(screws.ok()) << kFigureRows[f].id;
        EXPECT_NE(kScrews[screws.value().front()].changes[f], 0.0) << kFigureRows[f].id;
    }
}

TEST(Figures, TwoFiguresOfOneScrewAreRefused) {
    const std::vector<std::size_t> three{figure("down_weight_g"), figure("up_weight_g"), figure("friction_g")};
    EXPECT_THAT(screws_for(three).error(), AllOf(HasSubstr("friction_g"), HasSubstr("together with up_weight_g")));
    EXPECT_TRUE(screws_for({{figure("key_dip_mm"), figure("aftertouch_mm")}}).ok()) << "the capstan then makes it";
}

TEST(Figures, KeysSideBySideAreMeasuredAsOneByOne) {
    const std::vector<KeyBuild> builds{grand_build(1), grand_build(49), grand_build(88)};
    const std::vector<Measured> together = measure_keys(builds, {.weights = true});
    const std::vector<int> keys{1, 49, 88};
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const TestKey& key = grand_key(keys[k]);
        const Regulation alone = measure_regulation(key);
        const Touchweight weights = measure_touchweight(key, alone);
        EXPECT_EQ(together[k].regulation.blow_m, alone.blow_m) << keys[k];
        EXPECT_EQ(together[k].regulation.let_off_m, alone.let_off_m) << keys[k];
        EXPECT_EQ(together[k].regulation.drop_m, alone.drop_m) << keys[k];
        EXPECT_EQ(together[k].touchweight.down_weight_g, weights.down_weight_g) << keys[k];
        EXPECT_EQ(together[k].touchweight.up_weight_g, weights.up_weight_g) << keys[k];
    }
}

TEST(Solve, LetOffIsWhatWasAskedOnBassMiddleAndTreble) {
    for (const RegulatedKey& key : regulated({{figure("let_off_mm"), 1.6, false}}, {0, kA4, 87})) {
        EXPECT_EQ(key.refused, "");
        ASSERT_EQ(key.turns.size(), 1u);
        EXPECT_EQ(key.turns[0].row, "let_off_button_y_mm");
        EXPECT_NEAR(measured(key).let_off_m, 1.6 * kMm, 0.01 * kMm) << key.key_index;
    }
}

// They all pull at one another: capstan, punching, button, drop screw and backcheck.
TEST(Solve, AWholeRegulationAtOnce) {
    const auto keys = regulated({{figure("blow_mm"), 44, false},
                                 {figure("key_dip_mm"), 10.2, false},
                                 {figure("let_off_mm"), 1.5, false},
                                 {figure("drop_mm"), 1.5, false},
                                 {figure("check_distance_mm"), 14, false}},
                                {kA4});
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_EQ(keys[0].refused, "");
    const Regulation r = measured(keys[0]);
    EXPECT_NEAR(r.blow_m, 44 * kMm, 0.05 * kMm);
    EXPECT_NEAR(r.key_dip_m, 10.2 * kMm, 0.05 * kMm);
    EXPECT_NEAR(r.let_off_m, 1.5 * kMm, 0.05 * kMm);
    EXPECT_NEAR(r.drop_m, 1.5 * kMm, 0.05 * kMm);
    EXPECT_NEAR(keys[0].after.stroke.check_distance_m, 14 * kMm, 0.2 * kMm);
}

TEST(Solve, RelativeWishesGoOnFromWhatWasMeasured) {
    const auto keys = regulated({{figure("let_off_mm"), -0.3, true}}, {kA4});
    EXPECT_NEAR(keys[0].after.regulation.let_off_m - keys[0].before.regulation.let_off_m, -0.3 * kMm, 0.01 * kMm);
}

TEST(Solve, AftertouchIsThePunchingsUnlessDipWasAskedToo) {
    const auto by_dip = regulated({{figure("aftertouch_mm"), 1.3, false}}, {kA4});
    ASSERT_EQ(by_dip[0].turns.size(), 1u);
    EXPECT_EQ(by_dip[0].turns[0].row, "front_rail_y_mm");
    EXPECT_NEAR(measured(by_dip[0]).aftertouch_m, 1.3 * kMm, 0.05 * kMm);
    const auto by_blow = regulated({{figure("key_dip_mm"), 10, false}, {figure("aftertouch_mm"), 1.3, false}}, {kA4});
    EXPECT_NEAR(measured(by_blow[0]).aftertouch_m, 1.3 * kMm, 0.05 * kMm);
    EXPECT_NEAR(measured(by_blow[0]).key_dip_m, 10 * kMm, 0.05 * kMm);
    EXPECT_LT(measured(by_blow[0]).blow_m, by_blow[0].before.regulation.blow_m) << "the hammer comes nearer";
}

TEST(Solve, WeightsByLeadsAndPins) {
    const auto keys = regulated({{figure("down_weight_g"), 50, false}, {figure("up_weight_g"), 24, false}}, {0, kA4});
    for (const RegulatedKey& key : keys) {
        EXPECT_EQ(key.refused, "");
        const GrandTouch after = turned({}, key.key_index, key.turns);
        const TestKey built = settle_test_key(grand_keys(piano_strings(), key.key_index, 1, after).front());
        const Touchweight t = measure_touchweight(built, measure_regulation(built));
        EXPECT_NEAR(t.down_weight_g, 50, 1) << key.key_index;
        EXPECT_NEAR(t.up_weight_g, 24, 1) << key.key_index;
    }
}

// The action was tried: the sentence tells the range in which it works.
TEST(Solve, WhatCannotBeIsRefusedWithTheRangeThatCan) {
    const auto keys = regulated({{figure("let_off_mm"), 9, false}}, {kA4});
    EXPECT_THAT(
        keys[0].refused,
        MatchesRegex("let_off_mm of A4 can be 0\\.[0-9] to [2-4]\\.[0-9] mm, not 9: the hammer does not fall.*"));
    const FigureRange range = range_that_works({}, kA4, figure("let_off_mm"),
                                               screws_for({{figure("let_off_mm")}}).value()[0], piano_strings());
    for (const double inside : {range.low + 0.1, range.high - 0.1})
        EXPECT_EQ(regulated({{figure("let_off_mm"), inside, false}}, {kA4})[0].refused, "") << inside;
    for (const double outside : {range.low - 0.1, range.high + 0.1})
        EXPECT_NE(regulated({{figure("let_off_mm"), outside, false}}, {kA4})[0].refused, "") << outside;
}

/// Each key by itself on the bench, weighed as `letoff measure` weighs: within 1 g and 0.05 mm.
void expect_feel(const std::vector<int>& key_indices) {
    const auto executor = core::make_executor("tbb", 2);
    const std::vector<Wanted> wanted{
        {figure("let_off_mm"), 1.6, false}, {figure("down_weight_g"), 50, false}, {figure("up_weight_g"), 24, false}};
    const GrandTouch touch;
    const auto keys = regulate_keys({touch, touch, wanted, piano_strings()}, key_indices, *executor.value());
    ASSERT_TRUE(keys.ok());
    double last_lead_g = 0;
    int last_key = -1;
    for (const RegulatedKey& key : keys.value()) {
        EXPECT_EQ(key.refused, "");
        const GrandTouch after = turned({}, key.key_index, key.turns);
        const TestKey built = settle_test_key(grand_keys(piano_strings(), key.key_index, 1, after).front());
        const Regulation r = measure_regulation(built);
        const Touchweight t = measure_touchweight(built, r);
        EXPECT_NEAR(r.let_off_m, 1.6 * kMm, 0.05 * kMm) << key.key_index;
        EXPECT_NEAR(t.down_weight_g, 50, 1) << key.key_index;
        EXPECT_NEAR(t.up_weight_g, 24, 1) << key.key_index;
        double lead_g = 0;
        for (const Turn& turn : key.turns) lead_g += turn.row == "key_lead_g" ? turn.by : 0;
        // Smooth: neighbours differ by no more than the step of the weights, half a gram, comes to in lead.
        if (last_key + 1 == key.key_index && last_key >= 0) {
            EXPECT_NEAR(lead_g, last_lead_g, 0.8) << key.key_index;
        }
        last_lead_g = lead_g;
        last_key = key.key_index;
    }
}

// Each of the two weights can be had, but their half difference is a friction that no pin gives.
TEST(Solve, WhatCannotBeTogetherIsRefusedWithTheNearest) {
    const auto keys = regulated({{figure("down_weight_g"), 45, false}, {figure("up_weight_g"), 40, false}}, {48});
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_THAT(keys[0].refused,
                MatchesRegex("(down|up)_weight_g of A4 comes to [0-9.]+ g at the nearest beside what else is "
                             "asked, not 4[05]; alone it can be [0-9.]+ to [0-9.]+"));
}

TEST(Solve, FeelAcrossTheKeyboard) {
    expect_feel({0, 12, 25, 26, kA4, 60, 75, 87});
}

TEST(SolveLong, FeelOfEveryKey) {
    std::vector<int> all(core::kKeyCount);
    std::iota(all.begin(), all.end(), 0);
    expect_feel(all);
}

TEST(Solve, ThreadsChangeNoBit) {
    std::vector<int> keys;
    for (int k = 30; k < 48; ++k) keys.push_back(k);
    const GrandTouch touch;
    const std::vector<Wanted> wanted{{figure("let_off_mm"), 1.7, false}};
    const auto one = core::make_executor("inline", 1), two = core::make_executor("tbb", 2);
    const auto a = regulate_keys({touch, touch, wanted, piano_strings()}, keys, *one.value());
    const auto b = regulate_keys({touch, touch, wanted, piano_strings()}, keys, *two.value());
    for (std::size_t k = 0; k < keys.size(); ++k)
        EXPECT_EQ(a.value()[k].turns.at(0).by, b.value()[k].turns.at(0).by) << k;
}

}  // namespace
}  // namespace letoff::keyboard
