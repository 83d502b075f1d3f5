#include "keyboard/bench/stanwood.h"

#include <gtest/gtest.h>

#include <array>

#include "core/unit/piecewise.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

StanwoodWeights weights_of(const TestKey& key) {
    const Regulation regulation = measure_regulation(key);
    return measure_stanwood(key, regulation, measure_touchweight(key, regulation));
}

const StanwoodWeights& a4_weights() {
    static const StanwoodWeights weights = weights_of(a4());
    return weights;
}

TEST(Stanwood, PartsWeighWhatTheirLeversSay) {
    const GrandValues v = grand_defaults();
    const auto row = [&](std::size_t id) { return v[id]; };
    // Each scale carries mass times arm of the centre over the arm of the scale.
    EXPECT_NEAR(a4_weights().front_weight_g,
                1e3 * row(grand_row("key_mass_kg")) * row(grand_row("key_com_x_mm")) / (1e3 * kFingerPointX_m), 0.05);
    EXPECT_NEAR(
        a4_weights().strike_weight_g,
        1e3 * row(grand_row("hammer_mass_kg")) * row(grand_row("hammer_com_x_mm")) / row(grand_row("crown_x_mm")),
        0.02);
    EXPECT_NEAR(a4_weights().key_ratio, row(grand_row("capstan_x_mm")) / (-1e3 * kFingerPointX_m), 0.002);
    // Wippen 18 g with its centre 127 mm behind the balance rail; jack 5.5 g with its centre at 77 mm; lever 5.5 g at
    // 98 mm; about the flange at 177 mm, on a scale at the capstan.
    const double arm_mm = 177 - row(grand_row("capstan_x_mm"));
    const double moment = 18 * 50 + 5.5 * (177 - 77) + 5.5 * (177 - 98);
    EXPECT_NEAR(a4_weights().wippen_weight_g, moment / arm_mm, 0.1);
}

TEST(Stanwood, KnownWeightsAreFound) {
    // A lead of 10 g at 150 mm: 6.7 g of front weight. 3 g on the head at the strike line: 3 g of strike weight.
    KeyBuild build = a4_build();
    const double key_kg = build.values[grand_row("key_mass_kg")];
    build.values[grand_row("key_com_x_mm")] =
        (key_kg * build.values[grand_row("key_com_x_mm")] - 0.010 * 150) / (key_kg + 0.010);
    build.values[grand_row("key_mass_kg")] += 0.010;
    const double hammer_kg = build.values[grand_row("hammer_mass_kg")];
    build.values[grand_row("hammer_com_x_mm")] =
        (hammer_kg * build.values[grand_row("hammer_com_x_mm")] + 0.003 * build.values[grand_row("crown_x_mm")]) /
        (hammer_kg + 0.003);
    build.values[grand_row("hammer_mass_kg")] += 0.003;
    const StanwoodWeights w = weights_of(settle_test_key(build));
    EXPECT_NEAR(w.front_weight_g - a4_weights().front_weight_g, 10 * 150.0 / 225.0, 0.05);
    EXPECT_NEAR(w.strike_weight_g - a4_weights().strike_weight_g, 3.0, 0.02);
}

TEST(Stanwood, ATailHeavyKeyHasANegativeFrontWeight) {
    EXPECT_NEAR(weights_of(settle_test_key(turned(a4_build(), grand_row("key_com_x_mm"), 60))).front_weight_g,
                120 * (41.25 - 60) / 225, 0.05);
}

// Stanwood's equation of balance, FW + BW = SW R + WBW ("The New Touchweight Metrology", 1996). To 2.5 g:
// half-gram steps leave BW within 0.25 g and R within 0.125, times 12 g of strike weight at most 1.5 g, and R falls
// over the stroke, so that its mean is not quite DW's and UW's.
TEST(Stanwood, TheEquationOfBalanceHolds) {
    for (const int key : {1, 22, 44, 66, 88}) {
        const Regulation regulation = measure_regulation(grand_key(key));
        const Touchweight touchweight = measure_touchweight(grand_key(key), regulation);
        const StanwoodWeights w = measure_stanwood(grand_key(key), regulation, touchweight);
        EXPECT_NEAR(w.imbalance_g(touchweight), 0, 2.5) << "key " << key;
        // regulation.csv: strike weight ratios of 4.9 to 6.2 are quoted, 5.5 is aimed at.
        EXPECT_GE(w.strike_weight_ratio, 4.9) << "key " << key;
        EXPECT_LE(w.strike_weight_ratio, 6.2) << "key " << key;
        // Strike weights from the lowest to the highest that are built (Stanwood 1995, notes 1/22/44/66/88).
        constexpr std::array<core::Knot, 5> kLow{{{1, 8.0}, {22, 7.4}, {44, 6.5}, {66, 5.2}, {88, 3.5}}};
        constexpr std::array<core::Knot, 5> kFull{{{1, 14.8}, {22, 13.7}, {44, 12.1}, {66, 9.8}, {88, 6.9}}};
        EXPECT_GE(w.strike_weight_g, core::piecewise_linear(kLow, key)) << "key " << key;
        EXPECT_LE(w.strike_weight_g, core::piecewise_linear(kFull, key)) << "key " << key;
    }
}

}  // namespace
}  // namespace letoff::keyboard
