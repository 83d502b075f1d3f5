#include "hw/midi/midi_inputs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/hw/midi/midi_inputs_fixture.h"

namespace letoff::hw {
namespace {

using test::port;
using Kind = MidiPortEvent::Kind;

TEST_F(MidiInputsTest, AutoTakesEveryKeyboardAndAPortOfOurOwn) {
    alsa->source_ports = {port("Midi Through:Midi Through Port-0 14:0"), port("Keys:Keys 20:0"),
                          port("Letoff-out:out")};
    const auto in = inputs("auto");
    EXPECT_EQ(kinds(in->poll()), (std::vector{Kind::kFound, Kind::kFound}));
    EXPECT_TRUE(in->poll().empty());
    EXPECT_EQ(alsa->ins.size(), 2u);
    ASSERT_NE(alsa->in(""), nullptr);
    ASSERT_NE(alsa->in("Keys:Keys 20:0"), nullptr);
    alsa->source_ports.push_back(port("Pad:Pad 24:0"));
    const auto later = in->poll();
    ASSERT_EQ(later.size(), 1u);
    EXPECT_EQ(later[0].sentence, "MIDI is taken from \"Pad:Pad 24:0\" (ALSA).");
}

TEST_F(MidiInputsTest, AKeyboardSeenTwiceIsTakenOnce) {
    alsa->source_ports = {port("Keys:Keys 20:0")};
    jack->source_ports = {port("a2j:Keys [20] (capture): Keys"), port("synth:out")};
    const auto in = inputs("auto", {alsa, jack});
    in->poll();
    EXPECT_EQ(jack->in("a2j:Keys [20] (capture): Keys"), nullptr);
    EXPECT_NE(jack->in("synth:out"), nullptr);
    alsa->usable = false;
    in->poll();
    EXPECT_NE(jack->in("a2j:Keys [20] (capture): Keys"), nullptr) << "without ALSA the bridge is the only way";
}

TEST_F(MidiInputsTest, SourcesAreMergedInTheOrderOfTheirStamps) {
    alsa->source_ports = {port("a"), port("b")};
    const auto in = inputs("auto");
    in->poll();
    const auto* a = alsa->in("a");
    const auto* b = alsa->in("b");
    for (std::uint8_t i = 0; i < 50; ++i) (i % 3 == 0 ? a : b)->play({0x90, i, 64});
    const auto all = taken(*in);
    ASSERT_EQ(all.size(), 50u);
    EXPECT_EQ(wakes, 50);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].message, core::note_on(0, static_cast<int>(i), 64));
        EXPECT_EQ(in->source_name(all[i].source), i % 3 == 0 ? "a" : "b");
        EXPECT_LE(all[i > 0 ? i - 1 : 0].time_ns, all[i].time_ns);
    }
}

TEST_F(MidiInputsTest, EachSourceHasItsOwnRunningStatusAndSystemExclusive) {
    alsa->source_ports = {port("a"), port("b")};
    const auto in = inputs("auto");
    in->poll();
    alsa->in("a")->play({0x91, 60});
    alsa->in("b")->play({0xF0, 1, 2});
    alsa->in("a")->play({70, 61, 71});
    alsa->in("b")->play(std::vector<std::uint8_t>(3000, 5));
    alsa->in("b")->play({0xF7, 0x80, 10, 20});
    std::vector<core::MidiMessage> messages;
    for (const auto& record : taken(*in)) messages.push_back(record.message);
    EXPECT_EQ(messages, (std::vector{core::note_on(1, 60, 70), core::note_on(1, 61, 71), core::note_off(0, 10, 20)}));
    EXPECT_EQ(faults.count(core::Fault::kMidiMalformed), 0u);
    alsa->in("a")->play({0xF4, 5});
    EXPECT_EQ(faults.count(core::Fault::kMidiMalformed), 2u);
}

TEST_F(MidiInputsTest, ALostSourceLeavesARecordAfterItsLastMessage) {
    alsa->source_ports = {port("a")};
    const auto in = inputs("auto");
    in->poll();
    alsa->in("a")->play({0x90, 60, 64});
    alsa->source_ports.clear();
    const auto events = in->poll();
    ASSERT_EQ(kinds(events), std::vector{Kind::kLost});
    EXPECT_EQ(
        events[0].sentence,
        "The MIDI source \"a\" (ALSA) went away; its notes are released and it is taken again when it comes back.");
    EXPECT_EQ(faults.count(core::Fault::kMidiPortLost), 1u);
    const auto all = taken(*in);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].message, core::note_on(0, 60, 64));
    EXPECT_EQ(all[1].kind, MidiInputRecord::Kind::kSourceLost);
    EXPECT_EQ(all[1].source, all[0].source);
    EXPECT_TRUE(taken(*in).empty());
}

TEST_F(MidiInputsTest, ASourceThatCameBackBetweenTwoLooksIsLostAndFound) {
    alsa->source_ports = {port("a", 0)};
    const auto in = inputs("auto");
    in->poll();
    alsa->source_ports = {port("a", 1)};
    EXPECT_EQ(kinds(in->poll()), (std::vector{Kind::kLost, Kind::kFound}));
    alsa->in("a")->connected = {{"a"}};
    alsa->source_ports = {port("a", 2)};
    EXPECT_TRUE(in->poll().empty()) << "still connected: only its registration was noticed late";
}

TEST_F(MidiInputsTest, APulledCableAtOurPortReleasesItsNotes) {
    const auto in = inputs("auto");
    in->poll();
    alsa->in("")->connected = {{"x", "y"}};
    in->poll();
    EXPECT_TRUE(taken(*in).empty());
    alsa->in("")->connected = {{"y"}};
    in->poll();
    const auto all = taken(*in);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].kind, MidiInputRecord::Kind::kSourceLost);
}

