// The options of `letoff play` and `letoff devices` at a JACK server.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/system/jack_stage.h"
#include "tests/system/performance_file.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

struct PlayOptions : JackStage {
    /// Keyboard and tape, not connected to anything.
    void add_peers() {
        keys = std::make_unique<JackKeyboard>("Keystation");
        tape = std::make_unique<JackTape>("Tape", 30);
    }
};

TEST_F(PlayOptions, MidiInNameTakesThatOneAloneAndMidiOutNameIsConnected) {
    add_peers();
    JackKeyboard other("Organ");
    ASSERT_TRUE(start({"--audio", "none", "--midi-in", "keyst", "--midi-out", "tape"}));
    ASSERT_TRUE(letoff->plays_with_tables());
    EXPECT_TRUE(letoff->says("MIDI is taken from \"Keystation:out\" (JACK)", kSoon_s));
    EXPECT_TRUE(letoff->says("MIDI is sent to \"Tape:midi\" (JACK)", kSoon_s));
    EXPECT_EQ(other.connections("Organ:out"), 0);
    EXPECT_EQ(keys->connections("Keystation:out"), 1);
    const std::int64_t on = soon();
    ASSERT_TRUE(other.play({key_down(on, 60, 80), key_up(on + 1000, 60)}, kSoon_s));
    ASSERT_TRUE(keys->play({key_down(on + 2000, 64, 80), key_up(on + 9000, 64)}, kSoon_s));
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 1; }));
    EXPECT_EQ(heard().on, 1);
    EXPECT_EQ(heard().strikes.at(0).bytes[1], 64);
    EXPECT_EQ(stop_and_report(*letoff)["strikes"], 1);
}

TEST_F(PlayOptions, ANameThatIsNotThereIsSaidOnceAndTakenWhenItComes) {
    ASSERT_TRUE(start({"--audio", "none", "--midi-in", "keyst", "--midi-out", "tape"}));
    ASSERT_TRUE(letoff->plays_with_tables());
    EXPECT_TRUE(letoff->says("No MIDI source's name holds \"keyst\"; there ", kSoon_s));
    EXPECT_TRUE(letoff->says("No MIDI destination's name holds \"tape\"; there ", kSoon_s));
    add_peers();
    EXPECT_TRUE(letoff->says("MIDI is taken from \"Keystation:out\"", kSoon_s));
    EXPECT_TRUE(letoff->says("MIDI is sent to \"Tape:midi\"", kSoon_s));
    const std::int64_t on = soon();
    ASSERT_TRUE(keys->play({key_down(on, 64, 80), key_up(on + 9000, 64)}, kSoon_s));
    EXPECT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 1; }));
    EXPECT_EQ(times_in(letoff->err(), "No MIDI source"), 1) << letoff->err();
    stop_and_report(*letoff);
}

TEST_F(PlayOptions, MidiNoneLeavesNoPort) {
    add_peers();
    ASSERT_TRUE(start({"--audio", "none", "--midi-in", "none", "--midi-out", "none"}));
    ASSERT_TRUE(letoff->plays_with_tables());
    EXPECT_EQ(letoff->err().find("MIDI"), std::string::npos) << letoff->err();
    EXPECT_EQ(keys->connections("Keystation:out"), 0);
    EXPECT_FALSE(tape->has_port("Letoff:in"));
    EXPECT_FALSE(tape->has_port("Letoff-out:out"));
    stop_and_report(*letoff);
}

