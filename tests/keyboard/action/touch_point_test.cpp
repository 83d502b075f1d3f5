// A finger nearer to the fallboard has a shorter lever: more force, less way, the same hammer.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "keyboard/bench/equivalent_mass.h"
#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/simulate.h"
#include "keyboard/bench/stanwood.h"
#include "keyboard/bench/strokes.h"
#include "keyboard/gesture/stroke_table.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

// 112.5 mm in: half the lever.
constexpr double kHalfWay_mm = 112.5;

KeyBuild half_way_build() {
    return turned(a4_build(), grand_row("touch_point_mm"), kHalfWay_mm);
}
const TestKey& half_way() {
    static const TestKey key = settle_test_key(half_way_build());
    return key;
}

TEST(TouchPoint, HalfTheLeverTakesTwiceTheWeight) {
    EXPECT_NEAR(touch_arm_m(half_way_build().values), 0.1125, 1e-12);
    const Regulation front = measure_regulation(a4()), inside = measure_regulation(half_way());
    // 3 N press the key half as hard into its front felt: less than 0.1 mm.
    EXPECT_NEAR(inside.key_dip_m, front.key_dip_m, 1e-4) << "dip is told at the front";
    EXPECT_NEAR(inside.let_off_m, front.let_off_m, 1e-5);
    const Touchweight there = measure_touchweight(half_way(), inside), here = measure_touchweight(a4(), front);
    EXPECT_NEAR(there.down_weight_g, 2 * here.down_weight_g, 1.0);
    EXPECT_NEAR(there.up_weight_g, 2 * here.up_weight_g, 1.0);
    EXPECT_NEAR(measure_equivalent_mass_kg(half_way()), 4 * measure_equivalent_mass_kg(a4()), 0.02);
    EXPECT_NEAR(measure_force(half_way(), inside).stroke_mass_kg, 4 * measure_force(a4(), front).stroke_mass_kg, 0.03);
    const StanwoodWeights w = measure_stanwood(half_way(), inside, there);
    EXPECT_NEAR(w.imbalance_g(there), 0, 5.0) << "the balance holds where the finger is, twice the tolerance";
}

TEST(TouchPoint, TwiceTheForceMovesTheKeyTheSame) {
    const std::vector<PathPoint> once{{0, 0}, {0.1, 3}, {0.2, 2}}, twice{{0, 0}, {0.1, 6}, {0.2, 4}};
    TestKey inside = a4();  // the same rest to the bit
    inside.build = half_way_build();
    const Trace a = simulate_key(a4(), DriveMode::force, once), b = simulate_key(inside, DriveMode::force, twice);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i].dip_m, b[i].dip_m, 1e-9) << i;
}

TEST(TouchPoint, APrescribedKeyPushesTwiceAsHard) {
    const std::vector<PathPoint> path{{0, 0}, {0.05, 0.001}, {0.1, 0.003}, {0.2, 0.005}};
    TestKey inside = a4();
    inside.build = half_way_build();
    const Trace a = simulate_key(a4(), DriveMode::position, path), b = simulate_key(inside, DriveMode::position, path);
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(2 * a[i].finger_N, b[i].finger_N, 1e-6 + 1e-6 * std::abs(b[i].finger_N)) << i;
}

TEST(TouchPoint, TheFingerThatKnowsItsKeyPlaysEverySpeedThere) {
    for (const double touch_mm : {30.0, 60.0}) {
        const TestKey key = settle_test_key(turned(a4_build(), grand_row("touch_point_mm"), touch_mm));
        const std::array<double, 3> speeds{0.5, 2.0, 5.0};
        for (const PlayedStroke& s : find_strokes(key, speeds)) {
            EXPECT_EQ(s.strikes, 1) << touch_mm;
            EXPECT_GT(s.acceleration_mps2, 0);
        }
        const auto strokes = find_strokes(key, speeds);
        for (std::size_t i = 0; i < speeds.size(); ++i)
            EXPECT_NEAR(strokes[i].hammer_speed_mps, speeds[i], 0.01 * speeds[i]) << touch_mm << " mm";
        // After the stroke the finger holds the key down, and its hammer in the check.
        const double mf = strokes[1].acceleration_mps2;
        EXPECT_TRUE(play_strokes(key, {&mf, 1}, true).front().held) << touch_mm << " mm";
    }
}

TEST(TouchPoint, FingerTravelIsTheKeysWhereItTouches) {
    Bench bench(half_way());
    bench.press(0, 5.0);
    double worst_m = 0;
    bench.run(0.2, [&] {
        // The pulp is pressed in by less than 3 mm; the tip goes no farther into the key than that.
        worst_m = std::max(worst_m, std::abs(bench.block().finger_travel_m(0) - bench.block().touch_dip_m(0)));
    });
    EXPECT_LT(worst_m, 0.003);
    EXPECT_NEAR(bench.block().touch_dip_m(0), 0.5 * bench.dip_m(0), 1e-12);
    EXPECT_GT(bench.dip_m(0), 0.0095);
}

TEST(TouchPoint, LearntStrokesAreOfTheirOwnTouchPoint) {
    EXPECT_NE(stroke_hash(half_way_build(), 4000), stroke_hash(a4_build(), 4000));
    const core::FingerSetting front = finger_for(a4_build().values), inside = finger_for(half_way_build().values);
    EXPECT_EQ(front.learnt_mass_kg, core::FingerSetting{}.learnt_mass_kg) << "a natural's front is what was learnt";
    EXPECT_NEAR(inside.learnt_mass_kg, 4 * front.learnt_mass_kg, 1e-12);
    EXPECT_NEAR(inside.stroke_end_m, 0.5 * front.stroke_end_m, 1e-12);
}

}  // namespace
}  // namespace letoff::keyboard
