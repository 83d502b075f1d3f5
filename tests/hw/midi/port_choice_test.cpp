#include "hw/midi/port_choice.h"

#include <gtest/gtest.h>

#include "tests/hw/midi/fake_system.h"

namespace letoff::hw {
namespace {

using test::port;

TEST(PortChoiceTest, WordsInAnyCaseAndNamesAsTheyAre) {
    EXPECT_EQ(parse_midi_input("Auto").value().kind, MidiChoice::Kind::kAuto);
    EXPECT_EQ(parse_midi_input("none").value().kind, MidiChoice::Kind::kNone);
    EXPECT_EQ(parse_midi_output("VIRTUAL").value().port.kind, MidiChoice::Kind::kVirtual);
    EXPECT_EQ(parse_midi_output("none").value().port.kind, MidiChoice::Kind::kNone);
    // "virtual" is a word of the output alone, "auto" of the input.
    EXPECT_EQ(parse_midi_input("virtual").value().kind, MidiChoice::Kind::kName);
    EXPECT_EQ(parse_midi_output("auto").value().port.kind, MidiChoice::Kind::kName);
    EXPECT_EQ(parse_midi_input("Key Station").value().name, "Key Station");
    EXPECT_EQ(parse_midi_input(" ").error(),
              "The MIDI input \" \" names nothing: auto, none or a part of a port's name is accepted.");
    EXPECT_FALSE(parse_midi_output("").ok());
}

TEST(PortChoiceTest, AnOutputMayHaveACurve) {
    const auto plain = parse_midi_output("Synth=A");
    EXPECT_EQ(plain.value().port.name, "Synth=A");
    EXPECT_FALSE(plain.value().curve);
    const auto curved = parse_midi_output("Synth=A=10:20,30:60,31:60");
    ASSERT_TRUE(curved.ok());
    EXPECT_EQ(curved.value().port.name, "Synth=A");
    const auto& curve = *curved.value().curve;
    EXPECT_EQ(curve[1], 20);
    EXPECT_EQ(curve[10], 20);
    EXPECT_EQ(curve[20], 40);
    EXPECT_EQ(curve[30], 60);
    EXPECT_EQ(curve[127], 60);
    EXPECT_EQ(parse_midi_output("virtual=1:1").value().port.kind, MidiChoice::Kind::kVirtual);
    for (const char* wrong :
         {"S=1:0", "S=1:128", "S=5:6,5:7", "S=5:6,6:5", "S=1:", "S=1:2,", "S=1:2;3:4", "S=99999999999:2"})
        EXPECT_NE(parse_midi_output(wrong).error().find("points IN:OUT"), std::string::npos) << wrong;
    EXPECT_FALSE(parse_midi_output("=1:2").ok());
}

TEST(PortChoiceTest, APartOfNameOrAliasInAnyCase) {
    const MidiPort keys{"system:midi_capture_1", "Keystation 49", "", true};
    EXPECT_TRUE(matches_name(keys, "keySTATION"));
    EXPECT_TRUE(matches_name(keys, "Capture_1"));
    EXPECT_FALSE(matches_name(keys, "Keystation 61"));
}

TEST(PortChoiceTest, OurOwnPortsAreThoseOfOurClients) {
    EXPECT_TRUE(is_our_port("Letoff:in", "Letoff"));
    EXPECT_TRUE(is_our_port("Letoff-01:in", "Letoff"));
    EXPECT_TRUE(is_our_port("Letoff-out:out 129:0", "Letoff"));
    EXPECT_FALSE(is_our_port("Letoffice:out", "Letoff"));
    EXPECT_FALSE(is_our_port("My Letoff:out", "Letoff"));
}

TEST(PortChoiceTest, ThroughPortsAndClocksAreNoKeyboards) {
    EXPECT_TRUE(looks_like_keyboard(port("Keystation 49:Keystation 49 MIDI 1 20:0")));
    EXPECT_TRUE(looks_like_keyboard(port("rosegarden:out")));
    EXPECT_FALSE(looks_like_keyboard(port("Midi Through:Midi Through Port-0 14:0")));
    EXPECT_FALSE(looks_like_keyboard(port("a2j:Midi Through [14] (capture): Midi Through Port-0")));
    EXPECT_FALSE(looks_like_keyboard(port("ardour:MIDI Clock out")));
    EXPECT_FALSE(looks_like_keyboard(port("ardour:MTC out")));
}

TEST(PortChoiceTest, BridgedPortsAreAlsaThroughJack) {
    EXPECT_TRUE(is_alsa_through_jack({"system:midi_capture_1", "", "", true}));
    EXPECT_TRUE(is_alsa_through_jack(port("a2j:Keystation [20] (capture): MIDI 1")));
    EXPECT_TRUE(is_alsa_through_jack(port("Midi-Bridge:Keystation 1:(capture_0) MIDI 1")));
    EXPECT_FALSE(is_alsa_through_jack(port("a synth:out")));
}

}  // namespace
}  // namespace letoff::hw
