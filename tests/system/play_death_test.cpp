// A sound server that dies under `letoff play` in the middle of a chord and comes back.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/system/jack_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

struct PlayServerDeath : JackStage {
    /// Presses a chord and leaves it held; waits for its strikes.
    void hold(const std::vector<int>& notes) {
        const std::int64_t on = soon();
        const int before = heard().on;
        std::vector<MidiEvent> chord;
        chord.reserve(notes.size());
        for (const int note : notes) chord.push_back(key_down(on, note, 80));
        ASSERT_TRUE(keys->play(chord, kSoon_s));
        ASSERT_TRUE(hears_strikes(before + static_cast<int>(notes.size())));
        ASSERT_TRUE(tape->wait_until(on + frames_of(0.2)));
        EXPECT_GT(peak_of(tape->sound(on, on + frames_of(0.2))), 0.003) << "no sound";
    }
    /// What the synthesizer at Letoff-out has been told since the beginning, over all servers.
    void keep_tape() {
        const std::vector<MidiEvent> heard_here = tape->midi();
        told.insert(told.end(), heard_here.begin(), heard_here.end());
    }

    std::vector<MidiEvent> told;
};

TEST_F(PlayServerDeath, JackKilledInAChordLeavesNoNoteStuckAndSoundsAgain) {
    ASSERT_TRUE(begin());
    for (int round = 0; round < 3; ++round) {
        SCOPED_TRACE(round);
        const std::size_t said = letoff->err().size();
        ASSERT_NO_FATAL_FAILURE(hold({40, 47, 55, 64 + round, 76}));
        server.process().end(SIGKILL);
        keep_tape();
        unplug();
        ASSERT_TRUE(letoff->says("the audio device jack (system) is lost", kSoon_s, said));
        ASSERT_TRUE(letoff->says("\"Keystation:out\" (JACK) went away with its server", kSoon_s, said));
        EXPECT_FALSE(letoff->ends(0.1));
        ASSERT_TRUE(server_comes_back(said)) << letoff->err();
        // What sounded at the synthesizer when the cable went is ended when it is there again.
        EXPECT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 5; })) << heard().off;
    }
    ASSERT_NO_FATAL_FAILURE(hold({60}));
    ASSERT_TRUE(keys->play({key_up(soon(), 60)}, kSoon_s));
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 6; }));
    ASSERT_TRUE(tape->wait_until(soon() + frames_of(2)));  // the keys fall asleep
    keep_tape();
    const HeardNotes notes = listen_to(told);
    EXPECT_EQ(notes.on, 3 * 5 + 1);
    EXPECT_EQ(notes.still_sounding(), 0);
    EXPECT_EQ(notes.unmatched_off, 0);
    // Each said once and no more.
    EXPECT_EQ(times_in(letoff->err(), "jack (system) is lost"), 3) << letoff->err();
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["strikes"], 3 * 5 + 1);
    EXPECT_EQ(report["keybed_faults"], 0);
    // No finger was left on its key: all of them went back to sleep.
    EXPECT_EQ(report["sleeping_keys"], 88);
}

// The keyboard is pulled, not the server: its notes end at once, without a server's death to help.
TEST_F(PlayServerDeath, AKeyboardPulledInAChordLeavesNoNoteStuck) {
    ASSERT_TRUE(begin());
    ASSERT_NO_FATAL_FAILURE(hold({40, 47, 55, 64, 76}));
    keys.reset();
    EXPECT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 5; }));
    EXPECT_EQ(heard().still_sounding(), 0);
    stop_and_report(*letoff);
}

// It must end also while its server is gone, or stands still.
TEST_F(PlayServerDeath, SigtermEndsItWithoutItsServer) {
    ASSERT_TRUE(begin());
    ASSERT_NO_FATAL_FAILURE(hold({40, 47, 55, 64, 76}));
    server.process().end(SIGKILL);
    unplug();
    stop_and_report(*letoff);
    // The name's slot in JACK's registry is free again only after a start and an end in good order.
    server.start();
    EXPECT_TRUE(server.up());
}

/// A server that waits for its clients would wait for seconds for those that went while it stood still.
struct PlayServerStandstill : JackStage {
    PlayServerStandstill() : JackStage(Server::Clients::kMayBeLate) {}

    /// Ends the server in good order, or its name would stay taken for ever.
    void let_go() {
        server.process().send(SIGCONT);
        EXPECT_TRUE(wait_for(kSoon_s, [] { return audio::test::run({"jack_lsp"}) == 0; }));
    }
};

TEST_F(PlayServerStandstill, SigtermEndsItAllTheSameAndKeepsTheSound) {
    const std::filesystem::path wav = folder.path() / "piece.wav";
    for (const char* audio : {"jack", "wav:piece.wav"}) {
        hears.reset();
        ASSERT_TRUE(begin({"--audio", audio}));
        unplug();  // or they would wait for the server too; the program is about to close a port when it stops
        server.process().send(SIGSTOP);
        stop_and_report(*letoff);
        EXPECT_NE(letoff->err().find("stands still"), std::string::npos) << letoff->err();
        let_go();
    }
    EXPECT_GT(std::filesystem::file_size(wav), 1000U);
}

}  // namespace
}  // namespace letoff::test
