// The simulated device falling ill.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hw/sim/device.h"
#include "tests/hw/sim/device_rig.h"

using namespace letoff::hw;

namespace {

std::uint8_t key_status(DeviceRig& rig, std::size_t key) {
    rig.run(0.0015);
    UsbReply in, newest;
    while ((in = rig.device.next_in_transfer()).answer == UsbAnswer::ack) newest = in;
    return newest.bytes.at(newest.bytes.size() - 4 - 8 + key);
}

}  // namespace

TEST(DeviceAilments, ADeadSensorTakesItsKeyOutAndTheOthersPlay) {
    DeviceRig rig;
    ASSERT_EQ(rig.stream(1, 1, 0x03), Refusal::none);
    rig.ready();
    rig.play(0.02, 500);
    rig.device.ailment(3).sensor_dead = true;
    rig.play(0.001, 500);
    EXPECT_EQ(rig.fault(3), KeyFault::sensor_dead);
    EXPECT_EQ(rig.force_N(3), 0);
    EXPECT_DOUBLE_EQ(rig.force_N(4), 1);
    EXPECT_EQ(rig.device.state(), DeviceState::enabled);
    EXPECT_EQ(key_status(rig, 3) & 0x3F, 4);
    EXPECT_EQ(key_status(rig, 4) & 0x3F, 0);
    EXPECT_EQ(rig.read(3).at(21), 1);
    // It stays off when the sensor answers again, until CLEAR_FAULT; and that only once the cause is gone.
    EXPECT_EQ(rig.command(Op::disable), Refusal::none);
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::none);
    EXPECT_EQ(rig.read(3).at(21), 1);
    rig.device.ailment(3).sensor_dead = false;
    rig.run(0.1);
    EXPECT_EQ(rig.read(3).at(21), 1);
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::none);
    EXPECT_EQ(rig.read(3).at(21), 0);
}

TEST(DeviceAilments, AStuckSensorShowsWhenTheKeyMoves) {
    DeviceRig rig;
    rig.device.ailment(2).sensor_stuck = true;
    rig.run(0.5);
    EXPECT_EQ(rig.fault(2), KeyFault::none);
    for (const int key : {2, 5}) rig.device.key(key).plant.finger = SimFinger::actuator(0.1, 0.008, 0.6);
    rig.run(1);
    EXPECT_EQ(rig.fault(2), KeyFault::sensor_stuck);
    EXPECT_EQ(rig.fault(5), KeyFault::none);
}

TEST(DeviceAilments, HealthySensorsAreNotSuspectedUnderHardPlaying) {
    DeviceRig rig;
    rig.ready();
    rig.device.key(1).plant.finger = SimFinger::actuator(1.0, 0.012, 0.3, 0.05);
    rig.device.key(2).plant.finger = SimFinger::actuator(0.002, 0.009, 0.3, 0.05);
    rig.device.key(3).plant.finger = SimFinger::nervous_grip(0.006, 0, 3);
    for (int i = 0; i < 10; ++i) {
        rig.play(0.1, 1000);
        rig.play(0.1, -1000);
    }
    for (int k = 0; k < 8; ++k) EXPECT_EQ(rig.fault(k), KeyFault::none) << k;
}

TEST(DeviceAilments, AnOpenMotorPhaseShowsWhenForceIsAskedFor) {
    DeviceRig rig;
    rig.device.ailment(6).motor_open = true;
    rig.ready();
    EXPECT_EQ(rig.fault(6), KeyFault::none);
    rig.play(0.005, 1000);
    EXPECT_EQ(rig.fault(6), KeyFault::motor_open);
    EXPECT_EQ(rig.fault(5), KeyFault::none);
    EXPECT_EQ(rig.device.key(6).plant.motor_N(), 0);
    EXPECT_EQ(rig.command(Op::disable), Refusal::none);
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::none);
    EXPECT_EQ(rig.fault(6), KeyFault::motor_open);
    rig.device.ailment(6).motor_open = false;
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::none);
    EXPECT_EQ(rig.fault(6), KeyFault::none);
}

