#include "hw/usb/cogging_drive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/hw/sim/sim_array.h"

namespace letoff::hw {
namespace {

using ::testing::HasSubstr;

constexpr int kKeys = 8;

DeviceSetup cogging_keys(DeviceNumbers numbers = light_lever()) {
    numbers.motor.cogging_N = 0.1;  // field case 64
    return DeviceSetup::of(numbers, "C1", 1, kKeys);
}

/// gone_s: for so long, two seconds after the start, no frame comes.
CoggingDrive driven(test::SimArray& array, double* greatest_N = nullptr, double gone_s = 0) {
    CoggingDrive drive;
    EXPECT_TRUE(array.enable());
    const double gap_s = array.clock.now_s() + 2;
    for (int tenths = 0; tenths < 100 && !drive.is_over(); ++tenths) {
        array.run(0.1, [&] {
            array.hub.newest_motion(array.motion);
            core::KeyMotion motion = array.motion;
            const double since_s = array.clock.now_s() - gap_s;
            if (since_s > 0 && since_s < gone_s) motion.live.reset();
            const core::KeyForces& forces = drive.step(array.clock.now_s(), motion);
            array.hub.send_forces(forces);
            for (const double force_N : forces.force_N) {
                if (greatest_N != nullptr) *greatest_N = std::max(*greatest_N, std::abs(force_N));
            }
        });
    }
    EXPECT_TRUE(drive.is_over());
    return drive;
}

/// What a finger feels beside the mean from 1.5 to 7.5 mm while it presses key 3 at 2 mm/s against 1 N, rms.
double felt_rms_N(const std::vector<CoggingTable>& tables) {
    ArrayOptions options;
    if (!tables.empty()) options.cogging = [&tables](const Identity&) { return tables; };
    test::SimArray array(cogging_keys(), std::move(options));
    EXPECT_TRUE(array.enable());
    constexpr double kStart_s = 0.3, kWay_s = 0.0115 / 0.002;
    const SimDevice& device = array.sim.device(0);
    array.sim.device(0).key(3).plant.finger =
        SimFinger::actuator(0.002, 0.009, 1e-6 * static_cast<double>(device.time_us()) + kStart_s);
    core::KeyForces forces;
    forces.force_N.fill(1.0);
    double sum = 0, squares = 0, count = 0;
    array.run(kStart_s + kWay_s, [&] {
        array.hub.newest_motion(array.motion);
        array.hub.send_forces(forces);
        const double dip_m = array.sim.device(0).key(3).plant.dip_m();
        if (!(dip_m > 1.5e-3 && dip_m < 7.5e-3)) return;
        const double felt_N = array.sim.device(0).key(3).plant.finger_N();
        ++count;
        sum += felt_N;
        squares += felt_N * felt_N;
    });
    EXPECT_GT(count, 4000);
    return std::sqrt(std::max(0.0, squares / count - sum * sum / count / count));
}

TEST(CoggingDrive, WhatTheMotorsFoundTakesTheCogsFromAFingerOnTheKey) {
    std::vector<CoggingTable> tables;
    double greatest_N = 0;
    {
        test::SimArray array(cogging_keys());
        const CoggingDrive drive = driven(array, &greatest_N);
        for (int key = 0; key < kKeys; ++key) {
            ASSERT_TRUE(drive.is_moved(key)) << key;
            const auto table = drive.fit(key);
            ASSERT_TRUE(table.ok()) << key << ": " << table.error();
            tables.push_back(table.value());
            // The motor adds the opposite of 0.1 N sin(2 pi x / 2 mm).
            EXPECT_NEAR(tables.back().force_N(2.5e-3), -0.1, 0.025) << key;
            EXPECT_NEAR(tables.back().force_N(3.5e-3), 0.1, 0.025) << key;
        }
        EXPECT_FALSE(drive.is_moved(kKeys));
    }
    EXPECT_LT(greatest_N, CoggingDrive::kMost_N);
    const double without_N = felt_rms_N({}), with_N = felt_rms_N(tables);
    std::printf("cogs of 0.1 N under a finger at 2 mm/s: %.1f mN rms felt, with the table %.1f\n", 1e3 * without_N,
                1e3 * with_N);
    EXPECT_GT(without_N, 0.06);
    EXPECT_LT(with_N, 0.02);
}

TEST(CoggingDrive, AWoodenKeyIsLiftedAndFound) {
    test::SimArray array(cogging_keys(wooden_key()));
    array.run(0.5, [] {});  // it falls on its front rail
    const CoggingDrive drive = driven(array);
    const auto table = drive.fit(0);
    ASSERT_TRUE(table.ok()) << table.error();
    EXPECT_NEAR(table.value().force_N(4.5e-3), -0.1, 0.025);
}

TEST(CoggingDrive, FramesThatAreLateForAMomentEndNothing) {
    test::SimArray array(cogging_keys()), other(cogging_keys());
    const CoggingDrive drive = driven(array, nullptr, 0.02);
    EXPECT_TRUE(drive.is_moved(0));
    const CoggingDrive whole = driven(other);
    const auto table = drive.fit(0), without_gap = whole.fit(0);
    ASSERT_TRUE(table.ok()) << table.error();
    for (const double dip_m : {2e-3, 4.5e-3, 7e-3})
        EXPECT_NEAR(table.value().force_N(dip_m), without_gap.value().force_N(dip_m), 0.01) << dip_m;
}

TEST(CoggingDrive, AKeyWithoutFramesForLongGetsNoTable) {
    test::SimArray array(cogging_keys());
    EXPECT_FALSE(driven(array, nullptr, 0.1).is_moved(0));
}

TEST(CoggingDrive, AKeyThatIsHeldOrFallsOutGetsNoTable) {
    test::SimArray array(cogging_keys());
    array.sim.device(0).key(2).plant.finger = SimFinger::passive(3.0, 100, 5);  // 2 N or more all the way
    array.sim.device(0).key(5).ailment.sensor_dead = true;
    const CoggingDrive drive = driven(array);
    EXPECT_THAT(drive.fit(2).error(), HasSubstr("both ways over 6 mm"));
    EXPECT_FALSE(drive.is_moved(5));
    EXPECT_TRUE(drive.fit(0).ok());
}

}  // namespace
}  // namespace letoff::hw
