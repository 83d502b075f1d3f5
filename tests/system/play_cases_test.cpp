// Cases 48 and 52 of the field with the whole program: a sound server that dies under motors, and short blocks; and
// what an instrument costs that nobody plays.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <vector>

#include "core/rt/monotonic_clock.h"
#include "tests/system/jack_stage.h"

namespace letoff::test {
namespace {

struct PlayServerPulseCases : JackStage {
    PlayServerPulseCases() { hears.reset(); }
    void strike_and_let_go(int note) {
        ASSERT_NO_FATAL_FAILURE(strike(note));
        ASSERT_TRUE(keys->play({key_up(keys->frame(), note)}, kSoon_s));
    }
    audio::test::PulseServer pulse;
};

// The loss has a sentence of its own and is no underrun; simulated motors play on without sound, and the sound comes
// back by itself.
TEST_F(PlayServerPulseCases, Case48AServerThatDiesStopsNoMotor) {
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(begin({"--audio", "pulse", "--frames", "512", "--keybed", "sim"}));
    ASSERT_NO_FATAL_FAILURE(strike_and_let_go(60));
    const std::size_t said = letoff->err().size();
    pulse.process().end(SIGKILL);
    ASSERT_TRUE(letoff->says("the audio device pulse", kSoon_s, said));
    EXPECT_NE(letoff->err().find("is lost", said), std::string::npos) << letoff->err();
    for (const int note : {48, 55, 64, 72}) ASSERT_NO_FATAL_FAILURE(strike_and_let_go(note));
    EXPECT_EQ(letoff->err().find("ran out of sound", said), std::string::npos) << letoff->err();
    pulse.start();
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(letoff->says("is back", kSoon_s, said));
    ASSERT_NO_FATAL_FAILURE(strike_and_let_go(67));
    EXPECT_TRUE(hears_all_end());
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["live_keys"], 88) << "keys that motors play\n" << letoff->err();
    EXPECT_EQ(report["strikes"], 6);
    EXPECT_EQ(report["keybed_faults"], 0);
}

/// What the program takes of the machine while it plays on for so long.
struct Load {
    double share = 0;  // of a core
    double wakes_hz = 0;
};
Load load_over(PlayingProgram& letoff, double seconds) {
    const auto now_s = [] { return 1e-9 * static_cast<double>(core::monotonic_now_ns()); };
    const std::int64_t wakes_before = letoff.wakes();
    const double begin_s = now_s(), cpu_before_s = letoff.cpu_s();
    EXPECT_FALSE(letoff.ends(seconds));
    EXPECT_GE(cpu_before_s, 0);
    const double passed_s = now_s() - begin_s;
    return {(letoff.cpu_s() - cpu_before_s) / passed_s, static_cast<double>(letoff.wakes() - wakes_before) / passed_s};
}

class PlayServerJackCases : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Frames, PlayServerJackCases, testing::Values(64, 128, 512));

// Nobody plays: keys, strings and page sleep, and what is left is the callback. How many underruns there were is told;
// that there were none cannot be asked of a busy machine, but of our own work none may be the cause. Nor are a virtual
// machine's waking-ups, ten times as dear as another's, our work: how many there are is.
TEST_P(PlayServerJackCases, Case52AnIdleInstrumentCostsAlmostNothing) {
    audio::test::JackServer server(GetParam());
    ASSERT_TRUE(server.up());
    const TempDir folder;
    PlayingProgram letoff({"play", "--audio", "jack", "--json"}, folder.path());
    ASSERT_TRUE(letoff.plays_with_tables()) << letoff.err();
    constexpr double kIdle_s = 5;
    const Load idle = load_over(letoff, kIdle_s);
    const double own_share = idle.share - idle.wakes_hz * wake_cost_s();
    const auto report = stop_and_report(letoff);
    fmt::print("blocks of {}: {:.1f} % of a core idle, {:.1f} without {:.0f} waking-ups a second, {} underruns\n",
               GetParam(), 100 * idle.share, 100 * own_share, idle.wakes_hz, report["audio"]["xruns"].get<int>());
    EXPECT_LT(own_share, 0.05);
    // JACK wakes its clients in every period: sound, MIDI in and out, the lists of both. Keys, USB and MIDI out wake
    // every 4 ms at most.
    EXPECT_LT(idle.wakes_hz, 5.0 * kJackRate_hz / GetParam() + 3 * 250);
    EXPECT_EQ(report["audio"]["frames"], GetParam());
    EXPECT_GT(report["audio"]["blocks"], 0.8 * kIdle_s * kJackRate_hz / GetParam());
    EXPECT_TRUE(report["audio"].contains("xruns"));
    EXPECT_LT(report["audio"]["block_us"]["p50"], 1e6 * GetParam() / kJackRate_hz / 2);
}

struct PlayServerIdle : JackStage {};

// What has died away costs nothing: no string whose motion is too small to be heard, and no key that stays awake.
TEST_F(PlayServerIdle, AfterItsNotesItTakesNoMoreThanWhileTheySounded) {
    ASSERT_TRUE(begin());
    constexpr double kMeasured_s = 4;
    constexpr int kLowest = 28, kNotes = 20;
    const std::int64_t on = soon();
    std::vector<MidiEvent> chord{pedal(on, 127)}, end;
    for (int note = kLowest; note < kLowest + kNotes; ++note) chord.push_back(key_down(on, note, 80));
    ASSERT_TRUE(keys->play(chord, kSoon_s));
    ASSERT_TRUE(hears_strikes(kNotes)) << heard().on;
    const Load sounding = load_over(*letoff, kMeasured_s);
    EXPECT_GT(peak_of(last_sound()), 0) << "the notes ended too early";

    for (int note = kLowest; note < kLowest + kNotes; ++note) end.push_back(key_up(keys->frame(), note));
    end.push_back(pedal(keys->frame(), 0));
    ASSERT_TRUE(keys->play(end, kSoon_s));
    ASSERT_TRUE(hears_all_end());
    ASSERT_TRUE(wait_for_silence()) << "strings still ring";
    const Load idle = load_over(*letoff, kMeasured_s);
    EXPECT_EQ(peak_of(last_sound()), 0);
    fmt::print(
        "while {} notes sounded {:.1f} % of a core and {:.0f} waking-ups a second, after them {:.1f} and {:.0f}\n",
        kNotes, 100 * sounding.share, sounding.wakes_hz, 100 * idle.share, idle.wakes_hz);
    EXPECT_LE(idle.share, sounding.share);
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["strikes"], kNotes);
    EXPECT_EQ(report["sleeping_keys"], 88);
}

}  // namespace
}  // namespace letoff::test
