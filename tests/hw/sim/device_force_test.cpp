// FORCE frames of the simulated device.
#include <gtest/gtest.h>

#include "hw/sim/device.h"
#include "tests/hw/sim/device_rig.h"

using namespace letoff::hw;

TEST(DeviceForce, LongFramesComeInPackets) {
    DeviceSetup setup = DeviceSetup::of(light_lever(), "X", 1, 88);
    setup.max_packet = 512;
    DeviceRig rig(setup);
    EXPECT_EQ(number<std::uint16_t>(rig.device.control({0x80, 6, 0x0200, 0, 255}).bytes, 31), 512);
    const Bytes frame = rig.force_frame({0, 0, 0, 0}, 2);  // 740 bytes
    rig.device.on_out(firmware::ByteSpan(frame).first(512));
    EXPECT_EQ(rig.device.status().frames_valid, 0u);
    rig.device.on_out(firmware::ByteSpan(frame).subspan(512));
    EXPECT_EQ(rig.device.status().frames_valid, 1u);
    // One without an end swallows what follows, once.
    const Bytes noise(512, 7);
    for (int i = 0; i < 10; ++i) rig.device.on_out(noise);
    rig.device.on_out(firmware::ByteSpan(noise).first(3));
    EXPECT_EQ(rig.device.status().frames_bad, 1u);
    rig.device.on_out_transfer(rig.force_frame({0}));
    EXPECT_EQ(rig.device.status().frames_valid, 2u);
    // The other way too: 1540 bytes of MOTION.
    ASSERT_EQ(rig.stream(4, 4, 3), Refusal::none);
    rig.run(0.0015);
    std::vector<std::size_t> sizes;
    for (UsbReply in = rig.device.next_in(); in.answer == UsbAnswer::ack; in = rig.device.next_in())
        sizes.push_back(in.bytes.size());
    EXPECT_EQ(sizes, (std::vector<std::size_t>{512, 512, 512, 4}));
}

