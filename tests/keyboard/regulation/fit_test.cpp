// A force curve with noise tells what made it: friction, leads, spring, let-off, damper.
#include "keyboard/regulation/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using ::testing::HasSubstr;

constexpr double kNoise_N = 0.01;  // of a good force gauge

double value_of(const GrandTouch& touch, int key, std::string_view row) {
    const GrandValues v = grand_values(key, touch);
    if (const core::Row* raw = core::find(kGrandRows, row)) return v[static_cast<std::size_t>(raw - kGrandRows)];
    return kParts[core::find(kPartRows, row) - kPartRows.data()].read(v);
}

std::vector<CurvePoint> noisy_curve(const GrandTouch& touch, int key, unsigned seed) {
    const ForceCurve curve = swept_curves(grand_keys(piano_strings(), key, 1, touch), 0.0103).front();
    std::mt19937 generator(seed);
    std::normal_distribution<double> noise(0, kNoise_N);
    std::vector<CurvePoint> points;
    for (std::size_t i = 0; i < curve.dip_m.size(); ++i) {
        points.push_back({curve.dip_m[i], curve.down_N[i] + noise(generator), true});
        points.push_back({curve.dip_m[i], curve.up_N[i] + noise(generator), false});
    }
    return points;
}

// Issue 5: recovers a synthetic action's parameters within 5 % from its own noisy curves.
TEST(FitCurve, RecoversASyntheticActionFromItsNoisyCurve) {
    struct Real {
        int key;
        unsigned seed;
        std::vector<Turn> turns;
    };
    const Real reals[] = {
        {kA4,
         1,
         {{"key_lead_g", 12},
          {"key_pin_friction_g", 2.5},
          {"let_off_button_y_mm", -0.06},
          {"repetition_spring_percent", 15},
          {"knuckle_friction_percent", 20},
          {"damper_gap_mm", 0.5},
          {"damper_weight_g", 6},
          {"front_rail_y_mm", 0.2}}},
        {15,
         2,
         {{"key_lead_g", -10},
          {"key_pin_friction_g", 1.5},
          {"let_off_button_y_mm", 0.04},
          {"repetition_spring_percent", -8},
          {"damper_weight_g", -5}}},
    };
    for (const Real& real : reals) {
        const GrandTouch made = turned({}, real.key, real.turns);
        const CurveFit fit = fit_curve({}, real.key, noisy_curve(made, real.key, real.seed), piano_strings());
        ASSERT_EQ(fit.refused, "");
        EXPECT_LT(fit.rms_after_N, 1.2 * kNoise_N) << "only the noise is left over";
        EXPECT_GT(fit.rms_before_N, 3 * kNoise_N);
        const GrandTouch found = turned({}, real.key, fit.turns);
        for (const char* row : {"front_weight_g", "key_pin_friction_g", "repetition_spring_percent",
                                "knuckle_friction_percent", "damper_gap_mm", "damper_weight_g", "front_rail_y_mm"}) {
            const double wanted = value_of(made, real.key, row);
            EXPECT_NEAR(value_of(found, real.key, row), wanted, 0.05 * std::abs(wanted)) << row << ", key " << real.key;
        }
        // The dip's screw sits 9 mm from where it counts: 5 % of that would be nothing found.
        EXPECT_NEAR(value_of(found, real.key, "front_rail_y_mm"), value_of(made, real.key, "front_rail_y_mm"), 0.05);
        const auto let_off_m = [&](const GrandTouch& touch) {
            return measure_regulation(settle_test_key(grand_keys(piano_strings(), real.key, 1, touch).front()))
                .let_off_m;
        };
        EXPECT_NEAR(let_off_m(found), let_off_m(made), 0.05 * let_off_m(made)) << "key " << real.key;
    }
}