TEST(DeviceAilments, AmplifierShortSpeedAndTravel) {
    DeviceRig rig;
    rig.device.ailment(0).reported = KeyFault::amplifier;
    rig.run(0.001);
    EXPECT_EQ(rig.fault(0), KeyFault::amplifier);
    rig.device.ailment(0).reported = KeyFault::motor_short;
    rig.run(0.001);
    EXPECT_EQ(rig.fault(0), KeyFault::amplifier);  // the first is kept
    // A device without rails, whose key is thrown far below its travel.
    DeviceSetup loose = octave();
    loose.numbers.stops = false;
    DeviceRig far(loose);
    far.device.key(1).plant.finger = SimFinger::actuator(0.1, 0.0135, 0.05);
    far.run(0.4);
    EXPECT_EQ(far.fault(1), KeyFault::out_of_travel);
    EXPECT_EQ(far.fault(2), KeyFault::none);
    // A feather of a key: 15 N bring it to more than 3 m/s.
    loose.numbers.moving_mass_kg = 0.0005;
    DeviceRig fast(loose);
    fast.ready();
    fast.play(0.02, -7500);
    EXPECT_EQ(fast.fault(0), KeyFault::over_speed);
}

TEST(DeviceAilments, MoreThanAQuarterOfTheKeysIsTheDevicesFault) {
    DeviceRig rig;
    rig.ready();
    rig.device.ailment(0).sensor_dead = rig.device.ailment(1).sensor_dead = true;
    rig.play(0.002, 100);
    EXPECT_EQ(rig.device.state(), DeviceState::enabled);  // a quarter
    rig.device.ailment(2).sensor_dead = true;
    rig.play(0.001, 100);
    EXPECT_EQ(rig.device.state(), DeviceState::fault);
    EXPECT_EQ(rig.device.device_fault(), DeviceFault::too_many_keys);
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::fault_active);
    rig.device.ailment(2).sensor_dead = false;
    rig.run(0.001);
    EXPECT_EQ(rig.read(3).at(21), 3);  // what was refused forgot nothing
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::none);
    EXPECT_EQ(rig.device.state(), DeviceState::disabled);
    EXPECT_EQ(rig.read(3).at(21), 2);
}

TEST(DeviceAilments, AHaltedEndpointStallsUntilCleared) {
    DeviceRig rig;
    ASSERT_EQ(rig.stream(1, 1, 1), Refusal::none);
    rig.ready();
    rig.play(0.02, 1000);
    rig.device.halt(0x81);
    EXPECT_EQ(rig.device.next_in().answer, UsbAnswer::stall);
    EXPECT_EQ(rig.device.control({0x82, 0, 0, 0x81, 2}).bytes, (Bytes{1, 0}));
    rig.device.halt(0x01);
    EXPECT_EQ(rig.device.on_out_transfer(rig.force_frame({1000})), UsbAnswer::stall);
    rig.run(0.011);
    EXPECT_EQ(rig.device.state(), DeviceState::calibrated);  // the watchdog took the force away
    ASSERT_EQ(rig.device.control({0x02, 1, 0, 0x81, 0}).answer, UsbAnswer::ack);
    ASSERT_EQ(rig.device.control({0x02, 1, 0, 0x01, 0}).answer, UsbAnswer::ack);
    EXPECT_EQ(rig.device.next_in().answer, UsbAnswer::ack);  // the stream went on
    EXPECT_EQ(rig.device.on_out_transfer(rig.force_frame({0})), UsbAnswer::ack);
    EXPECT_EQ(rig.device.control({0x02, 1, 0, 0x82, 0}).answer, UsbAnswer::stall);
}

TEST(DeviceAilments, SilenceIsOutsideOnly) {
    DeviceRig rig;
    ASSERT_EQ(rig.stream(1, 1, 1), Refusal::none);
    rig.ready();
    rig.play(0.02, 1000);
    rig.device.be_silent(0.05);
    rig.play(0.03, 1000);
    EXPECT_EQ(rig.device.next_in().answer, UsbAnswer::nak);
    EXPECT_EQ(rig.device.control({0xC1, 3, 0, 0, 64}).answer, UsbAnswer::nak);
    EXPECT_EQ(rig.device.state(), DeviceState::calibrated);
    rig.run(0.0251);
    const UsbReply in = rig.device.next_in();
    ASSERT_EQ(in.answer, UsbAnswer::ack);
    EXPECT_EQ(in.bytes.at(7), 1);
    EXPECT_EQ(in.bytes.at(35), 1);  // one trip
}

