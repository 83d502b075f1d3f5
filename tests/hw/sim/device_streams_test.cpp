// MOTION and FORCE frames of the simulated device.
#include <gtest/gtest.h>

#include "hw/sim/device.h"
#include "tests/hw/sim/device_rig.h"

using namespace letoff::hw;

namespace {

DeviceSetup fast_octave() {
    DeviceSetup s = octave();
    s.identity.rates = 15;
    return s;
}

std::int16_t value(const Bytes& motion, std::size_t sample, std::size_t fields, std::size_t field, std::size_t key) {
    return number<std::int16_t>(motion, 36 + 2 * ((sample * fields + field) * 8 + key));
}

}  // namespace

TEST(DeviceMotion, SeveralSamplesAFrameAtEveryRate) {
    for (const int rate_kHz : {1, 2, 4, 8})
        for (const int samples : {1, 3, 8}) {
            DeviceRig rig(fast_octave());
            rig.run(0.00071);
            if (samples > 2 * rate_kHz) {  // more than 2 ms
                EXPECT_EQ(rig.stream(samples, rate_kHz, 0x43), Refusal::bad_argument);
                continue;
            }
            ASSERT_EQ(rig.stream(samples, rate_kHz, 0x43), Refusal::none);
            std::uint64_t last_us = 0;
            std::uint32_t frames = 0;
            for (int tick = 0; tick < 3200; ++tick) {
                rig.run(kPlantStep_s);
                const UsbReply in = rig.device.next_in_transfer();
                if (in.answer != UsbAnswer::ack) continue;
                ASSERT_EQ(in.bytes.size(), firmware::motion_bytes(8, static_cast<std::size_t>(samples), 0x43));
                ASSERT_EQ(in.bytes, sealed(in.bytes));
                EXPECT_EQ(number<std::uint16_t>(in.bytes, 4), in.bytes.size());
                EXPECT_EQ(number<std::uint32_t>(in.bytes, 8), frames++);
                const auto time_us = number<std::uint64_t>(in.bytes, 16);
                const auto frame_us = static_cast<std::uint64_t>(samples * 1000 / rate_kHz);
                if (last_us != 0) {
                    EXPECT_EQ(time_us - last_us, frame_us);
                }
                last_us = time_us;
                // Ready when the last sample is 110 us old, told by ticks of 31.25 us.
                const std::uint64_t last_sample_us =
                    time_us + static_cast<std::uint64_t>((samples - 1) * 1000 / rate_kHz);
                EXPECT_GE(rig.device.time_us(), last_sample_us + 110);
                EXPECT_LE(rig.device.time_us(), last_sample_us + 142);
            }
            EXPECT_NEAR(frames, 100 * rate_kHz / samples, 1);
        }
}

TEST(DeviceMotion, TellsWhereTheKeyIsInTheDocumentsUnits) {
    DeviceRig rig(fast_octave());
    rig.device.key(2).plant.finger = SimFinger::actuator(0.05, 0.004, 0.01, 1);  // down to 4 mm at 50 mm/s, and stays
    ASSERT_EQ(rig.stream(1, 1, 0x7F), Refusal::none);
    std::int16_t fastest = 0, most_coil = 0;
    Bytes last;
    for (int ms = 0; ms < 300; ++ms) {
        rig.run(0.001);
        if (UsbReply in = rig.device.next_in_transfer(); in.answer == UsbAnswer::ack) last = in.bytes;
        if (last.empty()) continue;
        fastest = std::max(fastest, value(last, 0, 6, 1, 2));
        most_coil = std::max(most_coil, value(last, 0, 6, 5, 2));
    }
    const double dip_m = rig.device.key(2).plant.dip_m();
    EXPECT_NEAR(value(last, 0, 6, 0, 2) * 0.5e-6, dip_m, 10e-6);  // Hall noise is 2 um
    EXPECT_NEAR(value(last, 0, 6, 0, 3) * 0.5e-6, rig.device.key(3).plant.dip_m(), 10e-6);
    EXPECT_GT(dip_m, 0.003);
    const double front_V = value(last, 0, 6, 3, 2) * 1e-4, rear_V = value(last, 0, 6, 4, 2) * 1e-4;
    EXPECT_NEAR(0.005 + (front_V * front_V - rear_V * rear_V) / 180, dip_m, 10e-6);
    EXPECT_GT(fastest * 1e-4, 0.045);
    EXPECT_NEAR(most_coil * 50e-6, 0.5 * fastest * 1e-4, 0.002);  // 0.5 V per m/s, same sign
    const std::size_t temperatures = 36 + 2 * 6 * 8;
    EXPECT_EQ(number<std::int16_t>(last, temperatures), 250);
}

