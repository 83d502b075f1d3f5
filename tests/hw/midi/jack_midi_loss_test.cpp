// What becomes of notes and ports when a JACK server dies, stands still or is not there, or another client of it dies.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "hw/midi/midi_devices.h"
#include "tests/hw/midi/jack_midi_peers.h"

namespace letoff::hw {
namespace {

using JackMidiLossTest = JackMidiTest;

TEST_F(JackMidiLossTest, AKilledServerReleasesTheNotesAndItsSuccessorPlaysOn) {
    JackServer server;
    ASSERT_TRUE(server.up());
    auto keys = std::make_unique<Keyboard>("Keystation");
    auto synth = std::make_unique<Synth>("Synth");
    listen();
    auto& out = send_to("synth");
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "Keystation"));
    EXPECT_EQ(out.open_ports(), 1);
    keys->play({0x90, 60, 64});
    ASSERT_EQ(taken(1).size(), 1u);
    out.queue().push(core::note_on(0, 72, 70), 0);
    ASSERT_TRUE(wait_for(10, [&] { return !synth->all().empty(); }));

    server.kill();
    // Clients of this process too: they must be gone before ours come back.
    keys.reset();
    synth.reset();
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kLost, "\"Keystation:out\" (JACK) went away with its server"));
    const auto lost = taken(2);
    ASSERT_EQ(lost.size(), 2u) << "our own port and the keyboard";
    for (const auto& record : lost) EXPECT_EQ(record.kind, MidiInputRecord::Kind::kSourceLost);
    EXPECT_TRUE(midi_holds_dead_jack_clients()) << "the output's";
    out.poll();
    EXPECT_EQ(out.open_ports(), 0);
    for (int i = 0; i < 3000; ++i) out.queue().push(core::note_on(0, 72, 70), 0);
    EXPECT_EQ(inputs->open_sources(), 0);
    EXPECT_FALSE(midi_holds_dead_jack_clients());

    server.start();
    ASSERT_TRUE(server.up());
    keys = std::make_unique<Keyboard>("Keystation");
    synth = std::make_unique<Synth>("Synth");
    ASSERT_TRUE(polled(MidiPortEvent::Kind::kFound, "Keystation"));
    keys->play({0x90, 61, 65});
    const auto again = taken(1);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].message, core::note_on(0, 61, 65));
    ASSERT_TRUE(wait_for(10, [&] {
        out.poll();
        return out.open_ports() == 1;
    }));
    ASSERT_TRUE(wait_for(10, [&] { return !synth->all().empty(); }));
    EXPECT_EQ(synth->all()[0], (Bytes{0x80, 72, 64})) << "the note that sounded when the server died";
}

TEST_F(JackMidiLossTest, AServerThatStandsStillHoldsNobody) {
    JackServer server;
    ASSERT_TRUE(server.up());
    Synth synth("Synth");
    auto& out = send_to("synth");
    ASSERT_EQ(out.open_ports(), 1);
    server.send_signal(SIGSTOP);
    // 4,000 messages are 28,000 bytes in RtMidi's ring, which holds 16,384 and then waits.
    for (int i = 0; i < 4000; ++i) out.queue().push(nth_note(i), 0);
    EXPECT_TRUE(wait_for(10, [&] { return faults.count(core::Fault::kMidiOutputOverflow) > 2000; }));
    server.send_signal(SIGCONT);
    EXPECT_TRUE(wait_for(10, [&] {
        out.poll();
        out.queue().push(core::control_change(0, 7, 99), 0);
        const auto all = synth.all();
        return !all.empty() && all.back() == Bytes{0xB0, 7, 99};
    }));
}

TEST_F(JackMidiLossTest, WithoutAServerItWorksSaysWhyAndPrintsNothing) {
    const JackServer nobody(JackServer::State::kNone);
    unsetenv("JACK_NO_START_SERVER");
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    listen();
    outputs = std::make_unique<MidiOutputs>(MidiOutputOptions{.choices = {{{MidiChoice::Kind::kVirtual, {}}}}},
                                            MidiSystems{make_jack_system("Letoff")}, faults);
    const Events in = inputs->poll();
    const Events out = outputs->poll();
    const MidiDevices devices = midi_ports(MidiSystems{make_jack_system("Letoff")});
    MidiInputRecord record;
    const bool any = inputs->pop(record);
    inputs.reset();
    outputs.reset();
    systems.clear();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_FALSE(any);
    EXPECT_TRUE(access("/dev/snd/seq", F_OK) == 0 ||
                has(in, MidiPortEvent::Kind::kMissing, "no JACK server is running"));
    EXPECT_TRUE(has(out, MidiPortEvent::Kind::kMissing, "no JACK server is running"));
    ASSERT_EQ(devices.sentences.size(), 1u);
    EXPECT_EQ(
        devices.sentences[0],
        "JACK cannot be used: no JACK server is running (start one with jackd or qjackctl; Letoff then finds it).");
    setenv("JACK_NO_START_SERVER", "1", 1);
    EXPECT_NE(run_program({"jack_lsp"}), 0) << "a server was started";
}

struct JackMidiLong : JackMidiTest {};  // a synchronous server closes nothing quickly while a dead client is on it

// jack_midiseq plays a note over and over, in a process of its own, until it is killed as a crash would.
TEST_F(JackMidiLong, AClientThatDiesWithoutClosingLetsGoOfItsNotes) {
    JackServer server;
    ASSERT_TRUE(server.up());
    const pid_t player = test::start_program({"jack_midiseq", "Sequencer", "24000", "0", "60", "23000"});
    listen();
    const bool found = polled(MidiPortEvent::Kind::kFound, "Sequencer");
    const auto first = taken(1);
    ::kill(player, SIGKILL);
    waitpid(player, nullptr, 0);
    ASSERT_TRUE(found);
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(first[0].message.data1, 60);
    EXPECT_TRUE(polled(MidiPortEvent::Kind::kLost, "Sequencer"));
    bool let_go = false;
    for (MidiInputRecord next; inputs->pop(next);) let_go = next.kind == MidiInputRecord::Kind::kSourceLost;
    EXPECT_TRUE(let_go) << "the last that comes of it";
}

}  // namespace
}  // namespace letoff::hw
