#include "hw/midi/midi_outputs.h"

#include <gtest/gtest.h>

#include "tests/hw/midi/fake_system.h"
#include "tests/hw/midi/jack_server.h"

namespace letoff::hw {
namespace {

using test::FakeSystem;
using test::port;
using test::wait_for;
using Bytes = std::vector<std::vector<std::uint8_t>>;
using Kind = MidiPortEvent::Kind;

struct MidiOutputsTest : ::testing::Test {
    std::unique_ptr<MidiOutputs> outputs(const std::string& choice) {
        return std::make_unique<MidiOutputs>(MidiOutputOptions{.choices = {parse_midi_output(choice).value()}},
                                             MidiSystems{system}, faults);
    }
    bool sent(std::size_t count) {
        return wait_for(5, [&] { return system->all_sent().size() >= count; });
    }

    core::FaultCounters faults;
    std::shared_ptr<FakeSystem> system = std::make_shared<FakeSystem>("JACK");
};

TEST_F(MidiOutputsTest, SendsInOrderAndEndsWhatSoundsAtTheEnd) {
    auto out = outputs("virtual");
    EXPECT_EQ(out->poll().size(), 1u);
    out->queue().push(core::note_on(0, 60, 70), 0);
    out->queue().push(core::note_on(0, 62, 70), 0);
    out->queue().push(core::control_change(0, core::kSustainPedal, 90), 0);
    out->queue().push(core::note_off(0, 60, 30), 0);
    out.reset();
    EXPECT_EQ(system->all_sent(),
              (Bytes{{0x90, 60, 70}, {0x90, 62, 70}, {0xB0, 64, 90}, {0x80, 60, 30}, {0x80, 62, 64}, {0xB0, 64, 0}}));
}

TEST_F(MidiOutputsTest, ALostDestinationIsPaidItsNoteOffsWhenItIsBack) {
    system->destination_ports = {port("Synth:in")};
    auto out = outputs("synth");
    out->poll();
    out->queue().push(core::note_on(0, 60, 70), 0);
    ASSERT_TRUE(sent(1));
    system->destination_ports.clear();
    const auto lost = out->poll();
    ASSERT_EQ(lost.size(), 2u);
    EXPECT_EQ(lost[0].kind, Kind::kLost);
    EXPECT_EQ(lost[1].kind, Kind::kMissing);
    EXPECT_EQ(faults.count(core::Fault::kMidiPortLost), 1u);
    out->queue().push(core::note_on(0, 64, 70), 0);
    system->destination_ports = {port("Synth:in", 1)};
    ASSERT_TRUE(wait_for(5, [&] { return out->open_ports() == 1 || !out->poll().empty(); }));
    ASSERT_TRUE(sent(2));
    EXPECT_EQ(system->all_sent()[1], (std::vector<std::uint8_t>{0x80, 60, 64}));
}

TEST_F(MidiOutputsTest, OtherDestinationsAreChosenWhileItPlays) {
    system->destination_ports = {port("Synth:in")};
    auto out = outputs("none");
    EXPECT_TRUE(out->poll().empty());
    out->queue().push(core::note_on(0, 60, 70), 0);
    out->choose({parse_midi_output("synth").value()});
    out->poll();
    EXPECT_TRUE(out->sends_to("JACK", "Synth:in"));
    out->queue().push(core::note_on(0, 62, 70), 0);
    ASSERT_TRUE(sent(1));
    EXPECT_EQ(system->all_sent()[0], (std::vector<std::uint8_t>{0x90, 62, 70}))
        << "what nobody heard is not told later";
    out->choose({parse_midi_output("virtual").value()});
    EXPECT_EQ(system->all_sent().back(), (std::vector<std::uint8_t>{0x80, 62, 64}));
    EXPECT_FALSE(out->sends_to("JACK", "Synth:in"));
    EXPECT_EQ(out->poll().size(), 1u);
    out->choose({parse_midi_output("none").value()});
    out->queue().push(core::note_on(0, 64, 70), 0);
    out.reset();
    EXPECT_EQ(system->all_sent().size(), 2u);
}

// At a port of our own there is nobody at first: note-offs sent then would be lost, and the synthesizer, connected
// again a moment later, would sound for ever.
TEST_F(MidiOutputsTest, OurOwnPortPaysItsNoteOffsToWhoeverIsConnectedAgain) {
    system->out_peers = std::vector<std::string>{"Synth:in"};
    auto out = outputs("virtual");
    out->poll();
    for (const int note : {60, 62}) out->queue().push(core::note_on(0, note, 70), 0);
    ASSERT_TRUE(sent(2));
    system->usable = false;
    ++system->epoch_now;
    out->poll();
    system->usable = true;
    system->out_peers.emplace();
    out->poll();
    ASSERT_EQ(out->open_ports(), 1);
    EXPECT_EQ(system->all_sent().size(), 2u) << "nobody would hear it";
    out->queue().push(core::note_on(0, 62, 75), 0);  // struck anew: its own end will come
    ASSERT_TRUE(sent(3));
    // Lost once more before anyone came: both are owed now.
    system->usable = false;
    ++system->epoch_now;
    out->poll();
    system->usable = true;
    out->poll();
    out->queue().push(core::note_on(0, 60, 75), 0);
    ASSERT_TRUE(sent(4));
    system->out_peers = std::vector<std::string>{"Synth:in"};
    out->poll();
    out->poll();
    EXPECT_EQ(system->all_sent(),
              (Bytes{{0x90, 60, 70}, {0x90, 62, 70}, {0x90, 62, 75}, {0x90, 60, 75}, {0x80, 62, 64}}));
}

TEST_F(MidiOutputsTest, ADeadPortIsCountedOnceAndOpenedAgainByPoll) {
    auto out = outputs("virtual");
    out->poll();
    system->set_answer(MidiOutPort::Sent::kDead);
    for (int i = 0; i < 5; ++i) out->queue().push(core::note_on(0, 60 + i, 70), 0);
    ASSERT_TRUE(wait_for(5, [&] { return faults.count(core::Fault::kMidiPortLost) == 1; }));
    system->set_answer(MidiOutPort::Sent::kYes);
    const auto events = out->poll();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, Kind::kLost);
    EXPECT_EQ(events[1].kind, Kind::kFound);
    EXPECT_EQ(faults.count(core::Fault::kMidiPortLost), 1u);
    out->queue().push(core::note_on(0, 80, 70), 0);
    EXPECT_TRUE(wait_for(5, [&] {
        const Bytes all = system->all_sent();
        return !all.empty() && all.back() == std::vector<std::uint8_t>{0x90, 80, 70};
    }));
}

TEST_F(MidiOutputsTest, AServerThatStandsStillIsSkippedAndCaughtUpWith) {
    auto out = outputs("virtual");
    out->poll();
    out->queue().push(core::note_on(0, 60, 70), 0);
    ASSERT_TRUE(sent(1));
    system->set_answer(MidiOutPort::Sent::kTryLater);
    out->queue().push(core::note_off(0, 60), 0);
    ASSERT_TRUE(wait_for(5, [&] { return faults.count(core::Fault::kMidiOutputOverflow) == 1; }));
    system->set_answer(MidiOutPort::Sent::kYes);
    out->queue().push(core::note_on(0, 61, 70), 0);
    ASSERT_TRUE(sent(4)) << "the note that goes through, and the end of both";
    const Bytes all = system->all_sent();
    EXPECT_EQ(all[1], (std::vector<std::uint8_t>{0x90, 61, 70}));
    EXPECT_EQ(all[2], (std::vector<std::uint8_t>{0x80, 60, 64}));
    EXPECT_EQ(all[3], (std::vector<std::uint8_t>{0x80, 61, 64}));
}

TEST_F(MidiOutputsTest, NoneForgetsEverything) {
    auto out = outputs("none");
    EXPECT_TRUE(out->poll().empty());
    for (std::size_t i = 0; i < 2 * MidiOutQueue::kRingMessages; ++i) out->queue().push(core::note_on(0, 60, 1), 0);
    EXPECT_EQ(faults.count(core::Fault::kMidiOutputOverflow), 0u);
}

TEST_F(MidiOutputsTest, OurOwnInputIsNoDestination) {
    system->destination_ports = {port("Letoff:in"), port("Letoff-keys:in")};
    auto out = outputs("letoff");
    const auto events = out->poll();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].sentence,
              "No MIDI destination's name holds \"letoff\"; there is none, and it is taken when it appears.");
}

