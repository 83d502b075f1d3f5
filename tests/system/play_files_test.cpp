// What `letoff play` leaves on the disk when it is ended or killed at a bad moment, and that the next start finds
// everything in order.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/system/jack_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

struct PlayFiles : JackStage {
    /// A server that waits for its clients would wait for minutes for one that was killed.
    PlayFiles() : JackStage(Server::Clients::kMayBeLate) { hears.reset(); }
};

TEST_F(PlayFiles, KilledInAChordItLeavesNothingAndTheNextOneTakesItsPlace) {
    for (const std::string audio : {"jack", "wav:piece.wav"}) {
        for (int round = 0; round < 2; ++round) {
            ASSERT_TRUE(begin({"--audio", audio}));
            ASSERT_NO_FATAL_FAILURE(strike(60));
            if (audio != "jack") {
                ASSERT_TRUE(wait_for(kSoon_s, [&] { return letoff->bytes_written_in(folder.path()) > 50000; }));
            }
            letoff->send(SIGKILL);
            EXPECT_EQ(letoff->ends(), -SIGKILL);
            unplug();
            EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{}) << audio;
        }
    }
    ASSERT_TRUE(begin({"--audio", "wav:piece.wav"}));
    ASSERT_NO_FATAL_FAILURE(strike(60));
    stop_and_report(*letoff);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"piece.wav"});
}

// The tables that make notes sound as they come are recorded while it plays, and kept. Whatever moment it is killed at,
// the next start has what was kept and records the rest.
TEST_F(PlayFiles, KilledWhileItKeepsItsTablesItFindsThemAgain) {
    {
        // Makes sure that the fingers' tables are there to be copied.
        PlayingProgram first({"play", "--audio", "none", "--catch-up", "0", "--json"}, folder.path());
        ASSERT_TRUE(first.plays());
        stop_and_report(first);
    }
    const fs::path cache = folder.path() / "cache", kept = cache / "letoff" / "catch_up.db";
    fs::create_directories(cache / "letoff");
    fs::copy_file(kept_tables(), cache / "letoff" / "strokes.db");
    const std::vector<std::string> arguments{"play", "--audio", "none", "--json"};
    std::uintmax_t before = 0;
    for (int round = 0; round < 2; ++round) {
        PlayingProgram letoff({arguments}, folder.path(), {.cache = cache, .ignored_signal = 0});
        ASSERT_TRUE(letoff.plays());
        const auto size = [&] {
            std::uintmax_t bytes = 0;
            for (const char* more : {"", "-wal"}) {
                std::error_code none;
                const auto part = fs::file_size(kept.string() + more, none);
                bytes += none ? 0 : part;
            }
            return bytes;
        };
        // Two keys' tables more than before, 300 kB each.
        ASSERT_TRUE(wait_for(kStartsWithin_s, [&] { return size() > before + 600'000; })) << size();
        before = size();
        letoff.send(SIGKILL);
        EXPECT_EQ(letoff.ends(), -SIGKILL);
    }
    PlayingProgram letoff({arguments}, folder.path(), {.cache = cache, .ignored_signal = 0});
    EXPECT_TRUE(letoff.plays_with_tables());
    EXPECT_EQ(letoff.err().find("warning"), std::string::npos) << letoff.err();
    stop_and_report(letoff);
    // A good end leaves no logs of the database beside it.
    EXPECT_EQ(names_in(cache), (std::vector<std::string>{"letoff", "letoff/catch_up.db", "letoff/strokes.db"}));
}

}  // namespace
}  // namespace letoff::test
