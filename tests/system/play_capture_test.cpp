// What `letoff play` keeps of what is played without being asked: played by OSC, without any sound server.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "storage/recording_store.h"
#include "tests/system/osc_peer.h"
#include "tests/system/play_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct PlayCapture : testing::Test {
    void SetUp() override { forget_all_servers(); }

    std::vector<std::string> arguments(std::vector<std::string> more) const {
        std::vector<std::string> all{"play",
                                     "--audio",
                                     "none",
                                     "--midi-in",
                                     "none",
                                     "--midi-out",
                                     "none",
                                     "--osc",
                                     "0",
                                     "--http",
                                     "off",
                                     "--catch-up",
                                     "0",
                                     "--db",
                                     path("profiles.db"),
                                     "--recordings",
                                     path("recordings.db"),
                                     "--events",
                                     "-"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::string path(const std::string& name) const { return (folder.path() / name).string(); }
    json reported(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--recordings", path("recordings.db"), "--json"});
        const ProgramRun done = run_letoff(std::move(arguments), kept_cache());
        EXPECT_EQ(done.status, 0) << done.err;
        return json::parse(done.out, nullptr, false);
    }
    static int told(const PlayingProgram& letoff, const char* event) {
        return times_in(letoff.out(), fmt::format("\"{}\"", event));
    }
    static int strikes(const PlayingProgram& letoff) { return told(letoff, "strike"); }
    /// A chord with the pedal; it has struck, and its keys are back, when this returns.
    static void play_chord(PlayingProgram& letoff, int port) {
        const int before = strikes(letoff), releases = told(letoff, "release");
        send_osc(port, "/letoff/pedal/sustain", {1});
        // Motors that a busy machine makes fall in a stroke swallow it: it is played again.
        constexpr int kTries = 5;
        for (int i = 0; i < kTries && strikes(letoff) < before + 3; ++i) {
            for (const std::uint8_t key : kChord) send_osc(port, "/letoff/note_off", {key});
            for (const std::uint8_t key : kChord) send_osc(port, "/letoff/note", {key, 80});
            (void)wait_for(kSoon_s / kTries, [&] { return strikes(letoff) >= before + 3; });
        }
        ASSERT_GE(strikes(letoff), before + 3) << letoff.err();
        for (const std::uint8_t key : kChord) send_osc(port, "/letoff/note_off", {key});
        send_osc(port, "/letoff/pedal/sustain", {0});
        ASSERT_TRUE(wait_for(kSoon_s, [&] { return told(letoff, "release") >= releases + 3; })) << letoff.err();
    }

    /// Two chords or more, for longer than a second, which is how often a recording keeps the state of every key.
    /// Returns how many notes that was.
    static int play_chords(PlayingProgram& letoff, int port) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
        int notes = 0;
        for (; notes < 6 || std::chrono::steady_clock::now() < until; notes += 3) play_chord(letoff, port);
        return notes;
    }

    static constexpr std::array<std::uint8_t, 3> kChord = {28, 40, 49};
    TempDir folder;
};

void expect_the_same(const json& replayed, int strikes) {
    EXPECT_EQ(replayed["same"], true) << replayed.dump();
    EXPECT_EQ(replayed["strikes"], strikes);
    EXPECT_EQ(replayed["same_strikes"], strikes);
    EXPECT_GE(replayed["states"], 1);
}

}  // namespace

TEST_F(PlayCapture, WhatIsPlayedIsCapturedWithItsTouchesAndReplaysToTheBit) {
    int notes = 0;
    {
        PlayingProgram letoff(arguments({}), folder.path());
        const int port = osc_port(letoff);
        ASSERT_GT(port, 0) << letoff.err();
        notes += play_chords(letoff, port);
        // A row turned by OSC is another touch; one beyond its limits, and one that nobody knows, are refused.
        send_osc_row(port, "key_inertia_kgm2", 99.0F);
        ASSERT_TRUE(letoff.says("OSC: ", kSoon_s)) << letoff.err();
        EXPECT_THAT(letoff.err(), HasSubstr("key_inertia_kgm2"));
        send_osc_row(port, "nothing_g", 1);
        ASSERT_TRUE(letoff.says("OSC: there is no value 'nothing_g'", kSoon_s)) << letoff.err();
        send_osc_row(port, "hammer_inertia_kgm2", 1.9e-4F);
        ASSERT_TRUE(letoff.says("OSC: hammer_inertia_kgm2", kSoon_s)) << letoff.err();
        notes += play_chords(letoff, port);
        letoff.send(SIGTERM);
        EXPECT_EQ(letoff.ends(), 0) << letoff.err();
    }
    const json list = reported({"record", "list"});
    ASSERT_EQ(list.size(), 1u) << list.dump();
    EXPECT_EQ(list[0]["captured"], true);
    EXPECT_EQ(list[0]["ended"], true);
    EXPECT_EQ(list[0]["lost"], 0);
    const std::string name = list[0]["name"];
    EXPECT_THAT(name, HasSubstr("Captured 20"));
    auto store = storage::RecordingStore::open(path("recordings.db"));
    ASSERT_TRUE(store.ok()) << store.error();
    const auto recording = store.value().load(name);
    ASSERT_TRUE(recording.ok()) << recording.error();
    ASSERT_GE(recording.value().touches.size(), 1u);
    EXPECT_THAT(recording.value().touches.back().profile_json, HasSubstr("hammer_inertia_kgm2"));
    expect_the_same(reported({"record", "replay", name}), notes);
    // Time 0 is a quarter of a second before the first.
    const json midi = reported({"record", "export", name, "-o", path("chords.mid")});
    EXPECT_EQ(midi["notes"], notes);
    EXPECT_LT(midi["duration_s"], 60);
}

