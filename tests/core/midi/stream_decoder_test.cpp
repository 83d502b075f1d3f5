#include "core/midi/stream_decoder.h"

#include <gtest/gtest.h>

#include <vector>

using namespace letoff::core;

namespace {

std::vector<MidiMessage> decode(MidiStreamDecoder& decoder, const std::vector<std::uint8_t>& bytes) {
    std::vector<MidiMessage> messages;
    MidiMessage message;
    for (const std::uint8_t byte : bytes) {
        if (decoder.push(byte, message)) messages.push_back(message);
    }
    return messages;
}

std::vector<MidiMessage> decode(const std::vector<std::uint8_t>& bytes) {
    MidiStreamDecoder decoder;
    return decode(decoder, bytes);
}

}  // namespace

TEST(MidiStream, RunningStatusAndVelocityZero) {
    EXPECT_EQ(decode({0x90, 0x3C, 0x4A, 0x3D, 0x00, 0x3E, 0x4A}),
              (std::vector{note_on(0, 60, 74), note_off(0, 61, 64), note_on(0, 62, 74)}));
}

TEST(MidiStream, RunningStatusOfOneDataByte) {
    EXPECT_EQ(decode({0xD1, 10, 20}), (std::vector{MidiMessage{MidiKind::channel_pressure, 1, 10, 0},
                                                   MidiMessage{MidiKind::channel_pressure, 1, 20, 0}}));
}

TEST(MidiStream, RealTimeBytesInsideAMessageComeFirstAndDisturbNothing) {
    EXPECT_EQ(decode({0x90, 0xF8, 0x3C, 0xFE, 0x4A, 0xF8, 0x3D, 0x01}),
              (std::vector{MidiMessage{MidiKind::clock, 0, 0, 0}, MidiMessage{MidiKind::active_sensing, 0, 0, 0},
                           note_on(0, 60, 74), MidiMessage{MidiKind::clock, 0, 0, 0}, note_on(0, 61, 1)}));
}

TEST(MidiStream, SystemCommonEndsRunningStatus) {
    MidiStreamDecoder decoder;
    EXPECT_EQ(decode(decoder, {0x90, 60, 64, 0xF6, 61, 64}).size(), 2u);  // the note and the tune request
    EXPECT_EQ(decoder.counts().stray_data_bytes, 2u);
}

TEST(MidiStream, SongPositionDoesNotRun) {
    MidiStreamDecoder decoder;
    EXPECT_EQ(decode(decoder, {0xF2, 1, 2, 3, 4}), (std::vector{MidiMessage{MidiKind::song_position, 0, 1, 2}}));
    EXPECT_EQ(decoder.counts().stray_data_bytes, 2u);
}

TEST(MidiStream, AMessageCutByAnotherStatusIsDroppedAndCounted) {
    MidiStreamDecoder decoder;
    EXPECT_EQ(decode(decoder, {0x90, 60, 0xB0, 64, 127}), (std::vector{control_change(0, 64, 127)}));
    EXPECT_EQ(decoder.counts().broken_messages, 1u);
}

TEST(MidiStream, UndefinedStatusesAreCounted) {
    MidiStreamDecoder decoder;
    EXPECT_TRUE(decode(decoder, {0xF4, 0xF5, 0xF9, 0xFD, 0xF7}).empty());
    EXPECT_EQ(decoder.counts().undefined_statuses, 5u);
}

TEST(MidiStream, LongSystemExclusiveIsOneMessage) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{2000}, std::size_t{70000}}) {
        MidiStreamDecoder decoder;
        std::vector<std::uint8_t> bytes{0xF0};
        for (std::size_t i = 0; i < size; ++i) {
            bytes.push_back(static_cast<std::uint8_t>(i % 128));
            if (i % 256 == 0) bytes.push_back(0xFE);  // a driver's real-time byte between its parts
        }
        bytes.push_back(0xF7);
        int exclusive = 0;
        MidiMessage message;
        for (const std::uint8_t byte : bytes) {
            if (!decoder.push(byte, message) || message.kind != MidiKind::system_exclusive) continue;
            ++exclusive;
            ASSERT_EQ(decoder.sysex().size(), size);
            if (size > 0) {
                EXPECT_EQ(decoder.sysex().back(), (size - 1) % 128);
            }
        }
        EXPECT_EQ(exclusive, 1);
    }
}

TEST(MidiStream, SystemExclusiveLargerThanTheBufferIsDroppedWhole) {
    MidiStreamDecoder decoder(4);
    EXPECT_TRUE(decode(decoder, {0xF0, 1, 2, 3, 4, 5, 0xF7}).empty());
    EXPECT_EQ(decoder.counts().oversized_sysex, 1u);
    EXPECT_EQ(decode(decoder, {0xF0, 1, 2, 3, 4, 0xF7}).size(), 1u);  // the next one fits exactly
    EXPECT_EQ(decoder.sysex().size(), 4u);
}

TEST(MidiStream, SystemExclusiveEndedByANoteLosesOnlyItself) {
    MidiStreamDecoder decoder;
    EXPECT_EQ(decode(decoder, {0xF0, 1, 2, 0x90, 60, 64}), (std::vector{note_on(0, 60, 64)}));
    EXPECT_EQ(decoder.counts().broken_sysex, 1u);
}

TEST(MidiStream, ResetForgetsHalfAMessage) {
    MidiStreamDecoder decoder;
    EXPECT_TRUE(decode(decoder, {0x90, 60}).empty());
    decoder.reset();
    EXPECT_TRUE(decode(decoder, {64}).empty());
    EXPECT_EQ(decode(decoder, {0x80, 60, 1}), (std::vector{note_off(0, 60, 1)}));
}
