#include "core/midi/ump.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/midi/velocity.h"

using namespace letoff::core;

namespace {

std::vector<MidiMessage> decode(UmpDecoder& decoder, std::initializer_list<std::uint32_t> words) {
    std::vector<MidiMessage> all;
    for (const std::uint32_t word : words) {
        const auto some = decoder.push(word);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<MidiMessage> decode(std::initializer_list<std::uint32_t> words) {
    UmpDecoder decoder;
    return decode(decoder, words);
}

using Messages = std::vector<MidiMessage>;

}  // namespace

TEST(Ump, ANoteOfSixteenBitsKeepsFourteen) {
    // Velocity 0xABCD: 0xABCD / 4 = 10995 = 85 * 128 + 115.
    EXPECT_EQ(decode({0x40913C00, 0xABCD0000}),
              (Messages{control_change(1, kVelocityPrefix, 115), {MidiKind::note_on, 1, 60, 85}}));
}

TEST(Ump, ANoteOnOfVelocityZeroIsTheSoftestNoteAndNoNoteOff) {
    EXPECT_EQ(decode({0x40903C00, 0x00000000}),
              (Messages{control_change(0, kVelocityPrefix, 0), {MidiKind::note_on, 0, 60, 1}}));
}

TEST(Ump, ANoteOffHasItsReleaseVelocity) {
    EXPECT_EQ(decode({0x40803C00, 0x80000000}),
              (Messages{control_change(0, kVelocityPrefix, 0), {MidiKind::note_off, 0, 60, 64}}));
}

TEST(Ump, ControllersPressureBendAndProgramBecomeSevenBits) {
    EXPECT_EQ(decode({0x40B04000, 0xFFFFFFFF}), (Messages{control_change(0, kSustainPedal, 127)}));
    EXPECT_EQ(decode({0x40B04000, 0x80000000}), (Messages{control_change(0, kSustainPedal, 64)}));
    EXPECT_EQ(decode({0x40A53C00, 0x40000000}), (Messages{{MidiKind::poly_pressure, 5, 60, 32}}));
    EXPECT_EQ(decode({0x40D00000, 0x7F000000}), (Messages{{MidiKind::channel_pressure, 0, 63, 0}}));
    EXPECT_EQ(decode({0x40E00000, 0x80000000}), (Messages{pitch_bend(0, 0)}));
    EXPECT_EQ(decode({0x40C00001, 0x05000102}),
              (Messages{control_change(0, 0, 1), control_change(0, 32, 2), {MidiKind::program_change, 0, 5, 0}}));
    EXPECT_EQ(decode({0x40C00000, 0x05000102}), (Messages{{MidiKind::program_change, 0, 5, 0}}));
}

TEST(Ump, ARegisteredParameterIsFourControllers) {
    EXPECT_EQ(decode({0x40200001, 0xC0000000}), (Messages{control_change(0, 101, 0), control_change(0, 100, 1),
                                                          control_change(0, 6, 96), control_change(0, 38, 0)}));
    // An assignable one too, of a bank and on a channel that are not the first.
    EXPECT_EQ(decode({0x40330507, 0x04000000}), (Messages{control_change(3, 99, 5), control_change(3, 98, 7),
                                                          control_change(3, 6, 2), control_change(3, 38, 0)}));
}

TEST(Ump, PacketsOfMidi1PassAndMalformedOnesAreCounted) {
    UmpDecoder decoder;
    EXPECT_EQ(decode(decoder, {0x20903C40}), (Messages{note_on(0, 60, 64)}));
    EXPECT_EQ(decode(decoder, {0x20903C00}), (Messages{note_off(0, 60)}));
    EXPECT_EQ(decode(decoder, {0x10F80000})[0].kind, MidiKind::clock);
    EXPECT_TRUE(decode(decoder, {0x2090BC40, 0x20F83C40, 0x20003C40, 0x10F00000}).empty());
    EXPECT_EQ(decoder.counts().malformed, 4u);
}

TEST(Ump, PacketsOfEverySizeAreSteppedOverWhole) {
    // Each long packet holds a note's word; if its size were wrong, that word would be taken for a packet.
    const std::uint32_t note = 0x20903C40;
    UmpDecoder decoder;
    for (const auto& [type, words] : {std::pair{3u, 2},
                                      {5u, 4},
                                      {6u, 1},
                                      {7u, 1},
                                      {8u, 2},
                                      {9u, 2},
                                      {10u, 2},
                                      {11u, 3},
                                      {12u, 3},
                                      {13u, 4},
                                      {14u, 4},
                                      {15u, 4}}) {
        EXPECT_TRUE(decoder.push(type << 28).empty()) << type;
        for (int w = 1; w < words; ++w) EXPECT_TRUE(decoder.push(note).empty()) << type;
        EXPECT_EQ(decoder.push(note).size(), 1u) << type;
    }
    EXPECT_EQ(decoder.counts().stepped_over, 12u);
}

TEST(Ump, OtherGroupsAreLeftOut) {
    UmpDecoder decoder(0b10);
    EXPECT_TRUE(decode(decoder, {0x20903C40}).empty());
    EXPECT_EQ(decode(decoder, {0x21903C40}).size(), 1u);
    EXPECT_EQ(decoder.counts().other_groups, 1u);
}

TEST(Ump, AStreamOfEveryVelocityComesOutRisingAndWhole) {
    UmpDecoder decoder;
    VelocityPrefix prefix;
    int before = 0;
    for (std::uint32_t velocity = 0; velocity < 65536; velocity += 5) {
        decoder.push(0x40903C00);
        std::optional<int> fine;
        for (const MidiMessage& message : decoder.push(velocity << 16)) fine = prefix.see(message);
        ASSERT_TRUE(fine.has_value());
        const int heard = fine.value_or(-1);
        EXPECT_EQ(heard, std::max<int>(static_cast<int>(velocity / 4), kVelocity14bitMin));
        EXPECT_GE(heard, before);
        before = heard;
    }
}
