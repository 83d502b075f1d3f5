// `letoff play` without any sound server: what every start and end must do, in the time that every run of the tests
// has.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/heard_file.h"
#include "tests/system/play_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

struct PlayQuick : testing::Test {
    void SetUp() override { forget_all_servers(); }
    /// The demo, no port, no catch-up tables to be recorded.
    std::vector<std::string> demo_into(const std::string& audio) const {
        return {"play",       "--demo", "--audio",    audio, "--midi-in", "none",
                "--midi-out", "none",   "--catch-up", "0",   "--json"};
    }

    TempDir folder;
};

TEST_F(PlayQuick, HelpNamesEveryOptionAndShowsAnExample) {
    const ProgramRun run = run_letoff({"play", "--help"}, folder.path());
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    std::istringstream options(
        "--demo --once --audio --frames --midi-in --midi-out --midi-key-position --midi-key-position-in "
        "--midi-velocity "
        "--local --osc --osc-out --keybed --rt --catch-up --http --http-look --record --recordings --events --engine "
        "--soundfont --room --profile --db --action --a4 --temperament --temperament-root --stretch --scala --kbm "
        "--threads --executor --tick --rate --simd --no-cache --json");
    for (std::string option; options >> option;) {
        EXPECT_NE(run.out.find("  " + option + " "), std::string::npos) << option << " is missing in " << run.out;
    }
    EXPECT_NE(run.out.find("Example: letoff play "), std::string::npos) << run.out;
    EXPECT_TRUE(names_in(folder.path()).empty()) << "help leaves no cache";
}

// What the user wrote is wrong whatever the machine has: so it is said before half a minute of learning.
TEST_F(PlayQuick, BadValuesAreRefusedBeforeAnythingIsBuilt) {
    struct Bad {
        std::vector<std::string> arguments;
        std::string word;  // of the sentence
    };
    const std::vector<Bad> all = {{{"--audio", "oss"}, "wav:FILE"},
                                  {{"--audio", "wav"}, "wav:FILE"},
                                  {{"--audio", "wav:"}, "wav:FILE"},
                                  {{"--audio", "none:x"}, "'x'"},
                                  {{"--audio", ""}, "auto, jack"},
                                  {{"--frames", "15"}, "15"},
                                  {{"--frames", "4097"}, "4097"},
                                  {{"--frames", "many"}, "--frames"},
                                  {{"--midi-in", " "}, "auto, none"},
                                  {{"--midi-out", ""}, "none, virtual"},
                                  {{"--rt", "yes"}, "auto, require or off"},
                                  {{"--catch-up", "101"}, "101"},
                                  {{"--catch-up", "-1"}, "-1"},
                                  {{"--catch-up", "nan"}, "nan"},
                                  {{"--once"}, "--demo"},
                                  {{"--tick", "7000"}, "7000"},
                                  {{"--rate", "32000"}, "44100 or 48000"},
                                  {{"--engine", "tape"}, "modal or sample or both"},
                                  {{"--soundfont", "a.sf2"}, "--engine modal"},
                                  {{"--loud"}, "--loud"},
                                  {{"song.mid"}, "song.mid"}};
    for (const Bad& bad : all) {
        std::vector<std::string> arguments = bad.arguments;
        arguments.insert(arguments.begin(), "play");
        PlayingProgram letoff(arguments, folder.path(), {.cache = folder.path(), .ignored_signal = 0});
        EXPECT_EQ(letoff.ends(kSoon_s), 2) << bad.word << ": " << letoff.err();
        expect_one_sentence(letoff.err());
        EXPECT_NE(letoff.err().find(bad.word), std::string::npos) << bad.word << ": " << letoff.err();
        EXPECT_EQ(letoff.out(), "");
        EXPECT_TRUE(names_in(folder.path()).empty()) << "nothing was built";
    }
}

TEST_F(PlayQuick, WhatTheMachineLacksIsOneSentence) {
    for (const auto& [audio, word] : std::vector<std::pair<std::string, std::string>>{
             {"jack", "no JACK server is running"}, {"wav:no/such/folder.wav", "no/such/folder.wav"}}) {
        PlayingProgram letoff(demo_into(audio), folder.path());
        EXPECT_EQ(letoff.ends(kStartsWithin_s), 1);
        expect_one_sentence(letoff.err());
        EXPECT_NE(letoff.err().find(word), std::string::npos) << letoff.err();
        EXPECT_TRUE(names_in(folder.path()).empty());
    }
}

