// What the simulated device guards by itself: section 7 of the protocol.
#include "hw/sim/device_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hw/sim/device.h"
#include "tests/hw/sim/force_trace.h"

using namespace letoff::hw;

TEST(DeviceWatchdog, HoldsFiveMillisecondsFadesForFiveThenIsZero) {
    DeviceRig rig;
    rig.ready();
    rig.play(0.02, 2000);  // 4 N; the last frame came a millisecond ago
    ASSERT_DOUBLE_EQ(rig.force_N(), 4);
    const std::uint32_t token = rig.device.token();
    rig.send(2000);
    const std::uint64_t t0_us = rig.device.time_us();
    for (int tick = 1; tick <= 320; ++tick) {
        // Frames that are not valid do not feed it.
        Bytes bad = rig.force_frame({2000});
        bad[33] ^= 0x55;
        rig.device.on_out_transfer(bad);
        rig.run(kPlantStep_s);
        const double age_ms = 1e-3 * static_cast<double>(rig.device.time_us() - t0_us);
        // The force shown acted in the tick that has just ended.
        const double from_ms = (tick - 1) / 32.0;
        EXPECT_NEAR(rig.force_N(), 4 * std::clamp((10 - from_ms) / 5, 0.0, 1.0), 1e-9) << age_ms;
    }
    EXPECT_EQ(rig.device.state(), DeviceState::enabled);
    rig.run(kPlantStep_s);
    EXPECT_EQ(rig.device.time_us() - t0_us, 10031u);  // what acts from 10 ms on
    EXPECT_EQ(rig.force_N(), 0);
    EXPECT_EQ(rig.device.key(0).plant.motor_N(), 0);  // and no current flows any more
    EXPECT_EQ(rig.device.state(), DeviceState::calibrated);
    EXPECT_EQ(rig.device.token(), token + 1);
    EXPECT_EQ(rig.device.status().watchdog_trips, 1u);
    // Good frames of the old token come again: nothing moves.
    Bytes old = rig.force_frame({2000});
    set(old, 12, token);
    rig.device.on_out_transfer(sealed(old));
    rig.run(0.005);
    EXPECT_EQ(rig.force_N(), 0);
    EXPECT_EQ(rig.device.state(), DeviceState::calibrated);
    // Trips are counted since power-up.
    rig.set_interface();
    EXPECT_EQ(number<std::uint32_t>(rig.read(3), 40), 1u);
}

TEST(DeviceWatchdog, FallsTenMillisecondsAfterTheLastFrameAtAnyForceAndSlew) {
    DeviceSetup setup = strong();
    for (firmware::KeyRow& row : setup.rows) row.slew = 100;  // 0.2 N/ms: far too slow for the way down
    for (const int units : {500, -2500, 30000}) {
        DeviceRig rig(setup);
        rig.ready();
        rig.play(0.3, static_cast<std::int16_t>(units));
        EXPECT_GT(std::abs(rig.force_N()), 0.9);
        rig.run(0.009 + kPlantStep_s);  // the last frame is a millisecond old already
        EXPECT_EQ(rig.force_N(), 0);
        EXPECT_EQ(rig.device.state(), DeviceState::calibrated);
    }
}

TEST(DeviceWatchdog, WatchesInArmedAndNotBelow) {
    DeviceRig rig;
    rig.arm();
    rig.run(0.0095);
    EXPECT_EQ(rig.device.state(), DeviceState::armed);
    rig.run(0.0006);
    EXPECT_EQ(rig.device.state(), DeviceState::calibrated);
    EXPECT_EQ(rig.device.status().watchdog_trips, 1u);
    rig.run(0.1);
    EXPECT_EQ(rig.device.status().watchdog_trips, 1u);
}

TEST(DeviceWatchdog, ALateFrameBringsTheForceBackAtTheSlew) {
    DeviceRig rig(strong());
    rig.ready();
    rig.play(0.02, 2000);
    rig.run(0.007);  // age 8 ms: 4 N x 0.4
    EXPECT_NEAR(rig.force_N(), 1.6, 0.03);
    const Trace back = played(rig, 0.002, 2000);
    EXPECT_LE(back.most_growth_N(), 5000 * kPlantStep_s + 1e-9);
    EXPECT_DOUBLE_EQ(back.force_N.back(), 4);
}

TEST(DeviceStop, SwitchCommandAndStopBitTakeTheForceWithinAMillisecond) {
    for (int way = 0; way < 3; ++way) {
        DeviceRig rig(strong());
        rig.ready();
        rig.play(0.05, 10000);
        ASSERT_DOUBLE_EQ(rig.force_N(), way < 3 ? 15 : 0);
        if (way == 0) rig.device.stop_switch = true;
        if (way == 1) {
            EXPECT_EQ(rig.command(Op::emergency_stop), Refusal::none);
        }
        if (way == 2) rig.device.on_out_transfer(rig.force_frame({10000}, 1, 0, 1));
        rig.run(0.001);
        EXPECT_EQ(rig.device.state(), DeviceState::fault);
        EXPECT_EQ(rig.device.device_fault(), DeviceFault::emergency_stop);
        for (int k = 0; k < 8; ++k) EXPECT_EQ(rig.device.key(k).plant.motor_N(), 0);
    }
}

TEST(DeviceStop, EveryWayDownIsZeroWithinAMillisecond) {
    for (const Op op : {Op::disarm, Op::disable, Op::emergency_stop}) {
        DeviceRig rig(strong());
        rig.ready();
        rig.play(0.05, 10000);
        EXPECT_EQ(rig.command(op), Refusal::none);
        rig.run(0.001);
        EXPECT_EQ(rig.device.key(0).plant.motor_N(), 0);
        // Back up at once with the frame from before the fall: it was for another token.
        if (op != Op::disarm) continue;
        EXPECT_EQ(rig.command(Op::arm, rig.device.token()), Refusal::no_frames);
    }
}
