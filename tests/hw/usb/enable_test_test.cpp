#include "hw/usb/enable_test.h"

#include <gtest/gtest.h>

#include "tests/hw/sim/sim_array.h"

namespace letoff::hw {
namespace {

constexpr int kKeys = 24;

EnableTest tested(test::SimArray& array, double* greatest_N = nullptr) {
    EnableTest test;
    EXPECT_TRUE(array.enable());
    for (int tenths = 0; tenths < 200 && !test.is_over(); ++tenths) {
        array.run(0.1, [&] {
            array.hub.newest_motion(array.motion);
            const core::KeyForces& forces = test.step(array.clock.now_s(), array.motion);
            array.hub.send_forces(forces);
            for (const double force_N : forces.force_N) {
                if (greatest_N != nullptr) *greatest_N = std::max(*greatest_N, std::abs(force_N));
            }
        });
    }
    EXPECT_TRUE(test.is_over());
    return test;
}

TEST(EnableTest, EveryKeyOfAGoodDeviceMovesByLittleMoreThanItsFriction) {
    test::SimArray array(DeviceSetup::of(light_lever(), "E1", 1, kKeys));
    double greatest_N = 0;
    const EnableTest test = tested(array, &greatest_N);
    for (int k = 0; k < kKeys; ++k) {
        EXPECT_EQ(test.key(k).result, EnableResult::kMoves) << k << ": " << what(test.key(k).result);
        // 0.05 N of friction and 0.02 N of cogging; while it moves its millimetre the force grows by 2 N/s.
        EXPECT_NEAR(test.key(k).moved_at_N, 0.15, 0.08) << k;
        EXPECT_LT(test.key(k).noise_m, 5e-6) << k;
    }
    EXPECT_EQ(test.key(kKeys).result, EnableResult::kNotThere);
    EXPECT_LT(greatest_N, 0.3);
}

TEST(EnableTest, AWoodenKeyThatLiesDownIsPushedUp) {
    test::SimArray array(DeviceSetup::of(wooden_key(), "E2", 1, 8));
    array.run(0.5, [] {});  // it falls on its front rail
    const EnableTest test = tested(array);
    for (int k = 0; k < 8; ++k) {
        EXPECT_EQ(test.key(k).result, EnableResult::kMoves) << k << ": " << what(test.key(k).result);
        EXPECT_GT(test.key(k).rest_m, 8e-3);
        EXPECT_GT(test.key(k).moved_at_N, 0.2);  // its weight
    }
}

TEST(EnableTest, WhatIsWrongIsTold) {
    test::SimArray array(DeviceSetup::of(light_lever(), "E3", 1, kKeys));
    array.sim.device(0).key(4).ailment.motor_open = true;
    array.sim.device(0).key(11).ailment.sensor_stuck = true;
    const EnableTest test = tested(array);
    for (const int k : {4, 11}) {
        const EnableResult result = test.key(k).result;
        EXPECT_TRUE(result == EnableResult::kDoesNotMove || result == EnableResult::kLost) << what(result);
    }
    EXPECT_EQ(test.key(3).result, EnableResult::kMoves);
    EXPECT_EQ(test.key(12).result, EnableResult::kMoves);
}

TEST(EnableTest, AMotorTheOtherWayRoundIsTold) {
    EnableTest test;
    core::KeyMotion motion;
    motion.live.set(0);
    double dip_m = 0.004;
    for (int tick = 0; tick < 4000; ++tick) {
        motion.dip_m[0] = dip_m;
        const double force_N = test.step(1e-3 * tick, motion).force_N[0];
        dip_m += 1e-4 * force_N;  // a pull down (negative) lifts the key
    }
    EXPECT_EQ(test.key(0).result, EnableResult::kWrongWay);
}

/// A key that follows its pull beyond 0.1 N, goes back within 0.2 s, and says nothing from `gone_s` on for so long.
EnableTest tried_with_a_gap(double gone_s, double for_s) {
    EnableTest test;
    core::KeyMotion motion;
    double dip_m = 0;
    for (int ms = 0; ms < 20000 && !test.is_over(); ++ms) {
        const double now_s = 1e-3 * ms;
        motion.live.set(0, now_s < gone_s || now_s > gone_s + for_s);
        motion.dip_m[0] = dip_m;
        const double force_N = test.step(now_s, motion).force_N[0];
        EXPECT_TRUE(motion.live[0] || force_N == 0.0) << now_s;
        dip_m = force_N < -0.1 ? dip_m + 0.1e-3 : std::max(0.0, dip_m - 0.005e-3);
    }
    EXPECT_TRUE(test.is_over());
    return test;
}

TEST(EnableTest, MotionThatStaysAwayForMomentsIsNoFaultOfTheKey) {
    const double in_pull_s = EnableTest::kStill_s + 0.056;
    for (const double gone_s : {0.001, 0.1, in_pull_s}) {
        for (const double for_s : {0.004, 0.3, 1.5}) {
            const EnableTest test = tried_with_a_gap(gone_s, for_s);
            EXPECT_EQ(test.key(0).result, EnableResult::kMoves) << gone_s << " s, for " << for_s << " s";
            EXPECT_NEAR(test.key(0).moved_at_N, 0.12, 0.005);  // 1 mm later
        }
    }
    EXPECT_EQ(tried_with_a_gap(in_pull_s, 2.5).key(0).result, EnableResult::kLost);
    EXPECT_EQ(tried_with_a_gap(0.6, 2.5).key(0).result, EnableResult::kMoves);  // its result was known
}

TEST(EnableTest, AKeyThatMovesUnpulledIsSomebodys) {
    EnableTest test;
    core::KeyMotion motion;
    motion.live.set(0);
    for (int tick = 0; tick < 4000; ++tick) {
        motion.dip_m[0] = 1e-5 * tick;
        EXPECT_EQ(test.step(1e-3 * tick, motion).force_N[0], 0.0);
    }
    EXPECT_EQ(test.key(0).result, EnableResult::kMovesByItself);
}

}  // namespace
}  // namespace letoff::hw
