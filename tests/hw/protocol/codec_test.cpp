#include "hw/protocol/codec.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/hw/protocol/document_example.h"

namespace letoff::hw {
namespace {

using test::document_example;
using Bytes = std::vector<std::uint8_t>;

/// With a check sum that fits, so that what lies behind it is looked at.
Bytes changed(Bytes bytes, std::size_t at, std::uint8_t value) {
    bytes[at] = value;
    const std::uint32_t crc = crc32(std::span(bytes).first(bytes.size() - 4));
    for (std::size_t i = 0; i < 4; ++i) bytes[bytes.size() - 4 + i] = static_cast<std::uint8_t>(crc >> 8 * i);
    return bytes;
}

Refused motion(const Bytes& bytes) {
    MotionView view;
    return decode(bytes, view);
}
Refused force(const Bytes& bytes) {
    ForceView view;
    return decode(bytes, view);
}
Refused identity(const Bytes& bytes) {
    Identity i;
    return decode(bytes, i);
}

TEST(Codec, EveryDamagedBitOfAFrameIsFound) {
    for (const char* name : {"motion", "force"}) {
        const Bytes good = document_example(name);
        for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
            Bytes bad = good;
            bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ 1U << bit % 8);
            EXPECT_NE(name == std::string("motion") ? motion(bad) : force(bad), Refused::kNo) << name << " bit " << bit;
        }
    }
}

TEST(Codec, AFrameOfEveryOtherLengthIsRefused) {
    const Bytes good = document_example("motion");
    for (std::size_t n = 0; n < good.size(); ++n) {
        EXPECT_EQ(motion(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n))), Refused::kLength) << n;
    }
    Bytes longer = good;
    longer.push_back(0);
    EXPECT_EQ(motion(longer), Refused::kLength);
}

TEST(Codec, AMotionFrameIsRefusedForWhatIsWrongWithIt) {
    const Bytes good = document_example("motion");
    EXPECT_EQ(motion(changed(good, 1, 'F')), Refused::kMagic);
    EXPECT_EQ(motion(changed(good, 2, 2)), Refused::kVersion);
    EXPECT_EQ(motion(changed(good, 3, 7)), Refused::kKeys);
    EXPECT_EQ(motion(changed(good, 3, 97)), Refused::kKeys);
    EXPECT_EQ(motion(changed(good, 3, 9)), Refused::kLength);  // nine keys would need more bytes
    EXPECT_EQ(motion(changed(good, 6, 0)), Refused::kSamples);
    EXPECT_EQ(motion(changed(good, 6, 9)), Refused::kSamples);
    EXPECT_EQ(motion(changed(good, 7, 5)), Refused::kValue);  // no such state
    EXPECT_EQ(motion(changed(good, 24, 0)), Refused::kReserved);
    EXPECT_EQ(motion(changed(good, 24, 0xC3)), Refused::kReserved);
    EXPECT_EQ(motion(changed(good, 26, 3)), Refused::kRate);
    Bytes bad = good;
    bad.back() ^= 1;
    EXPECT_EQ(motion(bad), Refused::kCrc);
}

TEST(Codec, AForceFrameIsRefusedForWhatIsWrongWithIt) {
    const Bytes good = document_example("force");
    EXPECT_EQ(force(changed(good, 1, 'M')), Refused::kMagic);
    EXPECT_EQ(force(changed(good, 7, 2)), Refused::kReserved);
    EXPECT_EQ(force(changed(good, 7, 1)), Refused::kNo);  // the stop bit
    EXPECT_EQ(force(changed(good, 24, 5)), Refused::kRate);
    EXPECT_EQ(force(changed(good, 6, 3)), Refused::kLength);
}

TEST(Codec, AnIdentityThatCannotBePlayedIsRefused) {
    const Bytes good = document_example("identity");
    EXPECT_EQ(identity(changed(good, 58, 7)), Refused::kKeys);
    EXPECT_EQ(identity(changed(good, 61, 0xF0)), Refused::kRate);
    EXPECT_EQ(identity(changed(good, 62, 9)), Refused::kSamples);
    EXPECT_EQ(identity(changed(good, 59, 2)), Refused::kValue);  // kind
    EXPECT_EQ(identity(changed(good, 8, 0)), Refused::kValue);   // no serial, then one with a hole
    EXPECT_EQ(identity(changed(good, 10, 0x1B)), Refused::kValue);
    EXPECT_EQ(identity(changed(good, 64, 0x0A)), Refused::kValue);  // velocity and one Hall sensor: no position
    EXPECT_EQ(identity(changed(good, 64, 0x18)), Refused::kNo);     // the Hall pair is enough
    Identity named;
    ASSERT_EQ(decode(changed(good, 24, 0x1B), named), Refused::kNo);
    EXPECT_EQ(named.name_text(), "?orkshop octave");
    ASSERT_EQ(decode(changed(good, 24, 0xC3), named), Refused::kNo);  // half a character
    EXPECT_EQ(named.name_text(), "?orkshop octave");
    ASSERT_EQ(decode(changed(changed(good, 24, 0xC3), 25, 0xB6), named), Refused::kNo);
    EXPECT_EQ(named.name_text(), "\xC3\xB6rkshop octave");
    ASSERT_EQ(decode(changed(changed(good, 24, 0xC2), 25, 0x9B), named), Refused::kNo);  // a terminal's CSI
    EXPECT_EQ(named.name_text(), "??rkshop octave");
}