// Without catch-up a note has the whole travel of its key before it strikes: 20 ms at the least.
TEST_F(PlayOptions, CatchUpOfNothingPlaysTheWholeTravel) {
    ASSERT_TRUE(start({"--audio", "jack", "--catch-up", "0"}));
    ASSERT_TRUE(letoff->plays());
    ASSERT_TRUE(plug_in());
    const std::int64_t on = soon();
    std::vector<MidiEvent> piece;
    for (int i = 0; i < 8; ++i) {
        piece.push_back(key_down(on + i * 24000, 40 + 7 * i, 70));
        piece.push_back(key_up(on + i * 24000 + 12000, 40 + 7 * i));
    }
    ASSERT_TRUE(keys->play(piece, kSoon_s));
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 8; }));
    const auto strikes = heard().strikes;
    ASSERT_EQ(strikes.size(), 8u);
    for (std::size_t i = 0; i < strikes.size(); ++i) {
        const double travel_s =
            static_cast<double>(strikes[i].frame - keys->sent_cycles()[2 * i]) / static_cast<double>(kJackRate_hz);
        EXPECT_GT(travel_s, 0.020) << i;
        EXPECT_LT(travel_s, 0.150) << i;
        EXPECT_NEAR(strikes[i].bytes[2], 70, 2) << i;
    }
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["caught_up"], 0);
    EXPECT_EQ(report["not_caught_up"], 0);
    EXPECT_EQ(report["strikes"], 8);
}

TEST_F(PlayOptions, ADeviceThatIsNotThereIsOneSentence) {
    ASSERT_TRUE(start({"--audio", "jack:Scarlett"}));
    EXPECT_EQ(letoff->ends(kStartsWithin_s), 1);
    expect_one_sentence(letoff->err());
    EXPECT_NE(letoff->err().find("Scarlett"), std::string::npos) << letoff->err();
}

TEST_F(PlayOptions, TheServersOwnRateAndBlockAreTakenAndSaid) {
    ASSERT_TRUE(start({"--audio", "jack", "--rate", "96000", "--frames", "1024", "--rt", "off"}));
    ASSERT_TRUE(letoff->plays());
    EXPECT_TRUE(letoff->says("48000 Hz in blocks of 128 frames", kSoon_s));
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["audio"]["rate_hz"], 48000);
    EXPECT_EQ(report["audio"]["frames"], kJackFrames);
    EXPECT_EQ(report["audio"]["device"], "system");
}

TEST_F(PlayOptions, DevicesListsOthersPortsAndNoneOfOurs) {
    add_peers();
    ASSERT_TRUE(start({"--audio", "jack"}));
    ASSERT_TRUE(letoff->plays());
    ASSERT_TRUE(letoff->says("MIDI is taken from \"Keystation:out\"", kSoon_s));
    PlayingProgram devices({"devices", "--json"}, folder.path());
    ASSERT_EQ(devices.ends(), 0);
    const nlohmann::json json = devices.report();
    ASSERT_FALSE(json.empty()) << devices.out();
    EXPECT_EQ(json["audio"].size(), 3u);
    EXPECT_EQ(json["audio"][0]["devices"][0]["name"], "system");
    std::vector<std::string> names;
    for (const auto& port : json["midi"]["ports"])
        names.push_back(port["direction"].get<std::string>() + " " + port["name"].get<std::string>());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"in Keystation:out", "out Tape:midi"}));
    stop_and_report(*letoff);
}

// A minute and a half, by itself.
TEST_F(PlayOptions, TheDemoOnceEndsByItselfAndStrikesItsNotes) {
    const core::Performance demo = read_performance(std::string(LETOFF_SOURCE_DIR) + "/packaging/demo/demo.mid");
    ASSERT_FALSE(demo.notes.empty());
    ASSERT_TRUE(start({"--demo", "--once", "--audio", "jack", "--midi-in", "none"}));
    ASSERT_TRUE(letoff->plays());
    tape = std::make_unique<JackTape>("Tape", 120);
    ASSERT_TRUE(tape->connect("Letoff-out:out", "Tape:midi"));
    EXPECT_EQ(letoff->ends(demo.end_s + kSoon_s), 0) << letoff->err();
    const auto report = letoff->report();
    EXPECT_EQ(report["notes"], demo.notes.size());
    EXPECT_EQ(report["silent"], 0);
    EXPECT_EQ(report["strikes"].get<int>() + report["superseded"].get<int>(), report["notes"].get<int>());
    EXPECT_EQ(report["superseded"], 0) << "the piece leaves every key the time to come up";
    EXPECT_EQ(heard().on, report["strikes"].get<int>() + report["extra_strikes"].get<int>());
    EXPECT_EQ(heard().still_sounding(), 0);
    EXPECT_NEAR(report["played_s"].get<double>(), demo.end_s + 4.5, 2);
}

}  // namespace
}  // namespace letoff::test