TEST(DeviceForce, WhatIsWrongWithAFrameIsCountedAndMovesNothing) {
    DeviceRig rig;
    rig.ready();
    const std::uint32_t valid = rig.device.status().frames_valid;
    std::uint32_t bad = 0;
    const auto expect_bad = [&](std::size_t at, std::uint8_t byte) {
        Bytes f = rig.force_frame({1000});
        f[at] = byte;
        rig.device.on_out_transfer(sealed(f));
        EXPECT_EQ(rig.device.status().frames_bad, ++bad) << "byte " << at;
    };
    expect_bad(0, 0x4D);
    expect_bad(1, 'M');
    expect_bad(2, 2);   // major
    expect_bad(3, 9);   // K
    expect_bad(4, 53);  // length
    expect_bad(6, 2);   // samples that are not there
    expect_bad(6, 0);
    expect_bad(6, 9);
    expect_bad(7, 2);   // reserved flag
    expect_bad(24, 3);  // rate
    Bytes damaged = rig.force_frame({1000});
    damaged[32] ^= 1;
    rig.device.on_out_transfer(damaged);
    EXPECT_EQ(rig.device.status().frames_bad, ++bad);
    rig.device.on_out_transfer(rig.force_frame({1000}, 1, rig.device.time_us() + 2'001));
    EXPECT_EQ(rig.device.status().frames_bad, ++bad);
    rig.device.on_out_transfer(rig.force_frame({1000, 1000, 1000}, 1));  // 3 ms
    EXPECT_EQ(rig.device.status().frames_bad, ++bad);
    rig.device.on_out_transfer({});
    EXPECT_EQ(rig.device.status().frames_bad, ++bad);
    Bytes other = rig.force_frame({1000});
    set(other, 12, rig.device.token() - 1);
    rig.device.on_out_transfer(sealed(other));
    EXPECT_EQ(rig.device.status().frames_stale, 1u);
    rig.run(0.003);
    EXPECT_EQ(rig.force_N(), 0);
    EXPECT_EQ(rig.device.status().frames_valid, valid);
    // Reserved bytes are not looked at.
    Bytes reserved = rig.force_frame({1000});
    reserved[25] = reserved[26] = reserved[27] = 0xFF;
    rig.device.on_out_transfer(sealed(reserved));
    EXPECT_EQ(rig.device.status().frames_valid, valid + 1);
}

TEST(DeviceForce, NewerIsHalfTheNumbersAhead) {
    DeviceRig rig;
    const auto send = [&](std::uint32_t sequence) {
        const std::uint32_t before = rig.device.status().frames_valid;
        rig.sequence = sequence - 1;
        rig.send(0);
        return rig.device.status().frames_valid == before + 1;
    };
    EXPECT_TRUE(send(0xFFFFFFFE));
    EXPECT_FALSE(send(0xFFFFFFFE));  // repeated
    EXPECT_FALSE(send(0xFFFFFFFD));  // out of order
    EXPECT_TRUE(send(1));            // over the end, one lost
    EXPECT_FALSE(send(0xFFFFFFFF));
    EXPECT_FALSE(send(0x80000001));  // half a circle ahead is not newer
    EXPECT_TRUE(send(0x80000000));
    EXPECT_EQ(rig.device.status().frames_stale, 4u);
}

TEST(DeviceForce, ForcesOutsideEnabledAreEarly) {
    for (const auto state : {DeviceState::disabled, DeviceState::calibrated, DeviceState::armed, DeviceState::fault}) {
        DeviceRig rig;
        rig.to(state);
        rig.send(0);
        rig.send(1);
        EXPECT_EQ(rig.device.status().frames_early, 1u);
        rig.send(0);  // an early one is not valid: its sequence is not the last, but this one is newer all the same
        EXPECT_EQ(rig.device.status().frames_early, 1u);
        rig.run(0.002);
        EXPECT_EQ(rig.device.key(0).plant.motor_N(), 0);
    }
}

TEST(DeviceForce, SamplesHoldFromTheirTimesAndTheNewestFrameRules) {
    DeviceSetup setup = octave();
    DeviceRig rig(setup);
    rig.ready();
    const std::uint64_t t0 = rig.device.time_us();
    rig.device.on_out_transfer(rig.force_frame({100, 200, 300, 400}, 2, t0 + 1000));  // 0.2 to 0.8 N
    const auto after = [&](double ms) {
        rig.run(1e-3 * ms);
        return rig.force_N();
    };
    EXPECT_EQ(after(0.95), 0);
    EXPECT_DOUBLE_EQ(after(0.4), 0.2);  // 1.35 ms; the slew needs 0.04 ms
    EXPECT_DOUBLE_EQ(after(0.5), 0.4);
    EXPECT_DOUBLE_EQ(after(0.5), 0.6);
    // A newer one from 2 ms later: what acts now stays until then, the samples of the older are not waited for.
    rig.device.on_out_transfer(rig.force_frame({500}, 1, rig.device.time_us() + 2000));
    EXPECT_DOUBLE_EQ(after(1.5), 0.6);
    EXPECT_DOUBLE_EQ(after(0.7), 1.0);
    // From the past: its last sample holds. Without a time: from its arrival.
    rig.device.on_out_transfer(rig.force_frame({0, 0, 250}, 8, 1));
    EXPECT_DOUBLE_EQ(after(0.3), 0.5);
    rig.device.on_out_transfer(rig.force_frame({150, 50}, 4, 0));
    EXPECT_DOUBLE_EQ(after(0.2), 0.3);
    EXPECT_DOUBLE_EQ(after(0.2), 0.1);
}

TEST(DeviceForce, WhoAlwaysSendsAheadIsObeyedOneFrameLate) {
    DeviceRig rig;
    rig.ready();
    for (int ms = 1; ms <= 20; ++ms) {
        const auto units = static_cast<std::int16_t>(100 * ms);
        rig.device.on_out_transfer(rig.force_frame({units}, 1, rig.device.time_us() + 1900));
        rig.run(0.001);
        EXPECT_DOUBLE_EQ(rig.force_N(), 0.2 * (ms - 1));
    }
}

TEST(DeviceForce, TheStopBitNeedsNoKey) {
    for (const auto state :
         {DeviceState::disabled, DeviceState::calibrated, DeviceState::armed, DeviceState::enabled}) {
        DeviceRig rig;
        rig.to(state);
        rig.send(0);
        Bytes stop = rig.force_frame({0}, 1, 0, 1);
        set(stop, 8, 3u);           // an old sequence
        set(stop, 12, 0xDEADBEEF);  // and nobody's token
        rig.device.on_out_transfer(sealed(stop));
        EXPECT_EQ(rig.device.state(), DeviceState::fault);
        EXPECT_EQ(rig.read(3).at(16), 1);
        EXPECT_EQ(rig.device.status().frames_stale, 1u);
    }
    // Nor a time, nor a state.
    DeviceRig early;
    early.device.on_out_transfer(early.force_frame({1000}, 1, early.device.time_us() + 9'000, 1));
    EXPECT_EQ(early.device.state(), DeviceState::fault);
    EXPECT_EQ(early.device.status().frames_bad, 1u);
    DeviceRig pushing;
    pushing.device.on_out_transfer(pushing.force_frame({1000}, 1, 0, 1));
    EXPECT_EQ(pushing.device.state(), DeviceState::fault);
    EXPECT_EQ(pushing.device.status().frames_early, 1u);
    DeviceRig rig;
    Bytes damaged = rig.force_frame({0}, 1, 0, 1);
    damaged[40] ^= 1;
    rig.device.on_out_transfer(damaged);
    EXPECT_EQ(rig.device.state(), DeviceState::disabled);
}
