#include "keyboard/bench/strokes.h"

#include <gtest/gtest.h>

#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

const TestKey& at_rate(int tick_hz) {
    static std::vector<TestKey> keys;
    for (const TestKey& key : keys) {
        if (key.tick_hz == tick_hz) return key;
    }
    keys.reserve(8);
    keys.push_back(settle_test_key(a4_build(), tick_hz));
    return keys.back();
}

/// Hammer speed for a constant force on the key: a blow that does not depend on the finger model's own feedback.
double speed_under_force(int tick_hz, double force_N) {
    Bench bench(at_rate(tick_hz));
    bench.block().input.key_force_N.fill(force_N);
    double speed = 0;
    while (speed == 0 && bench.now_s() < 0.5) {
        bench.tick();
        if (bench.block().events(0).struck) speed = bench.block().events(0).strike.hammer_speed_mps;
    }
    return speed;
}

// Forces that give about 1, 3 and 6 m/s.
constexpr double kForces_N[] = {1.6, 8.0, 31.0};

TEST(StepIndependence, OneKilohertzAgainstSixteen) {
    for (double force : {kForces_N[0], kForces_N[1]}) {
        const double fine = speed_under_force(16000, force);
        ASSERT_GT(fine, 0.8);
        EXPECT_NEAR(speed_under_force(1000, force), fine, 0.02 * fine) << force << " N";
    }
}

TEST(StepIndependence, FourKilohertzAgainstTheFinestTick) {
    // A tick has to divide the strike grid of 96 kHz: 48 kHz stands for the 64 kHz of the design.
    for (double force : kForces_N) {
        const double fine = speed_under_force(48000, force);
        ASSERT_GT(fine, 0.8);
        EXPECT_NEAR(speed_under_force(4000, force), fine, 0.01 * fine) << force << " N";
    }
}

TEST(Strokes, FindsTheAccelerationOfEveryTouch) {
    std::vector<double> speeds;
    for (const Touch& touch : kTouches) speeds.push_back(touch.hammer_speed_mps);
    const std::vector<PlayedStroke> strokes = find_strokes(a4(), speeds);
    ASSERT_EQ(strokes.size(), speeds.size());
    for (size_t i = 0; i < strokes.size(); ++i) {
        const PlayedStroke& s = strokes[i];
        EXPECT_NEAR(s.hammer_speed_mps, speeds[i], 0.005 * speeds[i]);
        EXPECT_LT(s.escapement_s, s.strike_s) << kTouches[i].name;
        EXPECT_GT(s.escapement_s, 0) << kTouches[i].name;
        EXPECT_GT(s.string_contact_s, 0.0008) << kTouches[i].name;
        EXPECT_LT(s.string_contact_s, 0.004) << kTouches[i].name;
        if (i == 0) continue;
        EXPECT_LT(s.strike_s, strokes[i - 1].strike_s);
        EXPECT_LT(s.string_contact_s, strokes[i - 1].string_contact_s)
            << "a harder blow compresses the felt to where it is stiffer";
    }
    // Soft: the key reaches its bottom after the strike; loud: before.
    EXPECT_GT(strokes.front().key_bottom_s, strokes.front().strike_s);
    EXPECT_LT(strokes.back().key_bottom_s, strokes.back().strike_s);
}

TEST(Strokes, SameKeySameFiguresToTheBit) {
    const double accelerations[] = {2.0, 20.0};
    const auto one = play_strokes(a4(), accelerations), two = play_strokes(a4(), accelerations);
    for (size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(one[i].strike_s, two[i].strike_s);
        EXPECT_EQ(one[i].hammer_speed_mps, two[i].hammer_speed_mps);
        EXPECT_EQ(one[i].string_contact_s, two[i].string_contact_s);
    }
}

}  // namespace
}  // namespace letoff::keyboard
