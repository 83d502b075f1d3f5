#include "hw/sim/device.h"

#include <gtest/gtest.h>

#include "tests/hw/sim/device_rig.h"

using namespace letoff::hw;

TEST(DeviceExamples, CrcAndDescriptors) {
    const std::string nine = "123456789";
    EXPECT_EQ(firmware::crc32(Bytes(nine.begin(), nine.end())), 0xCBF43926u);
    DeviceRig rig;
    Bytes hello = rig.device.control({0x80, 6, 0x0100, 0, 18}).bytes;
    const Bytes configuration = rig.device.control({0x80, 6, 0x0200, 0, 255}).bytes;
    hello.insert(hello.end(), configuration.begin(), configuration.end());
    EXPECT_EQ(hello, example("", "12 01"));
    EXPECT_EQ(rig.device.control({0x80, 6, 0x0303, 0x0409, 255}).bytes,
              (Bytes{16, 3, 'L', 0, 'K', 0, '-', 0, '0', 0, '0', 0, '4', 0, '2', 0}));
}

TEST(DeviceExamples, IdentityAndKeyRows) {
    DeviceRig rig;
    EXPECT_EQ(rig.read(1), example("identity"));
    EXPECT_EQ(rig.read(2), example("key_rows"));
}

TEST(DeviceExamples, SetKeyRowLowersThreeLimitsOfAllKeys) {
    DeviceRig rig;
    ASSERT_EQ(rig.write(5, example("set_key_row")), UsbAnswer::ack);
    Bytes rows = example("key_rows");
    for (std::size_t k = 0; k < 8; ++k) {
        set(rows, 4 + 24 * k + 8, std::uint16_t{10000});
        set(rows, 4 + 24 * k + 12, std::uint16_t{5000});
        set(rows, 4 + 24 * k + 14, std::uint16_t{1500});
    }
    EXPECT_EQ(rig.read(2), sealed(rows));
}

TEST(DeviceExamples, TheCommandsOfASession) {
    DeviceRig rig;
    EXPECT_EQ(rig.write(4, example("stream")), UsbAnswer::ack);
    EXPECT_EQ(rig.read(3).at(19), 4);
    EXPECT_EQ(rig.read(3).at(20), 2);
    EXPECT_EQ(number<std::uint16_t>(rig.read(3), 22), 0x43);
    EXPECT_EQ(rig.write(4, example("calibrate")), UsbAnswer::ack);
    rig.send(0);
    EXPECT_EQ(rig.write(4, example("arm")), UsbAnswer::ack);
    EXPECT_EQ(rig.device.state(), DeviceState::armed);
    EXPECT_EQ(rig.write(4, example("enable")), UsbAnswer::ack);
    EXPECT_EQ(rig.device.state(), DeviceState::enabled);
    EXPECT_EQ(rig.write(4, example("disarm")), UsbAnswer::ack);
    EXPECT_EQ(rig.device.state(), DeviceState::calibrated);
    EXPECT_EQ(rig.write(4, example("disable")), UsbAnswer::ack);
    EXPECT_EQ(rig.device.state(), DeviceState::disabled);
    EXPECT_EQ(rig.write(4, example("emergency_stop")), UsbAnswer::ack);
    EXPECT_EQ(rig.device.state(), DeviceState::fault);
    EXPECT_EQ(rig.write(4, example("clear_fault")), UsbAnswer::ack);
    EXPECT_EQ(rig.device.state(), DeviceState::disabled);
    EXPECT_EQ(rig.read(3).at(18), 0);
}

TEST(DeviceExamples, Status) {
    firmware::Status s;
    s.state = DeviceState::calibrated;
    s.token = 0x00C0FFEE;
    s.time_us = 123456789;
    s.last_op = static_cast<std::uint8_t>(Op::arm);
    s.last_refusal = Refusal::no_frames;
    s.rate_kHz = 4;
    s.samples = 2;
    s.keys_off = 1;
    s.fields = 0x43;
    s.frames_valid = 1000;
    s.frames_bad = 1;
    s.frames_stale = 2;
    s.frames_early = 3;
    s.watchdog_trips = 4;
    s.force_sequence = 0x01020304;
    s.calibration_id = 0xCA11B001;
    EXPECT_EQ(encode(s), example("status"));
}

