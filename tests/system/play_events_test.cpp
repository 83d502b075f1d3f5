// `letoff play` without any MIDI or sound server: what it writes as lines of JSON, what OSC asks of it, local control,
// and profiles chosen by program, with and without the settings page.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/heard_file.h"
#include "tests/system/osc_peer.h"
#include "tests/system/play_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

using nlohmann::json;

/// What is written so far, whole lines; each has to be JSON.
std::vector<json> lines_of(const std::string& text) {
    std::vector<json> lines;
    std::istringstream in(text.substr(0, text.rfind('\n') + 1));
    for (std::string line; std::getline(in, line);) {
        lines.push_back(json::parse(line, nullptr, false));
        EXPECT_FALSE(lines.back().is_discarded()) << line;
    }
    return lines;
}

std::vector<json> events_of(const std::string& text, const std::string& kind) {
    std::vector<json> events;
    for (const json& line : lines_of(text)) {
        if (line["event"] == kind) events.push_back(line);
    }
    return events;
}

struct PlayEvents : testing::Test {
    void SetUp() override { forget_all_servers(); }

    std::vector<std::string> arguments(std::vector<std::string> more) const {
        std::vector<std::string> all{"play", "--midi-in",  "none", "--midi-out", "none", "--keybed",
                                     "none", "--catch-up", "0",    "--db",       db};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    TempDir folder;
    const std::string db = folder.path() / "profiles.db";
};

TEST_F(PlayEvents, LinesOfJsonTellWhatOscPlays) {
    PlayingProgram letoff(arguments({"--audio", "none", "--http", "off", "--events", "-", "--osc", "0"}),
                          folder.path());
    const int port = osc_port(letoff);
    ASSERT_GT(port, 0) << letoff.err();
    send_osc(port, "/letoff/pedal/sustain", {1});
    send_osc(port, "/letoff/note", {49, 90});
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return !events_of(letoff.out(), "strike").empty(); })) << letoff.err();
    send_osc(port, "/letoff/note_off", {49});
    send_osc(port, "/letoff/pedal/sustain", {0});
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return !events_of(letoff.out(), "release").empty(); })) << letoff.err();
    letoff.send(SIGTERM);
    EXPECT_EQ(letoff.ends(), 0);
    const json strike = events_of(letoff.out(), "strike").at(0), release = events_of(letoff.out(), "release").at(0);
    EXPECT_EQ(strike["key"], 49);
    EXPECT_NEAR(strike["midi_velocity"].get<double>(), 90, 6);  // the rough tables' aim, not the fine one
    EXPECT_EQ(strike["velocity_14bit"].get<int>() / 128, strike["midi_velocity"].get<int>());
    EXPECT_EQ(release["key"], 49);
    EXPECT_GT(release["release_time_s"].get<double>(), strike["strike_time_s"].get<double>());
    const auto pedals = events_of(letoff.out(), "pedal");
    ASSERT_EQ(pedals.size(), 2u);
    EXPECT_EQ(pedals[0]["pedal"], "sustain");
    EXPECT_EQ(pedals[0]["value"], 127);
    EXPECT_EQ(pedals[1]["value"], 0);
}

TEST_F(PlayEvents, AReaderThatGoesAwayEndsTheLinesAndNothingElse) {
    // Of this user it has neither caches nor keyboards and recordings.
    std::string command = "export XDG_CACHE_HOME='" + kept_cache().string() + "' XDG_DATA_HOME='" +
                          folder.path().string() + "'; cd '" + folder.path().string() + "'; ('" LETOFF_PROGRAM "'";
    for (const std::string& word : arguments({"--audio", "none", "--http", "off", "--demo", "--events", "-"}))
        command += " '" + word + "'";
    // The reader takes one line and leaves; the program is ended when it has said so.
    command +=
        " 2>err & child=$!; i=0; while [ $i -lt 3000 ] && ! grep -q 'no more events' err; do sleep 0.1; i=$((i+1));"
        " done; kill -TERM $child; wait $child; echo $? >status) | head -n 1 >line";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read_text(folder.path() / "status"), "0\n") << read_text(folder.path() / "err");
    EXPECT_EQ(lines_of(read_text(folder.path() / "line")).size(), 1u);
    const std::string err = read_text(folder.path() / "err");
    EXPECT_NE(err.find("no more events are written: Broken pipe"), std::string::npos) << err;
    EXPECT_EQ(times_in(err, "no more events"), 1) << err;
}

TEST_F(PlayEvents, LocalOffStrikesAndIsSilentUntilItIsSwitchedOn) {
    const std::string wav = folder.path() / "out.wav";
    for (const bool switched_on : {false, true}) {
        PlayingProgram letoff(
            arguments({"--audio", "wav:" + wav, "--http", "off", "--events", "-", "--osc", "0", "--local", "off"}),
            folder.path());
        const int port = osc_port(letoff);
        ASSERT_GT(port, 0) << letoff.err();
        if (switched_on) send_osc(port, "/letoff/local", {1});
        send_osc(port, "/letoff/note", {40, 100});
        ASSERT_TRUE(wait_for(kSoon_s, [&] { return !events_of(letoff.out(), "strike").empty(); })) << letoff.err();
        letoff.send(SIGTERM);
        EXPECT_EQ(letoff.ends(), 0);
        const HeardFile sound = heard_file(wav);
        EXPECT_GT(sound.frames, 0);
        if (switched_on) {
            EXPECT_GT(sound.peak, 0.001);
        } else {
            EXPECT_LT(sound.peak, 1e-6);
        }
    }
}

TEST_F(PlayEvents, AProgramChoosesAProfileWithAndWithoutThePage) {
    for (const bool page : {false, true}) {
        PlayingProgram letoff(arguments({"--audio", "none", "--http", page ? "127.0.0.1:0" : "off", "--osc", "0"}),
                              folder.path());
        const int port = osc_port(letoff);
        ASSERT_GT(port, 0) << letoff.err();
        send_osc(port, "/letoff/program", {6});
        EXPECT_TRUE(letoff.says(page ? "program 6: " : "program 6, 'worn': ", kSoon_s)) << letoff.err();
        send_osc(port, "/letoff/program", {2});
        EXPECT_TRUE(letoff.says(page ? "program 2: " : "program 2, 'small-grand': ", kSoon_s)) << letoff.err();
        send_osc(port, "/letoff/program", {100});
        EXPECT_TRUE(letoff.says("there is no profile for program 100", kSoon_s)) << letoff.err();
        letoff.send(SIGTERM);
        EXPECT_EQ(letoff.ends(), 0);
    }
}

}  // namespace
}  // namespace letoff::test
