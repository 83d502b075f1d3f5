// The limits in which the simulated device keeps its forces, whatever the host asks for: section 7 of the protocol.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hw/sim/device.h"
#include "hw/sim/device_guard.h"
#include "tests/hw/sim/force_trace.h"

using namespace letoff::hw;

namespace {

Bytes one_limit(std::size_t at, std::uint16_t value) {
    Bytes w(32);
    set(w, 0, 0x0001574Cu);
    set(w, 4, std::uint16_t{0xFFFF});
    set(w, 4 + at, value);
    return sealed(w);
}

bool is_limited(DeviceRig& rig, std::size_t key) {
    UsbReply in, newest;
    while ((in = rig.device.next_in_transfer()).answer == UsbAnswer::ack) newest = in;
    const std::size_t at = newest.bytes.size() - 4 - 8;
    return newest.answer == UsbAnswer::nak || newest.bytes.empty() ? false : (newest.bytes.at(at + key) & 0x40) != 0;
}

}  // namespace

TEST(DeviceLimits, SoftStartTakesAFifthOfASecond) {
    DeviceRig rig(strong());
    rig.enable();
    const Trace trace = played(rig, 0.25, 1000);
    for (const int ms : {1, 50, 100, 199})
        EXPECT_NEAR(trace.force_N[static_cast<std::size_t>(32 * ms)], 2 * ms / 200.0, 1e-3) << ms;
    EXPECT_DOUBLE_EQ(trace.force_N[32 * 201], 2);
    EXPECT_FALSE(is_limited(rig, 0));
    // ENABLE in ENABLED changes nothing; a new ENABLE after DISARM begins again.
    EXPECT_EQ(rig.command(Op::enable, rig.device.token()), Refusal::none);
    rig.play(0.001, 1000);
    EXPECT_DOUBLE_EQ(rig.force_N(), 2);
    EXPECT_EQ(rig.command(Op::disarm), Refusal::none);
    rig.enable();
    rig.play(0.002, 1000);
    EXPECT_LT(rig.force_N(), 0.03);
}

TEST(DeviceLimits, SixtyNewtonsForTwentyMillisecondsFifteenForASecondThenFive) {
    for (const int units : {32767, -32768}) {
        DeviceRig rig(strong());
        ASSERT_EQ(rig.stream(1, 1, 1), Refusal::none);
        rig.ready();
        Trace trace = played(rig, 1.3, static_cast<std::int16_t>(units));
        for (double& f : trace.force_N) f = std::abs(f);
        EXPECT_DOUBLE_EQ(trace.most_N(), 60);
        EXPECT_LE(trace.most_growth_N(), 5000 * kPlantStep_s + 1e-9);
        EXPECT_NEAR(trace.time_above_s(15), 0.020 - kPlantStep_s, 1.01 * kPlantStep_s);  // the way down is part of it
        EXPECT_NEAR(trace.time_above_s(5), 1.0 - kPlantStep_s, 1.01 * kPlantStep_s);
        EXPECT_DOUBLE_EQ(trace.force_N.back(), 5);
        EXPECT_DOUBLE_EQ(trace.force_N[32 * 500], 15);
        EXPECT_TRUE(is_limited(rig, 3));
        // 4 N are not limited, and while no more is asked for a fifth of the time comes back: 0.2 s of 1 s.
        trace = played(rig, 1.0, 2000);
        EXPECT_DOUBLE_EQ(std::abs(trace.force_N.back()), 4);
        EXPECT_FALSE(is_limited(rig, 3));
        trace = played(rig, 0.5, 7000);
        EXPECT_NEAR(trace.time_above_s(5), 0.2, 0.001);
        EXPECT_DOUBLE_EQ(std::abs(trace.force_N.back()), 5);
    }
}

