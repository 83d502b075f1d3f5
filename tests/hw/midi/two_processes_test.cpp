// MIDI from another process over a real JACK server. One test, in every run; jack_midi_test.cpp has the many.
#include <unistd.h>

#include "tests/hw/midi/jack_midi_peers.h"

namespace letoff::hw {
namespace {

constexpr int kNotes = 300;

/// The other process: a keyboard that plays when it is told to and leaves when the pipe is closed.
[[noreturn]] void be_a_keyboard(int told) {
    auto keyboard = std::make_unique<RtMidiOut>(RtMidi::UNIX_JACK, "Neighbour");
    RtMidiOut& out = *keyboard;
    out.openVirtualPort("out");
    char go = 0;
    if (::read(told, &go, 1) != 1) ::_exit(1);
    const auto play = [&](int first) {
        for (int i = first; i < first + kNotes; ++i) {
            const core::MidiBytes note = core::encode(nth_note(i));
            out.sendMessage(note.bytes.data(), note.size);
        }
    };
    play(0);
    Bytes dump(2000, 0x55);
    dump.front() = 0xF0;
    dump.back() = 0xF7;
    out.sendMessage(dump.data(), dump.size());
    play(kNotes);
    while (::read(told, &go, 1) > 0) {
    }
    keyboard.reset();
    ::_exit(0);
}

TEST(MidiBetweenProcesses, EveryNoteOfAnotherProgramArrivesAndItsEndIsNoticed) {
    JackServer server;
    ASSERT_TRUE(server.up());
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t other = ::fork();
    ASSERT_GE(other, 0);
    if (other == 0) {
        ::close(pipe_ends[1]);
        be_a_keyboard(pipe_ends[0]);
    }
    ::close(pipe_ends[0]);

    core::FaultCounters faults;
    MidiInputs inputs({.choice = parse_midi_input("Neighbour").value()}, make_midi_systems(), faults);
    EXPECT_TRUE(wait_for(20, [&] {
        inputs.poll();
        return inputs.open_sources() == 1;
    }));
    EXPECT_EQ(::write(pipe_ends[1], "g", 1), 1);
    std::vector<MidiInputRecord> all;
    const auto take = [&] {
        for (MidiInputRecord next; inputs.pop(next);) all.push_back(next);
        return all.size();
    };
    EXPECT_TRUE(wait_for(20, [&] { return take() >= 2 * kNotes; }));
    ASSERT_EQ(all.size(), 2U * kNotes);
    for (int i = 0; i < 2 * kNotes; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)].message, nth_note(i)) << i;
    EXPECT_EQ(faults.errors(), 0u);

    ::close(pipe_ends[1]);
    int status = 0;
    ::waitpid(other, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_TRUE(wait_for(20, [&] {
        inputs.poll();
        take();
        return all.back().kind == MidiInputRecord::Kind::kSourceLost;
    }));
}

}  // namespace
}  // namespace letoff::hw