TEST_F(MidiInputsTest, ANamedPortIsFoundAgainUnderAnotherNumber) {
    const auto in = inputs("keys");
    const auto missing = in->poll();
    ASSERT_EQ(kinds(missing), std::vector{Kind::kMissing});
    EXPECT_EQ(missing[0].sentence,
              "No MIDI source's name holds \"keys\"; there is none, and it is taken when it appears.");
    EXPECT_TRUE(in->poll().empty()) << "said once";
    alsa->source_ports = {port("Pad 24:0"), port("My Keys 20:0"), port("Keys two 28:0")};
    EXPECT_EQ(kinds(in->poll()), std::vector{Kind::kFound});
    EXPECT_EQ(alsa->ins.size(), 1u);
    EXPECT_NE(alsa->in("My Keys 20:0"), nullptr);
    alsa->source_ports = {port("Pad 24:0"), port("My Keys 32:0")};
    EXPECT_EQ(kinds(in->poll()), (std::vector{Kind::kLost, Kind::kFound}));
    EXPECT_NE(alsa->in("My Keys 32:0"), nullptr);
}

TEST_F(MidiInputsTest, OtherSourcesAreChosenWhileItPlays) {
    alsa->source_ports = {port("Keys 20:0"), port("Pad 24:0")};
    const auto in = inputs("auto");
    in->poll();
    alsa->in("Pad 24:0")->play({0x90, 60, 64});
    const auto left = in->choose(parse_midi_input("keys").value());
    EXPECT_EQ(kinds(left), (std::vector{Kind::kLost, Kind::kLost})) << "the pad and our own port";
    EXPECT_TRUE(in->takes("ALSA", "Keys 20:0"));
    EXPECT_FALSE(in->takes("ALSA", "Pad 24:0"));
    EXPECT_TRUE(in->poll().empty()) << "the one that is chosen was taken already";
    const auto all = taken(*in);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].message, core::note_on(0, 60, 64));
    for (std::size_t i : {1u, 2u}) EXPECT_EQ(all[i].kind, MidiInputRecord::Kind::kSourceLost);
    EXPECT_EQ(faults.count(core::Fault::kMidiPortLost), 0u) << "nothing was lost that was wanted";
    in->choose(parse_midi_input("none").value());
    EXPECT_EQ(in->open_sources(), 0);
    in->choose(parse_midi_input("auto").value());
    EXPECT_TRUE(taken(*in).size() == 1);  // so that the slot is free again
    EXPECT_EQ(kinds(in->poll()), (std::vector{Kind::kFound, Kind::kFound, Kind::kFound}));
}

TEST_F(MidiInputsTest, AFullRingCountsAndReleases) {
    alsa->source_ports = {port("a")};
    const auto in = inputs("auto");
    in->poll();
    const auto capacity = static_cast<int>(MidiInputs::kRingRecords);
    for (int i = 0; i < capacity + 3; ++i) alsa->in("a")->play({0x90, 60, 64});
    EXPECT_EQ(faults.count(core::Fault::kMidiInputOverflow), 3u);
    const auto all = taken(*in);
    ASSERT_EQ(all.size(), MidiInputs::kRingRecords + 1);
    EXPECT_EQ(all.back().kind, MidiInputRecord::Kind::kSourceLost);
}

TEST_F(MidiInputsTest, ADyingServerTakesItsSourcesAndGivesThemBack) {
    alsa->source_ports = {port("a"), port("b")};
    const auto in = inputs("auto");
    in->poll();
    ++alsa->epoch_now;
    EXPECT_EQ(kinds(in->poll()),
              (std::vector{Kind::kLost, Kind::kLost, Kind::kLost, Kind::kFound, Kind::kFound, Kind::kFound}));
    EXPECT_EQ(taken(*in).size(), 3u);
}

TEST_F(MidiInputsTest, NoMoreThanSixteenSourcesAndSaidOnce) {
    for (int i = 0; i < 20; ++i) alsa->source_ports.push_back(port("k" + std::to_string(i)));
    const auto in = inputs("auto");
    const auto events = in->poll();
    EXPECT_EQ(events.size(), 17u);
    EXPECT_EQ(events.back().kind, Kind::kMissing);
    EXPECT_TRUE(in->poll().empty());
    alsa->source_ports.erase(alsa->source_ports.begin());
    in->poll();
    taken(*in);
    const auto later = in->poll();
    EXPECT_EQ(in->open_sources(), MidiInputs::kMaxSources) << "the free slot is used once its loss was read";
    EXPECT_EQ(kinds(later), (std::vector{Kind::kFound, Kind::kMissing})) << "who has no room now is said anew";
    EXPECT_TRUE(in->poll().empty());
}

TEST_F(MidiInputsTest, APortThatCannotBeOpenedIsSaidOnce) {
    alsa->source_ports = {port("a")};
    alsa->refuse = true;
    const auto in = inputs("auto");
    EXPECT_EQ(in->poll().size(), 3u) << "our port, a, and that nothing comes in";
    EXPECT_TRUE(in->poll().empty());
}

TEST_F(MidiInputsTest, NoneOpensNothing) {
    alsa->source_ports = {port("a")};
    const auto in = inputs("none");
    EXPECT_TRUE(in->poll().empty());
    EXPECT_TRUE(alsa->ins.empty());
}

}  // namespace
}  // namespace letoff::hw