TEST(DeviceExamples, Motion) {
    firmware::Motion m;
    m.samples = 2;
    m.state = DeviceState::enabled;
    m.sequence = 0xFFFFFFFF;
    m.token = 0x00C0FFEE;
    m.time_us = 123456789;
    m.fields = 0x43;
    m.rate_kHz = 4;
    m.force_sequence = 0x01020304;
    m.frames_refused = 6;
    m.last_refusal = Refusal::no_frames;
    m.watchdog_trips = 4;
    // 100 mm/s for 0.25 ms are 25 um: 50 units.
    m.values = {0, 20000, 0xFFFE, 1, 2, 3, 4, 10000, 0, 0xFFFB, 0, 0, 0, 0, 0, 1000,
                0, 20001, 0xFFFE, 1, 2, 3, 4, 10050, 0, 0xFFFA, 0, 0, 0, 0, 0, 1010};
    m.temperatures = {251, 252, 253, 254, 255, 256, 257, -10};
    m.key_status = {0, 0, 0, static_cast<std::uint8_t>(KeyFault::sensor_dead), 0, firmware::kLimitedBit, 0, 0};
    EXPECT_EQ(encode(m), example("motion"));
}

TEST(DeviceExamples, ForceActsAtItsTime) {
    firmware::Force f;
    ASSERT_TRUE(firmware::read_force(example("force"), 8, 8, f));
    EXPECT_EQ(f.samples, 2);
    EXPECT_EQ(f.flags, 0);
    EXPECT_EQ(f.sequence, 0x01020305u);
    EXPECT_EQ(f.token, 0x00C0FFEEu);
    EXPECT_EQ(f.start_us, 123457789u);
    EXPECT_EQ(f.rate_kHz, 4);
    EXPECT_EQ(f.motion_sequence, 0xFFFFFFFFu);
    EXPECT_EQ(f.force[1], 1000);
    EXPECT_EQ(f.force[7], -250);
    EXPECT_EQ(f.force[8 + 1], 1100);
    EXPECT_EQ(f.force[8 + 7], -200);

    // The same frame in a device that is there a millisecond before; soft start long over.
    DeviceRig rig;
    rig.ready();
    Bytes frame = example("force");
    set(frame, 16, rig.device.time_us() + 1000);
    set(frame, 8, ++rig.sequence);
    ASSERT_EQ(rig.device.on_out_transfer(sealed(frame)), UsbAnswer::ack);
    rig.run(0.00095);
    EXPECT_EQ(rig.force_N(1), 0);
    rig.run(0.0002);  // slew 5 N/ms: a fifth of a millisecond brings less than 1 N
    EXPECT_GT(rig.force_N(1), 0.4);
    EXPECT_LT(rig.force_N(1), 1.0);
    EXPECT_LT(rig.force_N(7), -0.3);
    rig.run(0.0009);
    EXPECT_DOUBLE_EQ(rig.force_N(1), 2.2);
    EXPECT_DOUBLE_EQ(rig.force_N(7), -0.4);
    EXPECT_EQ(rig.force_N(0), 0);
}

TEST(DeviceExamples, LengthsOfFrames) {
    EXPECT_EQ(firmware::motion_bytes(88, 4, 0x03), 1540u);
    EXPECT_EQ(firmware::motion_bytes(88, 1, 0x03), 480u);
    EXPECT_EQ(firmware::motion_bytes(88, 4, 0x47), 2416u);
    EXPECT_EQ(firmware::motion_bytes(9, 1, 0x38), 104u);
    EXPECT_EQ(firmware::motion_bytes(96, 8, 0x7F), 9544u);
    EXPECT_EQ(firmware::force_bytes(88, 4), 740u);
    EXPECT_EQ(firmware::force_bytes(8, 1), 52u);
    EXPECT_EQ(firmware::force_bytes(34, 7), 516u);
    EXPECT_EQ(firmware::force_bytes(96, 8), 1572u);
    // Nothing but the shortest frames is a multiple of 512 any more, so none needs an empty packet.
    for (std::size_t keys = 8; keys <= 96; ++keys)
        for (std::size_t samples = 1; samples <= 8; ++samples) {
            ASSERT_NE(firmware::force_bytes(keys, samples) % 512, 0u);
            for (unsigned fields = 1; fields < 128; ++fields)
                ASSERT_NE(firmware::motion_bytes(keys, samples, fields) % 512, 0u);
        }
}

TEST(DeviceRequests, AShortReadGivesTheBeginningAndUnknownOnesStall) {
    DeviceRig rig;
    const Bytes all = rig.read(1);
    EXPECT_EQ(rig.read(1, 10), Bytes(all.begin(), all.begin() + 10));
    EXPECT_EQ(rig.read(3).size(), 64u);
    EXPECT_EQ(rig.device.control({0xC1, 4, 0, 0, 64}).answer, UsbAnswer::stall);  // COMMAND is not read
    EXPECT_EQ(rig.device.control({0x41, 1, 0, 0, 0}).answer, UsbAnswer::stall);   // identity is not written
    EXPECT_EQ(rig.device.control({0xC0, 1, 0, 0, 96}).answer, UsbAnswer::stall);  // not the interface's
    EXPECT_EQ(rig.device.control({0xC1, 9, 0, 0, 96}).answer, UsbAnswer::stall);
    EXPECT_EQ(rig.device.control({0xC1, 1, 0, 1, 96}).answer, UsbAnswer::stall);
    EXPECT_EQ(rig.device.control({0x01, 0x0B, 2, 0, 0}).answer, UsbAnswer::stall);  // there is no setting 2
    EXPECT_EQ(rig.read(3).at(18), 0);
}

