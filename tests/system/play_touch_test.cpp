// A technician at one terminal, a pianist at another: `letoff play --profile` takes over what `letoff regulate` saves.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/system/play_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

struct PlayTouch : testing::Test {
    void SetUp() override {
        forget_all_servers();
        technician({"profile", "copy", "concert", "Mine"});
    }
    std::string technician(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--db", db()});
        const ProgramRun done = run_letoff(arguments, kept_cache());
        EXPECT_EQ(done.status, 0) << done.err;
        return done.out;
    }
    std::vector<std::string> demo(const std::string& profile, const std::string& audio = "none") const {
        return {"play",   "--demo",     "--audio", audio,  "--midi-in", "none",      "--midi-out", "none",
                "--json", "--catch-up", "0",       "--db", db(),        "--profile", profile};
    }
    std::string db() const { return (folder.path() / "profiles.db").string(); }

    /// The kept cache without what this test's touches would add: their tables are to be made behind, each time.
    PlayingProgram::Start own_cache() const {
        const fs::path cache = tables.path();
        fs::create_directories(cache / "letoff");
        std::error_code none_yet;
        fs::copy_file(kept_tables(), cache / "letoff" / "strokes.db", none_yet);
        return {.cache = cache, .ignored_signal = 0};
    }

    TempDir folder, tables;
};

TEST_F(PlayTouch, WhatIsRegulatedMeanwhileIsPlayed) {
    const fs::path wav = folder.path() / "piece.wav";
    PlayingProgram letoff(demo("mine", "wav:" + wav.string()), folder.path(), own_cache());
    ASSERT_TRUE(letoff.plays());
    EXPECT_EQ(letoff.err().find("revision"), std::string::npos) << letoff.err();

    technician({"regulate", "Mine", "--key", "A4", "hammer_mass_kg=+0.001"});
    ASSERT_TRUE(letoff.says("'Mine', revision 2: A4 turns into it while it is played", kSoon_s));
    ASSERT_TRUE(letoff.says("the finger tables of A4 are there", kStartsWithin_s));

    // Capstans turned down and punchings under every key: until its finger has learnt that, no hammer gets there.
    technician({"regulate", "Mine", "--key", "all", "capstan_y_mm=-1.9", "front_rail_y_mm=+3.9"});
    ASSERT_TRUE(letoff.says("revision 3: A0-C8 turn into it while they are played", kSoon_s));
    technician({"regulate", "Mine", "--key", "C4", "jack_top_length_mm=6"});
    ASSERT_TRUE(letoff.says("jack_top_length_mm will hold from the next start on", kSoon_s));
    technician({"regulate", "Mine", "--key", "all", "a4_hz=415", "una_corda_shift_mm=2"});
    ASSERT_TRUE(letoff.says("what is struck from now on sounds by it; una_corda_shift_mm will hold from the next start",
                            kSoon_s));
    ASSERT_TRUE(letoff.says("the new sound is there", kSoon_s));
    technician({"profile", "note", "Mine", "nothing new to play"});
    ASSERT_TRUE(letoff.says("revision 6: the keys stay the same", kSoon_s));
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return letoff.bytes_written_in(folder.path()) > 15 * 192000; }));

    technician({"profile", "delete", "Mine"});
    ASSERT_TRUE(letoff.says("'Mine', revision 7: it was deleted; the touch stays as it is", kSoon_s));
    technician({"profile", "undo", "Mine"});
    ASSERT_TRUE(letoff.says("revision 8: the keys stay the same", kSoon_s));
    const nlohmann::json report = stop_and_report(letoff);
    EXPECT_EQ(report["touch_changes"], 6);
    EXPECT_EQ(report["keybed_faults"], 0);
    EXPECT_GT(report["silent"], 5) << "the hammers do not get there";
    EXPECT_EQ(letoff.err().find("warning"), std::string::npos) << letoff.err();
}

TEST_F(PlayTouch, ARevisionByItsNumberAndFactoryProfilesStayWithAndWithoutThePage) {
    for (const char* http : {"off", "127.0.0.1:0"}) {
        const auto starts = [&](const char* profile) {
            std::vector<std::string> arguments = demo(profile);
            arguments.insert(arguments.end(), {"--http", http});
            return std::make_unique<PlayingProgram>(std::move(arguments), folder.path());
        };
        const auto one = starts("Mine@1"), factory = starts("concert"), newest = starts("Mine");
        ASSERT_TRUE(one->plays() && factory->plays() && newest->plays());
        technician({"regulate", "Mine", "--key", "A4", "hammer_mass_kg=+0.001"});
        ASSERT_TRUE(newest->says("'Mine', revision ", kSoon_s));  // by now the others would have said it too
        EXPECT_EQ(stop_and_report(*newest)["touch_changes"], 1);
        EXPECT_EQ(stop_and_report(*one)["touch_changes"], 0);
        EXPECT_EQ(stop_and_report(*factory)["touch_changes"], 0);
    }
}

}  // namespace
}  // namespace letoff::test