// A step half way down, which no let-off makes, and a spring near its end: what would help more has an end.
TEST(FitCurve, NoScrewIsTurnedBeyondItsEnd) {
    const Turn slack{"repetition_spring_percent", -85};
    const GrandTouch touch = turned({}, kA4, {&slack, 1});
    std::vector<CurvePoint> points;
    for (int i = 0; i <= 90; ++i) {
        points.push_back({i * 1e-4, i < 45 ? 0.45 : 0.65, true});
        points.push_back({i * 1e-4, i < 45 ? 0.24 : 0.48, false});
    }
    const CurveFit fit = fit_curve(touch, kA4, points, piano_strings());
    ASSERT_EQ(fit.refused, "");
    EXPECT_LT(fit.rms_after_N, fit.rms_before_N);
    for (const Turn& turn : fit.turns) {
        const Way way = way_of(touch, kA4, turn.row);
        EXPECT_GE(turn.by, way.least) << turn.row;
        EXPECT_LE(turn.by, way.most) << turn.row;
    }
}

TEST(FitCurve, AKeysOwnCurveTurnsNothingMuch) {
    const CurveFit fit = fit_curve({}, kA4, noisy_curve({}, kA4, 3), piano_strings());
    const GrandTouch found = turned({}, kA4, fit.turns);
    EXPECT_NEAR(value_of(found, kA4, "front_weight_g"), value_of({}, kA4, "front_weight_g"), 0.5);
    EXPECT_NEAR(value_of(found, kA4, "key_pin_friction_g"), value_of({}, kA4, "key_pin_friction_g"), 0.5);
    EXPECT_NEAR(value_of(found, kA4, "front_rail_y_mm"), value_of({}, kA4, "front_rail_y_mm"), 0.05);
}

TEST(FitCurve, ACurveThatTellsTooLittleIsRefused) {
    std::vector<CurvePoint> points = noisy_curve({}, kA4, 4);
    std::erase_if(points, [](const CurvePoint& p) { return p.dip_m > 0.006; });
    EXPECT_THAT(fit_curve({}, kA4, points, piano_strings()).refused, HasSubstr("a whole dip of 8 to 14 mm"));
    points.resize(20);
    EXPECT_THAT(fit_curve({}, kA4, points, piano_strings()).refused, HasSubstr("at least 40 are needed"));
}

TEST(ForceCsv, ReadsBothBranchesAHeaderAndRemarks) {
    const auto points =
        parse_force_curve("# A4 of my piano\ndip_mm,force_N,branch\n0.1, 0.45,down\r\n\n9.9,-0.01,up\n", "a4.csv");
    ASSERT_TRUE(points.ok()) << points.error();
    ASSERT_EQ(points.value().size(), 2u);
    EXPECT_DOUBLE_EQ(points.value()[0].dip_m, 1e-4);
    EXPECT_DOUBLE_EQ(points.value()[0].force_N, 0.45);
    EXPECT_TRUE(points.value()[0].down);
    EXPECT_FALSE(points.value()[1].down);
}

TEST(ForceCsv, WhatIsNotOneIsASentence) {
    const auto refused = [](std::string_view text) {
        const auto points = parse_force_curve(text, "a4.csv");
        return points.ok() ? std::string("taken") : points.error();
    };
    EXPECT_THAT(refused("0.1,0.4"), HasSubstr("'a4.csv' line 1: '0.1,0.4' is not dip_mm,force_N,down"));
    EXPECT_THAT(refused("0.1,0.4,down\n0.2,0.4,sideways\n"), HasSubstr("line 2"));
    EXPECT_THAT(refused("0.1,0.4,down\ndip_mm,force_N,branch\n"), HasSubstr("line 2"));
    EXPECT_THAT(refused("0.1,nan,down"), HasSubstr("-100 to 100 N"));
    EXPECT_THAT(refused("25,1,down"), HasSubstr("-1 to 20 mm"));
    EXPECT_THAT(refused("0,1,2,down"), HasSubstr("is not dip_mm"));
}

}  // namespace
}  // namespace letoff::keyboard