TEST(DeviceRequests, WhatIsWrongWithACommandIsToldInTheDocumentsOrder) {
    DeviceRig rig;
    const auto refusal = [&](Bytes bytes) {
        EXPECT_EQ(rig.write(4, bytes), UsbAnswer::stall);
        return static_cast<Refusal>(rig.read(3).at(18));
    };
    const Bytes good = example("arm");
    Bytes short_one(good.begin(), good.end() - 1), damaged = good, other_magic = good, other_major = good;
    damaged[2] = 9;  // damaged goes before version
    other_magic[1] = 'X';
    other_major[2] = 2;
    Bytes op_0 = good, op_9 = good;
    op_0[3] = 0;
    op_9[3] = 9;
    EXPECT_EQ(refusal(short_one), Refusal::bad_length);
    EXPECT_EQ(refusal(damaged), Refusal::bad_crc);
    EXPECT_EQ(refusal(sealed(other_magic)), Refusal::bad_version);
    EXPECT_EQ(refusal(sealed(other_major)), Refusal::bad_version);
    EXPECT_EQ(refusal(sealed(op_0)), Refusal::unknown_op);
    EXPECT_EQ(refusal(sealed(op_9)), Refusal::unknown_op);
    EXPECT_EQ(refusal(good), Refusal::wrong_state);  // DISABLED, though no frame came either
    EXPECT_EQ(rig.command(Op::calibrate, 0, 0xCA11B000), Refusal::not_calibrated);
    rig.calibrate();
    EXPECT_EQ(rig.command(Op::arm, 0x00C0FFED), Refusal::stale_token);  // though no frame came
    EXPECT_EQ(refusal(good), Refusal::no_frames);
    rig.send(0);
    rig.run(0.01);
    EXPECT_EQ(refusal(good), Refusal::no_frames);
    rig.send(0);
    rig.run(0.009);
    EXPECT_EQ(rig.write(4, good), UsbAnswer::ack);
    EXPECT_EQ(rig.command(Op::enable, 1), Refusal::stale_token);
    EXPECT_EQ(rig.device.state(), DeviceState::armed);
}

TEST(DeviceRequests, LimitsOfTheHostAreLowerOrNothingChanges) {
    DeviceRig rig;
    const Bytes before = rig.read(2);
    const auto ask = [&](std::uint16_t key, std::size_t at, std::uint16_t value, std::size_t at2 = 0,
                         std::uint16_t value2 = 0) {
        Bytes w(32);
        set(w, 0, 0x0001574Cu);
        if (at2 != 0) set(w, 4 + at2, value2);
        set(w, 4 + at, value);
        set(w, 4, key);
        const bool taken = rig.write(5, sealed(w)) == UsbAnswer::ack;
        if (!taken) {
            EXPECT_EQ(rig.read(3).at(17), 0xFF);
        }
        return taken ? Refusal::none : static_cast<Refusal>(rig.read(3).at(18));
    };
    EXPECT_EQ(ask(0, 8, 30001), Refusal::bad_argument);
    EXPECT_EQ(ask(0, 10, 21), Refusal::bad_argument);
    EXPECT_EQ(ask(0, 18, 3001), Refusal::bad_argument);
    EXPECT_EQ(ask(0, 20, 901), Refusal::bad_argument);
    EXPECT_EQ(ask(0, 22, 2001), Refusal::bad_argument);
    EXPECT_EQ(ask(0, 8, 7000), Refusal::bad_argument);            // peak below second
    EXPECT_EQ(ask(0, 12, 2000, 16, 100), Refusal::bad_argument);  // second below continuous: slew stays, too
    EXPECT_EQ(ask(8, 16, 100), Refusal::bad_argument);            // no such key
    EXPECT_EQ(rig.read(2), before);
    EXPECT_EQ(ask(3, 16, 100), Refusal::none);
    EXPECT_EQ(number<std::uint16_t>(rig.read(2), 4 + 3 * 24 + 16), 100);
    EXPECT_EQ(number<std::uint16_t>(rig.read(2), 4 + 2 * 24 + 16), 2500);
    EXPECT_EQ(ask(3, 16, 200), Refusal::none);  // up again, to no more than the device's own
    rig.to(DeviceState::armed);
    EXPECT_EQ(ask(3, 16, 100), Refusal::wrong_state);
    rig.to(DeviceState::fault);
    EXPECT_EQ(ask(3, 16, 100), Refusal::fault_active);
    EXPECT_EQ(rig.read(2), before);  // a session forgot them
}
