// `letoff record` and `letoff play --record` as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/system/performance_file.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Chords, repetitions, half pedals and release velocities.
std::vector<core::TimedMidiMessage> own_piece() {
    core::Performance piece;
    for (int i = 0; i < 24; ++i) {
        core::PerformedNote note;
        note.key_index = 20 + 7 * (i % 6) + i / 6;
        note.on_time_s = 0.11 * i + (i % 3 == 0 ? 0 : 0.001 * i);
        note.off_time_s = note.on_time_s + 0.2 + 0.01 * i;
        note.velocity = 20 + 4 * i;
        if (i % 2 == 0) note.velocity_14bit = note.velocity * 128 + 5 * i;
        note.release_velocity = 30 + 2 * i;
        piece.notes.push_back(note);
    }
    for (int i = 0; i <= 40; ++i) piece.sustain.push_back({0.05 * i, (i * 37 % 128) / 127.0});
    piece.soft = {{0.3, 0.5}, {1.5, 0.0}};
    piece.sostenuto = {{0.9, 1.0}, {2.0, 0.0}};
    piece.end_s = 3.2;
    return core::messages_of(piece);
}

class CliRecord : public testing::Test {
  protected:
    ProgramRun run(std::vector<std::string> arguments) const {
        return run_letoff(std::move(arguments), kept_cache(), data_.path());
    }
    nlohmann::json reported(std::vector<std::string> arguments) const {
        arguments.push_back("--json");
        const ProgramRun done = run(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        return nlohmann::json::parse(done.out, nullptr, false);
    }
    std::string path(const std::string& name) const { return (data_.path() / name).string(); }
    void expect_the_same_replay(const char* profile) const;
    void make_piece() const { ASSERT_TRUE(storage::write_midi_file(path("piece.mid"), own_piece()).ok()); }

    TempDir data_;
};

void expect_same_piece(const core::Performance& got, const core::Performance& asked) {
    ASSERT_NO_FATAL_FAILURE(expect_same_performance(got, asked));
    for (std::size_t i = 0; i < got.notes.size(); ++i)
        EXPECT_NEAR(got.notes[i].midi_release_velocity(), asked.notes[i].midi_release_velocity(), 1) << i;
}

}  // namespace

TEST_F(CliRecord, APieceSurvivesInstrumentRecordingAndExport) {
    make_piece();
    const auto taken = reported({"record", "import", path("piece.mid"), "Piece"});
    EXPECT_EQ(taken["notes"], 24);
    EXPECT_EQ(taken["strikes"], 24);
    const core::Performance asked = read_performance(path("piece.mid"));
    for (const std::string form : {"88", "xp", "7"}) {
        const std::string file = path("out_" + form + ".mid");
        reported({"record", "export", "Piece", "-o", file, "--velocity", form});
        expect_same_piece(read_performance(file), asked);
    }
    // What the hammers did: in -> mechanics -> out, the same velocity and order.
    reported({"record", "export", "Piece", "-o", path("hammers.mid"), "--of", "hammers"});
    const core::Performance struck = read_performance(path("hammers.mid"));
    ASSERT_EQ(struck.notes.size(), asked.notes.size());
    for (std::size_t i = 0; i < struck.notes.size(); ++i) {
        EXPECT_EQ(struck.notes[i].key_index, asked.notes[i].key_index) << i;
        EXPECT_NEAR(struck.notes[i].midi_velocity(), asked.notes[i].midi_velocity(), 1) << i;
        EXPECT_NEAR(struck.notes[i].on_time_s, asked.notes[i].on_time_s, 1e-3) << i;
    }
}

void CliRecord::expect_the_same_replay(const char* profile) const {
    make_piece();
    reported({"record", "import", path("piece.mid"), "Piece", "--a4", "415", "--profile", profile, "--threads", "1"});
    const auto one = reported({"record", "replay", "Piece", "--threads", "1"});
    EXPECT_EQ(one["same"], true);
    EXPECT_EQ(one["same_build"], true);
    EXPECT_GE(one["states"], 3);
    EXPECT_EQ(one["same_states"], one["states"]);
    EXPECT_EQ(one["strikes"], 24);
    EXPECT_EQ(one["same_strikes"], 24);
    const auto two = reported({"record", "replay", "Piece", "--threads", "2", "--executor", "threads"});
    EXPECT_EQ(two["same"], true);
    EXPECT_EQ(two["state_hash"], one["state_hash"]);

    reported({"record", "export", "Piece", "-o", path("a.wav"), "--threads", "1"});
    reported({"record", "export", "Piece", "-o", path("b.wav"), "--threads", "2"});
    const std::string sound = read_text(path("a.wav"));
    EXPECT_GT(sound.size(), std::size_t{3} * 48000 * 6);
    EXPECT_TRUE(sound == read_text(path("b.wav")));
    reported({"record", "export", "Piece", "-o", path("c.flac")});
    EXPECT_EQ(read_text(path("c.flac")).substr(0, 4), "fLaC");
}

TEST_F(CliRecord, AReplayIsTheSameToTheBitForAnyThreads) {
    expect_the_same_replay("concert");
}
class CliRecordLong : public CliRecord {};

TEST_F(CliRecordLong, AReplayWithAnotherTouchIsTheSameToo) {
    expect_the_same_replay("worn");
}

/// In time: the demo takes 77 s.
TEST_F(CliRecordLong, ADemoThatIsPlayedIsRecordedAndComesOutTheSame) {
    // Catch-up tables that come in the middle of it are part of what is recorded.
    const ProgramRun played = run({"play", "--demo", "--once", "--audio", "none", "--midi-in", "none", "--midi-out",
                                   "none", "--record", "Demo", "--rt", "off", "--json"});
    ASSERT_EQ(played.status, 0) << played.err;
    EXPECT_THAT(played.err, HasSubstr("recording 'Demo'"));
    const auto report = nlohmann::json::parse(played.out);
    const auto list = reported({"record", "list"});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0]["name"], "Demo");
    EXPECT_EQ(list[0]["ended"], true);
    EXPECT_EQ(list[0]["lost"], 0);
    EXPECT_EQ(list[0]["strikes"].get<int>(), report["strikes"].get<int>() + report["extra_strikes"].get<int>());
    const auto again = reported({"record", "replay", "Demo"});
    EXPECT_EQ(again["same"], true) << again.dump();
    EXPECT_GT(again["states"], 5);
    const ProgramRun removed = run({"record", "delete", "Demo"});
    EXPECT_EQ(removed.status, 0);
    EXPECT_EQ(reported({"record", "list"}).size(), 0u);
}

TEST_F(CliRecord, WhatCannotBeIsOneSentence) {
    const auto expect_failure = [this](int status, std::vector<std::string> arguments, const std::string& word) {
        arguments.insert(arguments.begin(), "record");
        expect_failed(run(std::move(arguments)), status, word);
    };
    expect_failure(1, {"replay", "None"}, "no recording 'None'");
    expect_failure(1, {"delete", "None"}, "no recording 'None'");
    expect_failure(2, {"export", "None", "-o", path("x.mp3")}, ".mid, .wav or .flac");
    expect_failure(1, {"export", "None", "-o", path("x.mid")}, "no recording 'None'");
    expect_failure(1, {"import", path("none.mid"), "A"}, "none.mid");
    expect_failure(1, {"list", "--recordings", "/none/there.db"}, "/none/there.db");
    expect_failure(2, {"export", "A", "-o", path("x.mid"), "--velocity", "9"}, "88 or xp or 7");
    EXPECT_FALSE(fs::exists(path("x.mid")));
}

}  // namespace letoff::test