TEST(DeviceAilments, ABadCableAtSeededRates) {
    const auto received = [](std::uint64_t seed, FrameTrouble::Counts* counts) {
        DeviceSetup setup = octave();
        setup.seed = seed;
        DeviceRig rig(setup);
        EXPECT_EQ(rig.stream(1, 4, 3), Refusal::none);
        rig.device.in_trouble.rates = {.drop = 0.05, .corrupt = 0.04, .shorten = 0.03, .repeat = 0.02, .reorder = 0.01};
        std::vector<Bytes> frames;
        for (int tick = 0; tick < 32000; ++tick) {
            rig.run(kPlantStep_s);
            if (UsbReply in = rig.device.next_in_transfer(); in.answer == UsbAnswer::ack) frames.push_back(in.bytes);
        }
        if (counts != nullptr) *counts = rig.device.in_trouble.counts;
        return frames;
    };
    FrameTrouble::Counts n;
    const std::vector<Bytes> frames = received(7, &n);
    EXPECT_EQ(frames, received(7, nullptr));
    EXPECT_NE(frames, received(8, nullptr));
    EXPECT_NEAR(n.dropped, 200, 60);
    EXPECT_NEAR(n.corrupted, 160, 50);
    EXPECT_NEAR(n.shortened, 120, 45);
    EXPECT_NEAR(n.repeated, 80, 35);
    EXPECT_NEAR(n.reordered, 40, 25);
    int broken = 0, backwards = 0, twice = 0;
    std::int64_t last = -1;
    for (const Bytes& f : frames) {
        if (f.size() != 80 || f != sealed(f)) {
            ++broken;
            continue;
        }
        const auto sequence = static_cast<std::int64_t>(number<std::uint32_t>(f, 8));
        backwards += sequence < last;
        twice += sequence == last;
        last = std::max(last, sequence);
    }
    EXPECT_EQ(broken, n.corrupted + n.shortened);
    EXPECT_EQ(twice, n.repeated);
    EXPECT_NEAR(backwards, n.reordered, 0.2 * n.reordered + 3);  // not if what should have come before is lost too
    EXPECT_EQ(frames.size(), static_cast<std::size_t>(3999 - n.dropped + n.repeated));
}

TEST(DeviceAilments, ABadCableToTheDeviceIsCountedAndForcesStaySane) {
    DeviceRig rig;
    rig.ready();
    rig.device.out_trouble.rates = {.drop = 0.1, .corrupt = 0.1, .shorten = 0.1, .repeat = 0.1, .reorder = 0.1};
    const firmware::Status before = rig.device.status();
    double most_N = 0;
    rig.play(1, 1000, [&] { most_N = std::max(most_N, rig.force_N()); });
    const firmware::Status after = rig.device.status();
    const FrameTrouble::Counts& n = rig.device.out_trouble.counts;
    EXPECT_EQ(after.frames_bad - before.frames_bad, static_cast<std::uint32_t>(n.corrupted + n.shortened));
    EXPECT_GE(after.frames_stale - before.frames_stale, static_cast<std::uint32_t>(n.repeated));
    EXPECT_EQ(most_N, 2);
    EXPECT_EQ(rig.device.state(), DeviceState::enabled);  // ten in a row are never lost here
}

TEST(DeviceAilments, TheClockRunsAsFastAsItLikes) {
    DeviceSetup setup = octave();
    setup.clock_ppm = 200;
    DeviceRig fast(setup);
    setup.clock_ppm = -200;
    DeviceRig slow(setup);
    fast.run(10);
    slow.run(10);
    EXPECT_NEAR(static_cast<double>(fast.device.time_us()), 10'002'000, 32);
    EXPECT_NEAR(static_cast<double>(slow.device.time_us()), 9'998'000, 32);
    fast.device.clock_ppm = 0;
    fast.run(1);
    EXPECT_NEAR(static_cast<double>(fast.device.time_us()), 11'002'000, 32);
}

TEST(DeviceAilments, TheStepsOfTheWorldDoNotMatter) {
    const auto played = [](int pieces) {
        DeviceSetup setup = octave();
        setup.clock_ppm = 137;
        DeviceRig rig(setup);
        rig.device.key(1).plant.finger = SimFinger::actuator(0.3, 0.008, 0.01, 0.02);
        EXPECT_EQ(rig.stream(1, 4, 0x7F), Refusal::none);
        Bytes all;
        for (int i = 0; i < 400; ++i) {
            for (int p = 0; p < pieces; ++p) rig.run(0.00025 / pieces);
            while (true) {
                const UsbReply in = rig.device.next_in_transfer();
                if (in.answer != UsbAnswer::ack) break;
                all.insert(all.end(), in.bytes.begin(), in.bytes.end());
            }
        }
        return all;
    };
    EXPECT_EQ(played(1), played(7));
}
