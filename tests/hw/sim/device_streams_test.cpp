// MOTION frames of the simulated device. FORCE: device_force_test.cpp.
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
