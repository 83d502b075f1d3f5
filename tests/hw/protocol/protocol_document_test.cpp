// What PROTOCOL.md shows is what the codec makes and takes: each worked example there, in both directions, and the
// numbers that the document states.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "hw/protocol/codec.h"
#include "tests/hw/protocol/document_example.h"

namespace letoff::hw {
namespace {

using test::document_example;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kToken = 0x00C0FFEE;

template <std::size_t N>
Bytes bytes_of(const std::array<std::uint8_t, N>& array) {
    return {array.begin(), array.end()};
}

template <std::size_t N>
void set(std::array<char, N>& text, std::string_view value) {
    std::copy(value.begin(), value.end(), text.begin());
}

TEST(ProtocolDocument, CrcTestVector) {
    constexpr std::string_view kDigits = "123456789";
    Bytes digits(kDigits.begin(), kDigits.end());
    EXPECT_EQ(crc32(digits), 0xCBF43926U);
    EXPECT_EQ(crc32({}), 0U);
}

TEST(ProtocolDocument, Identity) {
    Identity expected;
    expected.firmware_major = 2;
    expected.firmware_minor = 7;
    set(expected.serial, "LK-0042");
    set(expected.name, "Workshop octave");
    expected.first_key = 40;
    expected.keys = 8;
    expected.kind = KeyKind::kLightLever;
    expected.front_rail = expected.back_rail = true;
    expected.rates = 7;
    expected.max_samples = 8;
    expected.self_calibrated = expected.has_stop_switch = true;
    expected.senses = kAllFields;
    expected.sense_delay_us = 110;
    expected.act_delay_us = 60;
    expected.calibration_id = 0xCA11B001;
    const Bytes example = document_example("identity");
    Identity identity;
    ASSERT_EQ(decode(example, identity), Refused::kNo);
    EXPECT_EQ(identity, expected);
    EXPECT_EQ(bytes_of(encode(expected)), example);
    EXPECT_TRUE(identity.has_rate(4));
    EXPECT_FALSE(identity.has_rate(8));
    EXPECT_FALSE(identity.has_rate(3));
}

TEST(ProtocolDocument, KeyRows) {
    const Bytes example = document_example("key_rows");
    std::array<KeyRow, 8> rows{};
    ASSERT_EQ(decode_key_rows(example, rows), Refused::kNo);
    const KeyRow seventh{7, 20000, 2570, 60, 30000, 20, 7500, 2500, 2500, 3000, 900, 2000};
    EXPECT_EQ(rows[7], seventh);
    Bytes out(key_rows_bytes(8));
    EXPECT_EQ(encode_key_rows(rows, out), example.size());
    EXPECT_EQ(out, example);
}

TEST(ProtocolDocument, SetKeyRow) {
    const KeyRow row{kAllKeys, 0, 0, 0, 10000, 0, 5000, 1500, 0, 0, 0, 0};
    const Bytes example = document_example("set_key_row");
    EXPECT_EQ(bytes_of(encode_set_key_row(row)), example);
    KeyRow decoded;
    ASSERT_EQ(decode_set_key_row(example, decoded), Refused::kNo);
    EXPECT_EQ(decoded, row);
}

TEST(ProtocolDocument, Commands) {
    const std::pair<const char*, Command> kExamples[] = {
        {"calibrate", {Op::kCalibrate, 0, 0xCA11B001, 0}},
        {"arm", {Op::kArm, kToken, 0, 0}},
        {"enable", {Op::kEnable, kToken, 0, 0}},
        {"disarm", {Op::kDisarm, 0, 0, 0}},
        {"disable", {Op::kDisable, 0, 0, 0}},
        {"clear_fault", {Op::kClearFault, 0, 0, 0}},
        {"emergency_stop", {Op::kEmergencyStop, 0, 0, 0}},
        {"stream", stream_command({4, 2, 0x43})},
    };
    for (const auto& [name, command] : kExamples) {
        SCOPED_TRACE(name);
        const Bytes example = document_example(name);
        EXPECT_EQ(bytes_of(encode(command)), example);
        Command decoded;
        ASSERT_EQ(decode(example, decoded), Refused::kNo);
        EXPECT_EQ(decoded, command);
    }
}

TEST(ProtocolDocument, Status) {
    Status expected;
    expected.state = DeviceState::kCalibrated;
    expected.token = kToken;
    expected.time_us = 123456789;
    expected.last_op = static_cast<std::uint8_t>(Op::kArm);
    expected.last_refusal = WriteRefusal::kNoFrames;
    expected.stream = {4, 2, 0x43};
    expected.keys_off = 1;
    expected.frames_valid = 1000;
    expected.frames_bad = 1;
    expected.frames_stale = 2;
    expected.frames_early = 3;
    expected.watchdog_trips = 4;
    expected.force_sequence = 0x01020304;
    expected.calibration_id = 0xCA11B001;
    const Bytes example = document_example("status");
    Status status;
    ASSERT_EQ(decode(example, status), Refused::kNo);
    EXPECT_EQ(status, expected);
    EXPECT_EQ(bytes_of(encode(expected)), example);
}

TEST(ProtocolDocument, Motion) {
    const Bytes example = document_example("motion");
    MotionView view;
    ASSERT_EQ(decode(example, view), Refused::kNo);
    const MotionHeader header{
        8, DeviceState::kEnabled, 0xFFFFFFFF, kToken, 123456789, {4, 2, 0x43}, 0, 0x01020304, 6, 8, 4};
    EXPECT_EQ(view.header, header);
    EXPECT_EQ(view.value(0, Field::kPosition, 1) * kPositionUnit_m, 0.010);
    EXPECT_EQ(view.value(1, Field::kPosition, 1), 20001);
    EXPECT_EQ(view.value(1, Field::kVelocity, 1), -6);
    EXPECT_NEAR(view.value(0, Field::kVelocity, 7) * kVelocityUnit_mps, 0.100, 1e-12);
    EXPECT_EQ(view.temperature(0), 251);
    EXPECT_EQ(view.temperature(7), -10);
    EXPECT_EQ(view.key_status(3), 4);
    EXPECT_EQ(key_fault_name(view.key_status(3) & kKeyFaultMask), "dead sensor");
    EXPECT_EQ(view.key_status(5), kKeyLimitedBit);

    std::vector<std::uint16_t> values;
    for (int sample = 0; sample < 2; ++sample) {
        for (const Field field : {Field::kPosition, Field::kVelocity}) {
            for (int key = 0; key < 8; ++key) values.push_back(view.raw(sample, field, key));
        }
    }
    const std::array<std::int16_t, 8> temperatures = {251, 252, 253, 254, 255, 256, 257, -10};
    const std::array<std::uint8_t, 8> key_status = {0, 0, 0, 4, 0, 0x40, 0, 0};
    Bytes out(example.size());
    EXPECT_EQ(encode_motion(header, values, temperatures, key_status, out), example.size());
    EXPECT_EQ(out, example);
}

TEST(ProtocolDocument, Force) {
    const Bytes example = document_example("force");
    ForceView view;
    ASSERT_EQ(decode(example, view), Refused::kNo);
    const ForceHeader header{8, 2, 4, false, 0x01020305, kToken, 123457789, 0xFFFFFFFF};
    EXPECT_EQ(view.header, header);
    EXPECT_DOUBLE_EQ(view.force(0, 1) * kForceUnit_N, 2.0);
    EXPECT_DOUBLE_EQ(view.force(1, 7) * kForceUnit_N, -0.4);
    std::vector<std::int16_t> forces;
    for (int sample = 0; sample < 2; ++sample) {
        for (int key = 0; key < 8; ++key) forces.push_back(view.force(sample, key));
    }
    Bytes out(example.size());
    EXPECT_EQ(encode_force(header, forces, out), example.size());
    EXPECT_EQ(out, example);
}

TEST(ProtocolDocument, LengthsOfFrames) {
    EXPECT_EQ(motion_frame_bytes(88, {4, 4, 0x03}), 1540U);  // 1536 and its padding
    EXPECT_EQ(motion_frame_bytes(88, {4, 1, 0x03}), 480U);
    EXPECT_EQ(motion_frame_bytes(88, {4, 4, 0x47}), 2416U);
    EXPECT_EQ(motion_frame_bytes(9, {4, 1, 0x38}), 104U);
    EXPECT_EQ(motion_frame_bytes(96, {8, 8, 0x7F}), 9544U);
    EXPECT_EQ(force_frame_bytes(88, 4), 740U);
    EXPECT_EQ(force_frame_bytes(8, 1), 52U);
    EXPECT_EQ(force_frame_bytes(34, 7), 516U);
    EXPECT_EQ(force_frame_bytes(96, 8), 1572U);
}

}  // namespace
}  // namespace letoff::hw