TEST(Codec, KeyRowsAboveTheLimitsOfTheProtocolAreRefused) {
    const Bytes good = document_example("key_rows");
    const auto rows = [](const Bytes& bytes) {
        std::array<KeyRow, 8> r{};
        return decode_key_rows(bytes, r);
    };
    constexpr std::size_t kLast = 4 + 24 * 7;
    EXPECT_EQ(rows(good), Refused::kNo);
    EXPECT_EQ(rows(changed(good, kLast, 6)), Refused::kValue);          // key 7 calls itself 6
    EXPECT_EQ(rows(changed(good, kLast + 8, 0x31)), Refused::kValue);   // 60.002 N
    EXPECT_EQ(rows(changed(good, kLast + 10, 21)), Refused::kValue);    // 21 ms
    EXPECT_EQ(rows(changed(good, kLast + 15, 0x1E)), Refused::kValue);  // 5 N for ever is 15.4 N
    EXPECT_EQ(rows(changed(good, kLast + 17, 0x0A)), Refused::kValue);  // 5.12 N/ms
    std::array<KeyRow, 9> nine{};
    EXPECT_EQ(decode_key_rows(good, nine), Refused::kLength);
}

TEST(Codec, AStatusWithoutATokenIsRefused) {
    Status status;
    Bytes bytes = document_example("status");
    for (std::size_t i = 4; i < 8; ++i) bytes[i] = 0;
    EXPECT_EQ(decode(changed(bytes, 3, 1), status), Refused::kValue);
    EXPECT_EQ(decode(changed(document_example("status"), 3, 5), status), Refused::kValue);
}

TEST(Codec, NumbersOfANewerVersionHaveNamesToo) {
    EXPECT_EQ(key_fault_name(10), "key out of its travel");
    EXPECT_EQ(key_fault_name(11), "fault without a name");
    EXPECT_EQ(device_fault_name(1), "emergency stop");
    EXPECT_EQ(device_fault_name(200), "fault without a name");
    EXPECT_EQ(name(DeviceState::kArmed), "ARMED");
    std::set<std::string_view> sentences;
    for (int i = 0; i < kRefusedKinds; ++i) sentences.insert(sentence(static_cast<Refused>(i)));
    EXPECT_EQ(sentences.size(), 10U);
    EXPECT_NE(sentence(static_cast<WriteRefusal>(11)), sentence(WriteRefusal::kBadArgument));
}

TEST(Codec, AFrameNeverEndsOnAWholePacket) {
    for (std::size_t keys = kFewestKeys; keys <= kMostKeys; ++keys) {
        for (std::uint8_t samples = 1; samples <= kMostSamples; ++samples) {
            EXPECT_NE(force_frame_bytes(keys, samples) % 512, 0U);
            for (std::uint16_t fields = 1; fields <= kAllFields; ++fields) {
                ASSERT_NE(motion_frame_bytes(keys, {4, samples, fields}) % 512, 0U);
            }
        }
    }
}

TEST(Codec, PaddedFramesComeBack) {
    // 88 keys, 4 samples of position and velocity are 1536 bytes: padded.
    MotionHeader header;
    header.keys = 88;
    header.token = 1;
    header.stream = {4, 4, 0x03};
    std::vector<std::uint16_t> values(88 * 4 * 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i);
    std::vector<std::uint8_t> key_status(88);
    key_status[87] = 7;
    Bytes out(kMostMotionBytes);
    ASSERT_EQ(encode_motion(header, values, {}, key_status, out), 1540U);
    MotionView view;
    ASSERT_EQ(decode(std::span(out).first(1540), view), Refused::kNo);
    EXPECT_EQ(view.value(3, Field::kVelocity, 87), 703);
    EXPECT_EQ(view.value(1, Field::kPosition, 2), 88 * 2 + 2);
    EXPECT_EQ(view.key_status(87), 7);
    EXPECT_EQ(decode(std::span(out).first(1536), view), Refused::kLength);
}

TEST(Codec, EncodingIntoTooLittleRoomWritesNothing) {
    Bytes out(51, 0xAA);
    const std::vector<std::int16_t> forces(8);
    EXPECT_EQ(encode_force({8, 1, 4, false, 1, 1, 0, 0}, forces, out), 0U);
    EXPECT_EQ(out[0], 0xAA);
    out.resize(52);
    EXPECT_EQ(encode_force({8, 1, 4, false, 1, 1, 0, 0}, forces, out), 52U);
    EXPECT_EQ(encode_force({8, 2, 4, false, 1, 1, 0, 0}, forces, out), 0U);  // forces of one sample only
}

TEST(Codec, AStreamFitsTheEndpoint) {
    EXPECT_TRUE(stream_fits(88, {8, 4, 0x03}));   // 1540 bytes at 2000 frames a second
    EXPECT_FALSE(stream_fits(96, {8, 8, 0x7F}));  // 9.5 MB a second
    EXPECT_TRUE(stream_fits(88, {4, 4, 0x7F}));
    EXPECT_FALSE(stream_fits(88, {3, 4, 0x03}));
    EXPECT_TRUE(stream_fits(8, {1, 2, 0x01}));
    EXPECT_FALSE(stream_fits(8, {1, 3, 0x01}));  // 3 ms: the watchdog would be felt where one is lost
}

TEST(Codec, SequencesWrap) {
    EXPECT_TRUE(is_newer(0, 0xFFFFFFFF));
    EXPECT_TRUE(is_newer(0x7FFFFFFF, 0));
    EXPECT_FALSE(is_newer(0x80000000U, 0));
    EXPECT_FALSE(is_newer(5, 5));
    EXPECT_FALSE(is_newer(0xFFFFFFFF, 0));
}

}  // namespace
}  // namespace letoff::hw