TEST_F(PlayCapture, OffNothingIsKept) {
    {
        PlayingProgram letoff(arguments({"--record", "off"}), folder.path());
        const int port = osc_port(letoff);
        ASSERT_GT(port, 0) << letoff.err();
        play_chord(letoff, port);
        letoff.send(SIGTERM);
        EXPECT_EQ(letoff.ends(), 0);
    }
    EXPECT_FALSE(std::filesystem::exists(path("recordings.db")));
}

TEST_F(PlayCapture, KilledItKeepsAllButTheLastSecond) {
    int notes = 0;
    {
        PlayingProgram letoff(arguments({}), folder.path());
        const int port = osc_port(letoff);
        ASSERT_GT(port, 0) << letoff.err();
        notes = play_chords(letoff, port);
        const auto kept = [&] {
            auto store = storage::RecordingStore::open(path("recordings.db"));
            if (!store) return false;
            const auto list = store.value().list();
            return list.ok() && list.value().size() == 1 && list.value()[0].strikes == notes;
        };
        EXPECT_TRUE(wait_for(kSoon_s, kept));
        letoff.send(SIGKILL);
        EXPECT_EQ(letoff.ends(), -SIGKILL);
    }
    const json list = reported({"record", "list"});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0]["ended"], false);
    expect_the_same(reported({"record", "replay", list[0]["name"]}), notes);
}

TEST_F(PlayCapture, WithoutAPlaceForItThePlayingGoesOn) {
    auto all = arguments({});
    std::replace(all.begin(), all.end(), path("recordings.db"), std::string("/proc/none/recordings.db"));
    PlayingProgram letoff(all, folder.path());
    const int port = osc_port(letoff);
    ASSERT_GT(port, 0) << letoff.err();
    play_chord(letoff, port);
    letoff.send(SIGTERM);
    EXPECT_EQ(letoff.ends(), 0) << letoff.err();
    EXPECT_EQ(times_in(letoff.err(), "what is played is not captured"), 1) << letoff.err();
}

// Simulated motors and fingers; in time, with two seconds until the motors push.
TEST_F(PlayCapture, WhatIsPlayedOnMotorisedKeysReplaysToTheBit) {
    {
        PlayingProgram letoff(arguments({"--keybed", "sim", "--record", "Motors"}), folder.path());
        const int port = osc_port(letoff);
        ASSERT_GT(port, 0) << letoff.err();
        ASSERT_TRUE(letoff.says("gives the forces back", kSoon_s)) << letoff.err();
        play_chords(letoff, port);
        letoff.send(SIGTERM);
        EXPECT_EQ(letoff.ends(), 0) << letoff.err();
    }
    auto store = storage::RecordingStore::open(path("recordings.db"));
    ASSERT_TRUE(store.ok()) << store.error();
    const auto recording = store.value().load("Motors");
    ASSERT_TRUE(recording.ok()) << recording.error();
    const auto count = [&](core::TakeKind kind) {
        return std::count_if(recording.value().events.begin(), recording.value().events.end(),
                             [kind](const core::TakeEvent& event) { return event.kind == kind; });
    };
    EXPECT_GT(count(core::TakeKind::key_moved), 1000);
    expect_the_same(reported({"record", "replay", "Motors"}), static_cast<int>(count(core::TakeKind::strike)));
    EXPECT_GE(count(core::TakeKind::strike), 6);
}

}  // namespace letoff::test