TEST(DeviceLimits, TheHostsLowerLimitsHold) {
    DeviceRig rig(strong());
    ASSERT_EQ(rig.write(5, example("set_key_row")), UsbAnswer::ack);  // 20 N, 10 N, 3 N
    ASSERT_EQ(rig.write(5, one_limit(16, 750)), UsbAnswer::ack);      // 1.5 N/ms
    rig.ready();
    const Trace trace = played(rig, 1.2, 30000);
    EXPECT_DOUBLE_EQ(trace.most_N(), 20);
    EXPECT_LE(trace.most_growth_N(), 1500 * kPlantStep_s + 1e-9);
    EXPECT_DOUBLE_EQ(trace.force_N.back(), 3);
    rig.run(5.1);  // the budgets come back: no session fills them
    rig.set_interface();
    rig.ready();
    EXPECT_GT(played(rig, 0.015, 30000).most_N(), 50);  // the next session has the device's own again
}

TEST(DeviceLimits, ThePeakComesBackWithinASecond) {
    DeviceRig rig(strong());
    rig.ready();
    EXPECT_NEAR(played(rig, 0.030, 30000).time_above_s(15), 0.020, 1e-4);
    rig.play(0.5, 2000);
    EXPECT_NEAR(played(rig, 0.030, 30000).time_above_s(15), 0.010, 0.001);
    rig.set_interface();  // fills no budget
    rig.ready();          // 0.2 s
    EXPECT_NEAR(played(rig, 0.030, 30000).time_above_s(15), 0.004, 0.001);
    rig.play(1.1, 2000);
    EXPECT_NEAR(played(rig, 0.030, 30000).time_above_s(15), 0.020, 1e-4);
}

TEST(DeviceLimits, AForceFallsAtOnceAndChangesItsSignByWayOfNothing) {
    DeviceRig rig(strong());
    rig.ready();
    rig.play(0.05, 2000);
    const Trace trace = played(rig, 0.003, -2000);
    EXPECT_EQ(trace.force_N[0], 0);
    EXPECT_NEAR(trace.force_N[1], -5000 * kPlantStep_s, 1e-9);
    EXPECT_LE(trace.most_growth_N(), 5000 * kPlantStep_s + 1e-9);
    EXPECT_DOUBLE_EQ(trace.force_N.back(), -4);
    EXPECT_DOUBLE_EQ(played(rig, 0.001, -100).force_N[0], -0.2);
}

TEST(DeviceLimits, ForceFadesOverTheLastTenDegrees) {
    DeviceRig rig(strong());
    ASSERT_EQ(rig.stream(1, 1, 0x41), Refusal::none);
    rig.ready();
    rig.play(0.01, 2000);
    rig.device.ailment(0).hotter_C = 50;  // 75 of 90 degrees
    rig.play(0.01, 2000);
    EXPECT_DOUBLE_EQ(rig.force_N(0), 4);
    rig.device.ailment(0).hotter_C = 60;
    rig.play(0.01, 2000);
    EXPECT_NEAR(rig.force_N(0), 2, 0.05);
    EXPECT_DOUBLE_EQ(rig.force_N(1), 4);
    EXPECT_EQ(rig.fault(0), KeyFault::none);
    rig.run(0.0002);
    EXPECT_TRUE(is_limited(rig, 0));
    rig.device.ailment(0).hotter_C = 65;
    rig.play(0.001, 2000);
    EXPECT_EQ(rig.fault(0), KeyFault::over_temperature);
    EXPECT_EQ(rig.force_N(0), 0);
    EXPECT_EQ(rig.device.state(), DeviceState::enabled);
    EXPECT_DOUBLE_EQ(rig.force_N(1), 4);
}

TEST(DeviceLimits, ARealMotorGetsWarmByItsCurrent) {
    const DeviceSetup setup = strong();
    DeviceRig rig(setup);
    rig.ready();
    rig.play(1, 2500);  // 5 N: 0.625 A
    const double loss_W = 0.625 * 0.625 * setup.numbers.motor.resistance_ohm;
    EXPECT_NEAR(rig.device.key(0).temperature_C() - 25, loss_W / 12, 0.03 * loss_W / 12);
}