TEST(DeviceMotion, CurrentIsPositiveWhereTheMotorPushesUp) {
    DeviceRig rig;
    ASSERT_EQ(rig.stream(1, 1, 0x04), Refusal::none);
    rig.ready();
    while (rig.device.next_in_transfer().answer == UsbAnswer::ack) {
    }
    rig.play(0.005, 1000);
    rig.run(0.0002);  // until the frame is ready
    UsbReply in, newest;
    while ((in = rig.device.next_in_transfer()).answer == UsbAnswer::ack) newest = in;
    EXPECT_NEAR(value(newest.bytes, 0, 1, 0, 0) * 0.5e-3, 2.0 / 8, 0.01);  // 2 N at 8 N/A
    EXPECT_EQ(newest.bytes.at(7), 3);                                      // ENABLED
    EXPECT_EQ(number<std::uint32_t>(newest.bytes, 28), rig.sequence);
}

TEST(DeviceMotion, OldFramesAreDroppedAndTheSequenceShowsIt) {
    DeviceRig rig(fast_octave());
    ASSERT_EQ(rig.stream(1, 1, 1), Refusal::none);
    rig.run(0.0205);  // samples at 1 to 20 ms: sequences 0 to 19
    std::vector<std::uint32_t> sequences;
    for (UsbReply in = rig.device.next_in(); in.answer == UsbAnswer::ack; in = rig.device.next_in())
        sequences.push_back(number<std::uint32_t>(in.bytes, 8));
    EXPECT_EQ(sequences, (std::vector<std::uint32_t>{16, 17, 18, 19}));
    // STREAM begins anew at 0; a stop stops.
    ASSERT_EQ(rig.stream(2, 2, 1), Refusal::none);
    rig.run(0.0021);
    EXPECT_EQ(number<std::uint32_t>(rig.device.next_in().bytes, 8), 0u);
    ASSERT_EQ(rig.stream(0, 0, 0), Refusal::none);
    rig.run(0.01);
    EXPECT_EQ(rig.device.next_in().answer, UsbAnswer::nak);
}

TEST(DeviceMotion, WhatADeviceCannotStreamIsRefused) {
    DeviceSetup setup = DeviceSetup::of(light_lever(), "X", 1, 96);
    setup.identity.max_samples = 4;
    setup.identity.senses = 0x43;
    DeviceRig rig(setup);
    EXPECT_EQ(rig.stream(5, 4, 1), Refusal::bad_argument);
    EXPECT_EQ(rig.stream(1, 3, 1), Refusal::bad_argument);
    EXPECT_EQ(rig.stream(1, 4, 0), Refusal::bad_argument);
    EXPECT_EQ(rig.stream(1, 4, 4), Refusal::bad_argument);  // current is not sensed
    EXPECT_EQ(rig.stream(4, 8, 0x43), Refusal::none);       // 1868 bytes, 2000 a second
    EXPECT_EQ(rig.stream(1, 8, 0x03), Refusal::none);       // 520 bytes 8000 times: 4.2 MB/s
    setup.identity.senses = 0x7F;
    DeviceRig all(setup);
    EXPECT_EQ(all.stream(2, 8, 0x1F), Refusal::bad_argument);  // 2056 bytes 4000 times: 8.2 MB/s
    EXPECT_EQ(all.stream(2, 4, 0x1F), Refusal::none);
    setup.max_packet = 512;
    DeviceRig halves(setup);
    EXPECT_EQ(halves.stream(4, 8, 0x43), Refusal::none);          // 4 packets, 2000 frames a second
    EXPECT_EQ(halves.stream(1, 8, 0x03), Refusal::bad_argument);  // 2 packets, 8000
}

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
