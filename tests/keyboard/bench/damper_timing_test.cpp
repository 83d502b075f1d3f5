#include "keyboard/bench/damper_timing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "keyboard/bench/regulation.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

TEST(DamperTiming, LiftedByTheKeyHalfWayAndByThePedal) {
    const DamperTiming t = measure_damper_timing(a4());
    EXPECT_TRUE(t.damped);
    EXPECT_NEAR(t.key_pick_up_m, measure_regulation(a4()).damper_pick_up_m, 0.05 * kMm) << "as the slow press finds it";
    EXPECT_GT(t.key_clear_m, t.key_pick_up_m);
    EXPECT_LT(t.key_clear_m, t.key_pick_up_m + 1 * kMm);
    EXPECT_NEAR(t.hammer_share, 0.5, 0.1) << "a technician sets it to the hammer's half way";
    EXPECT_GT(t.key_lift_m, 3 * kMm);
    EXPECT_GT(t.pedal_clear_m, t.pedal_pick_up_m);
    EXPECT_GT(t.pedal_lift_m, 3 * kMm);
}

TEST(DamperTiming, FollowsItsScrews) {
    const DamperTiming before = measure_damper_timing(a4());
    // 1 mm more gap at the tail, 180 mm behind the balance rail: 1.25 mm of dip.
    const DamperTiming late =
        measure_damper_timing(settle_test_key(turned(a4_build(), grand_row("damper_gap_mm"), 1.0)));
    EXPECT_NEAR(late.key_pick_up_m - before.key_pick_up_m, 225.0 / 180.0 * kMm, 0.05 * kMm);
    const DamperTiming pedal =
        measure_damper_timing(settle_test_key(turned(a4_build(), grand_row("tray_gap_mm"), 0.5)));
    EXPECT_NEAR(pedal.pedal_pick_up_m - before.pedal_pick_up_m, 0.5 * kMm, 0.02 * kMm);
    EXPECT_NEAR(pedal.key_pick_up_m, before.key_pick_up_m, 0.02 * kMm);
}

TEST(DamperTiming, UndampedKeyHasNone) {
    const DamperTiming t = measure_damper_timing(grand_key(80));
    EXPECT_FALSE(t.damped);
    EXPECT_EQ(t.key_pick_up_m, 0.0);
    EXPECT_EQ(t.pedal_lift_m, 0.0);
}

TEST(DamperTiming, AllDampersLeaveTogether) {
    double least_m = 1, most_m = 0, first_m = 1, last_m = 0;
    for (const int key : {1, 12, 24, 36, 48, 60, 68}) {
        const DamperTiming t = measure_damper_timing(grand_key(key));
        least_m = std::min(least_m, t.pedal_clear_m);
        most_m = std::max(most_m, t.pedal_clear_m);
        first_m = std::min(first_m, t.key_pick_up_m);
        last_m = std::max(last_m, t.key_pick_up_m);
    }
    EXPECT_LT(most_m - least_m, 0.1 * kMm) << "a technician sees no damper move before its neighbours";
    EXPECT_LT(last_m - first_m, 0.2 * kMm);
}

}  // namespace
}  // namespace letoff::keyboard