TEST_F(PlayQuick, PlaysIntoAWavThatIsWholeAfterSigterm) {
    const fs::path wav = folder.path() / "piece.wav";
    PlayingProgram letoff(demo_into("wav:" + wav.string()), folder.path());
    ASSERT_TRUE(letoff.plays());
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return letoff.bytes_written_in(folder.path()) > 6 * 48000; }));
    EXPECT_FALSE(fs::exists(wav)) << "not before it is complete";
    const nlohmann::json report = stop_and_report(letoff);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"piece.wav"});
    const HeardFile sound = heard_file(wav);
    EXPECT_EQ(sound.rate_hz, 48000);
    EXPECT_EQ(sound.channels, 2);
    EXPECT_EQ(sound.frames, report["audio"]["blocks"].get<std::int64_t>() * 128);
    EXPECT_GT(sound.frames, 48000);
    EXPECT_GT(sound.peak, 0.001) << "the demo's first chord";
    EXPECT_LE(sound.peak, 1);
    for (const char* name : {"ready_s", "most_memory_MB", "played_s", "ticks", "notes", "strikes", "extra_strikes",
                             "caught_up", "not_caught_up", "silent", "superseded", "messages_dropped", "sleeping_keys",
                             "keybed_faults", "not_converged"}) {
        EXPECT_TRUE(report.contains(name) && report[name].is_number()) << name;
    }
    EXPECT_EQ(report["audio"]["way"], "wav");
    EXPECT_EQ(report["audio"]["frames"], 128);
    EXPECT_GT(report["strikes"], 0);
    EXPECT_EQ(report["strikes"].get<int>() + report["silent"].get<int>() + report["superseded"].get<int>(),
              report["notes"].get<int>());
    EXPECT_EQ(report["caught_up"], 0) << "--catch-up 0";
    EXPECT_GT(report["most_memory_MB"], 10);
    EXPECT_LE(report["most_memory_MB"], 400) << "what a small machine has to spare";
}

TEST_F(PlayQuick, KilledWhileItWritesItLeavesNoFileThatLooksLikeSound) {
    const fs::path wav = folder.path() / "piece.wav";
    for (const int signal_number : {SIGKILL, SIGTERM}) {
        PlayingProgram letoff(demo_into("wav:" + wav.string()), folder.path());
        ASSERT_TRUE(letoff.plays());
        ASSERT_TRUE(wait_for(kSoon_s, [&] { return letoff.bytes_written_in(folder.path()) > 50000; }));
        letoff.send(signal_number);
        EXPECT_EQ(letoff.ends(), signal_number == SIGKILL ? -SIGKILL : 0);
        // Until it is complete the file has no name, so nothing is left of one that was killed.
        const std::vector<std::string> left = names_in(folder.path());
        EXPECT_EQ(left, signal_number == SIGKILL ? std::vector<std::string>{} : std::vector<std::string>{"piece.wav"});
    }
}

TEST_F(PlayQuick, WithoutADeviceItPlaysIntoAFileThatNobodyHasYet) {
    if (fs::exists("/dev/snd")) GTEST_SKIP() << "this machine has a sound card";
    folder.write("letoff-play.wav", "mine");
    PlayingProgram letoff(demo_into("auto"), folder.path());
    ASSERT_TRUE(letoff.plays());
    EXPECT_NE(letoff.err().find("there is no audio device"), std::string::npos) << letoff.err();
    EXPECT_NE(letoff.err().find("'letoff-play-2.wav' instead"), std::string::npos) << letoff.err();
    stop_and_report(letoff);
    EXPECT_EQ(read_text(folder.path() / "letoff-play.wav"), "mine");
    EXPECT_GT(heard_file(folder.path() / "letoff-play-2.wav").frames, 0);
}

// The first start learns for half a minute or more; nobody has to sit through that.
TEST_F(PlayQuick, SigtermWhileItLearnsEndsItAtOnce) {
    PlayingProgram letoff(demo_into("none"), folder.path(), {.cache = folder.path(), .ignored_signal = 0});
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return fs::exists(folder.path() / "letoff" / "strokes.db"); }));
    letoff.send(SIGTERM);
    EXPECT_EQ(letoff.ends(15), -SIGTERM) << letoff.err();
}

TEST_F(PlayQuick, EverySignalThatAsksItToEndEndsItAndNohupHolds) {
    for (const int signal_number : {SIGINT, SIGHUP}) {
        PlayingProgram letoff(demo_into("none"), folder.path(),
                              {.cache = {}, .ignored_signal = signal_number == SIGINT ? SIGHUP : 0});
        ASSERT_TRUE(letoff.plays());
        if (signal_number == SIGINT) {
            letoff.send(SIGHUP);
            EXPECT_FALSE(letoff.ends(0.5)) << "nohup: what its parent made it ignore stays ignored";
        }
        letoff.send(signal_number);
        EXPECT_EQ(letoff.ends(), 0) << letoff.err();
        EXPECT_GT(letoff.report()["ticks"], 0);
    }
}

}  // namespace
}  // namespace letoff::test