TEST(DeviceLimits, TheAmplifierHoldsTheCurrent) {
    DeviceRig rig(strong());
    ASSERT_EQ(rig.write(5, one_limit(18, 500)), UsbAnswer::ack);  // 0.5 A: 4 N
    rig.ready();
    double most_A = 0;
    rig.play(0.05, 20000, [&] { most_A = std::max(most_A, rig.device.key(0).plant.current_A()); });
    EXPECT_NEAR(most_A, 0.5, 1e-6);
    EXPECT_EQ(rig.fault(0), KeyFault::none);
}

TEST(DeviceLimits, EnergyGivenToAKeyIsBounded) {
    DeviceSetup setup = octave();
    DeviceRig rig(setup);
    ASSERT_EQ(rig.write(5, one_limit(22, 20)), UsbAnswer::ack);  // 20 mJ
    rig.ready();
    // Down with 1 N against no finger: 10 mm are 10 mJ, up again 10 mJ more, all within 0.1 s.
    bool off = false;
    double given_J = 0, at_most_J = 0;
    for (int stroke = 0; stroke < 6 && !off; ++stroke)
        rig.play(0.05, stroke % 2 == 0 ? std::int16_t{-500} : std::int16_t{500}, [&] {
            const DeviceKey& key = rig.device.key(0);
            given_J += std::max(0.0, -key.force_N() * key.plant.dip_speed_mps()) * kPlantStep_s;
            at_most_J = std::max(at_most_J, given_J);
            off = rig.fault(0) == KeyFault::over_energy;
        });
    EXPECT_TRUE(off);
    EXPECT_EQ(rig.force_N(), 0);
    EXPECT_LT(at_most_J, 0.020 + 0.3 * 0.020 + 0.002);  // the limit, what ran off in 0.3 s, the coil's error
    EXPECT_GT(at_most_J, 0.019);
    // A slow stroke a second never gets there.
    DeviceRig slow(setup);
    ASSERT_EQ(slow.write(5, one_limit(22, 20)), UsbAnswer::ack);
    slow.ready();
    for (int stroke = 0; stroke < 4; ++stroke) {
        slow.play(0.05, -500);
        slow.play(0.75, 0);
        slow.play(0.05, 500);
        slow.play(0.15, 0);
    }
    EXPECT_EQ(slow.fault(0), KeyFault::none);
}

TEST(DeviceLimits, AForceThatDidNotEndInAFaultIsWithinEveryLimitAtOnce) {
    // The guard alone, a million ticks of wild commands, temperatures and watchdogs.
    const firmware::KeyLimits limits = firmware::KeyLimits::of(octave().rows[0]);
    firmware::ForceGuard guard;
    Noise noise(5);
    double last_N = 0, asked_N = 0, hot_C = 25, above_15_s = 0, above_5_s = 0;
    for (int tick = 0; tick < 1'000'000; ++tick) {
        if (noise.uniform() < 0.01) asked_N = 400 * (noise.uniform() - 0.5);
        if (noise.uniform() < 0.001) hot_C = 100 * noise.uniform();
        const double watchdog = noise.uniform() < 0.5 ? 1 : noise.uniform();
        const double f = guard.tick(asked_N * watchdog, hot_C, limits, kPlantStep_s);
        ASSERT_LE(std::abs(f), 60);
        ASSERT_LE(std::abs(f) - std::abs(last_N), limits.slew_Nps * kPlantStep_s + 1e-9);
        ASSERT_GE(f * last_N, 0);
        ASSERT_LE(above_15_s = std::abs(f) > 15 ? above_15_s + kPlantStep_s : 0, 0.020 + 1e-9);
        ASSERT_LE(above_5_s = std::abs(f) > 5 ? above_5_s + kPlantStep_s : 0, 1 + 1e-9);
        last_N = f;
    }
}