TEST_F(MidiOutputsTest, EveryChosenOutputHasItsOwnCurve) {
    const auto brass = std::make_shared<FakeSystem>("ALSA");
    system->destination_ports = {port("Synth:in")};
    brass->destination_ports = {port("Brass:in")};
    auto out = std::make_unique<MidiOutputs>(
        MidiOutputOptions{
            .choices = {parse_midi_output("synth").value(), parse_midi_output("brass=1:11,100:110").value(),
                        parse_midi_output("nobody").value(), parse_midi_output("none").value()},
            .velocity_form = core::VelocityForm::seven_bit},
        MidiSystems{system, brass}, faults);
    const auto events = out->poll();
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[2].kind, Kind::kMissing);
    EXPECT_EQ(events[2].port, "nobody");
    EXPECT_TRUE(out->poll().empty());
    out->queue().push(core::note_on(0, 60, 50), 0);
    out->queue().push(core::control_change(0, core::kSustainPedal, 90), 0);
    out->queue().push(core::note_off(0, 60, 30), 0);
    out->queue().push(core::control_change(0, core::kSustainPedal, 0), 0);
    out.reset();
    EXPECT_EQ(system->all_sent(), (Bytes{{0x90, 60, 50}, {0xB0, 64, 90}, {0x80, 60, 30}, {0xB0, 64, 0}}));
    EXPECT_EQ(brass->all_sent(), (Bytes{{0x90, 60, 60}, {0xB0, 64, 90}, {0x80, 60, 30}, {0xB0, 64, 0}}));
}

TEST_F(MidiOutputsTest, ACurveTakesTheFineVelocityAndKeepsItFine) {
    system->destination_ports = {port("Synth:in")};
    auto out = std::make_unique<MidiOutputs>(
        MidiOutputOptions{.choices = {parse_midi_output("synth=1:2,127:127").value()}}, MidiSystems{system}, faults);
    out->poll();
    // 64.5 on the line from (1, 2) to (127, 127): 2 + 63.5 * 125 / 126 = 64.996, 8319.5 / 128: 64 and 127 or 128 below.
    for (const core::MidiMessage& message : core::note_on_14bit(0, 60, 64 * 128 + 64)) out->queue().push(message, 0);
    out->queue().push(core::note_off(0, 60, 30), 0);
    out.reset();
    EXPECT_EQ(system->all_sent(), (Bytes{{0xB0, 88, 127}, {0x90, 60, 64}, {0x80, 60, 30}}));
}

}  // namespace
}  // namespace letoff::hw
