#include "core/midi/message.h"

#include <gtest/gtest.h>

#include <vector>

using namespace letoff::core;

namespace {

std::vector<std::uint8_t> bytes_of(const MidiMessage& message) {
    const MidiBytes encoded = encode(message);
    return {encoded.span().begin(), encoded.span().end()};
}

using Bytes = std::vector<std::uint8_t>;

}  // namespace

TEST(MidiMessage, EncodesEachKindWithItsOwnNumberOfBytes) {
    EXPECT_EQ(bytes_of(note_on(0, 60, 64)), (Bytes{0x90, 60, 64}));
    EXPECT_EQ(bytes_of(note_off(15, 60, 20)), (Bytes{0x8F, 60, 20}));
    EXPECT_EQ(bytes_of(control_change(2, kSustainPedal, 127)), (Bytes{0xB2, 64, 127}));
    EXPECT_EQ(bytes_of({MidiKind::program_change, 3, 5, 0}), (Bytes{0xC3, 5}));
    EXPECT_EQ(bytes_of({MidiKind::channel_pressure, 4, 99, 0}), (Bytes{0xD4, 99}));
    EXPECT_EQ(bytes_of({MidiKind::poly_pressure, 1, 60, 99}), (Bytes{0xA1, 60, 99}));
    EXPECT_EQ(bytes_of({MidiKind::clock, 7, 1, 1}), (Bytes{0xF8}));
    EXPECT_TRUE(bytes_of({MidiKind::system_exclusive, 0, 0, 0}).empty());
}

TEST(MidiMessage, VelocityZeroIsANoteOffWithTheDefaultReleaseVelocity) {
    EXPECT_EQ(note_on(0, 60, 0), note_off(0, 60, 64));
    EXPECT_EQ(message_of(0x95, 60, 0), (MidiMessage{MidiKind::note_off, 5, 60, 64}));
    EXPECT_EQ(message_of(0x85, 60, 0), (MidiMessage{MidiKind::note_off, 5, 60, 0}));  // a real note-off may say 0
}

TEST(MidiMessage, ValuesOutsideSevenBitsAreClampedNotWrapped) {
    EXPECT_EQ(bytes_of(control_change(0, kSustainPedal, 200)), (Bytes{0xB0, 64, 127}));
    EXPECT_EQ(bytes_of(control_change(0, kSustainPedal, -3)), (Bytes{0xB0, 64, 0}));
}

TEST(MidiMessage, PitchBendIsFourteenBitsAroundTheMiddle) {
    EXPECT_EQ(bytes_of(pitch_bend(0, 0)), (Bytes{0xE0, 0, 64}));
    EXPECT_EQ(bytes_of(pitch_bend(0, -8192)), (Bytes{0xE0, 0, 0}));
    EXPECT_EQ(bytes_of(pitch_bend(0, 8191)), (Bytes{0xE0, 127, 127}));
    EXPECT_EQ(bytes_of(pitch_bend(0, -1)), (Bytes{0xE0, 127, 63}));
    EXPECT_EQ(bytes_of(pitch_bend(0, 9000)), (Bytes{0xE0, 127, 127}));
}
