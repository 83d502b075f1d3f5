// The technician's looks: repetition spring, jack, lever height, blocking. Each finds what is wrong with a key that was
// put out of regulation.
#include <gtest/gtest.h>

#include "keyboard/bench/blocking.h"
#include "keyboard/bench/jack_check.h"
#include "keyboard/bench/repetition_spring.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;
constexpr double kMf_mps2 = 9.0;  // about 2.8 m/s at A4

SpringRise rise_with_spring(double times) {
    KeyBuild build = a4_build();
    build.values[grand_row("repetition_spring_rest_rad")] *= times;  // its bend, so its torque
    return measure_spring_rise(settle_test_key(build), kMf_mps2);
}

TEST(RepetitionSpring, RaisesTheHammerGentlyFromTheCheck) {
    const SpringRise s = measure_spring_rise(a4(), kMf_mps2);
    ASSERT_TRUE(s.held);
    EXPECT_NEAR(s.checked_m, 11 * kMm, 1 * kMm);
    EXPECT_GT(s.rise_m, 2 * kMm) << "visible";
    EXPECT_GT(s.rise_speed_mps, 0.05);
    EXPECT_LT(s.rise_speed_mps, 0.35) << "no jump";
    EXPECT_FALSE(s.strikes_again);
    EXPECT_GT(s.release_dip_m, 8 * kMm);
    EXPECT_LT(s.release_dip_m, 9.9 * kMm);
}

// The hammer's centre (1.01 N mm) takes 2.43 times as much of the lever's spring (28.9 N mm), 8.5 % of it either way:
// that wide, and some, is the band between a spring that does not lift and one that throws.
TEST(RepetitionSpring, WeakOneLeavesTheHammerDownStrongOneThrowsIt) {
    const SpringRise weak = rise_with_spring(0.65), strong = rise_with_spring(1.4);
    ASSERT_TRUE(weak.held);
    ASSERT_TRUE(strong.held);
    EXPECT_LT(weak.rise_m, 0.5 * kMm);
    EXPECT_GT(strong.rise_speed_mps, measure_spring_rise(a4(), kMf_mps2).rise_speed_mps + 0.05);
    EXPECT_TRUE(strong.strikes_again);
}

TEST(RepetitionSpring, NothingToSeeWhereTheCheckDoesNotHold) {
    KeyBuild build = a4_build();
    build.values[grand_row("backcheck_x_mm")] += 8;  // out of the tail's way
    EXPECT_FALSE(measure_spring_rise(settle_test_key(build), kMf_mps2).held);
}

TEST(JackCheck, StandsUnderTheCoreAndWinks) {
    const JackCheck j = check_jack(a4());
    EXPECT_NEAR(j.behind_core_m, 1.6 * kMm, 0.4 * kMm);
    EXPECT_GT(j.lever_share, 0.9) << "the lever carries the knuckle";
    EXPECT_LT(j.wink_m, 0.2 * kMm) << "the hammer hardly sinks without the jack";
    EXPECT_TRUE(j.returns);
    EXPECT_LT(j.return_s, 0.05);
}

TEST(JackCheck, JackButtonMovesTheJack) {
    const JackCheck back = check_jack(settle_test_key(turned(a4_build(), grand_row("jack_overlap_mm"), 0.5)));
    EXPECT_NEAR(back.behind_core_m - check_jack(a4()).behind_core_m, 0.5 * kMm, 0.1 * kMm);
}

TEST(JackCheck, LeverTooLowLeavesTheHammerOnTheJack) {
    const JackCheck low = check_jack(settle_test_key(turned(a4_build(), grand_row("lever_height_mm"), -0.3)));
    EXPECT_LT(low.lever_share, 0.5);
    EXPECT_GT(low.wink_m, 1 * kMm) << "the hammer drops as the jack goes";
}

TEST(JackCheck, WeakSpringHoldsTheJackOut) {
    KeyBuild build = a4_build();
    build.values[grand_row("repetition_spring_rest_rad")] *= 0.3;
    const JackCheck weak = check_jack(settle_test_key(build));
    EXPECT_FALSE(weak.returns);
    EXPECT_LT(weak.lever_share, 0.5) << "the hammer weighs on the jack";
}

TEST(Blocking, RegulatedKeyDoesNotBlock) {
    const Blocking b = test_blocking(a4());
    EXPECT_NEAR(b.slow_gap_m, 1.8 * kMm, 0.2 * kMm) << "its let-off";
    EXPECT_FALSE(b.slow());
    EXPECT_FALSE(b.hard());
    EXPECT_EQ(b.hard_strikes, 1);
    EXPECT_GT(b.hard_contact_s, 0.0005);
    EXPECT_GT(b.hard_gap_m, 10 * kMm) << "in the check";
}

TEST(Blocking, LetOffTooCloseBlocks) {
    // 0.1 mm of button is 0.67 mm of let-off: 0.35 mm press the hammer onto its strings.
    const TestKey close = settle_test_key(turned(a4_build(), grand_row("let_off_button_y_mm"), 0.35));
    EXPECT_TRUE(test_blocking(close).slow());
    const KeyBuild without = turned(a4_build(), grand_row("let_off_button_y_mm"), 4);
    EXPECT_TRUE(test_blocking(settle_test_key(without)).slow());
    // Struck hard, the hammer that comes back at 7 m/s knocks even this jack out and is caught; not one that stands
    // 0.4 mm farther back under its knuckle.
    EXPECT_FALSE(test_blocking(settle_test_key(without)).hard());
    const Blocking b = test_blocking(settle_test_key(turned(without, grand_row("jack_overlap_mm"), 0.4)));
    EXPECT_TRUE(b.slow());
    EXPECT_TRUE(b.hard()) << "no let-off at all: a hard press holds the hammer on its strings";
}

}  // namespace
}  // namespace letoff::keyboard
