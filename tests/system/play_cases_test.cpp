// Cases 48 and 52 of the field with the whole program: a sound server that dies under motors, and short blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <string>
#include <vector>

#include "core/rt/monotonic_clock.h"
#include "tests/system/jack_stage.h"

namespace letoff::test {
namespace {

struct PlayServerPulseCases : JackStage {
    PlayServerPulseCases() { hears.reset(); }
    void strike(int note) {
        const int before = heard().on;
        ASSERT_TRUE(keys->play({key_down(soon(), note, 80)}, kSoon_s));
        ASSERT_TRUE(hears_strikes(before + 1)) << letoff->err();
        ASSERT_TRUE(keys->play({key_up(keys->frame(), note)}, kSoon_s));
    }
    audio::test::PulseServer pulse;
};

// The loss has a sentence of its own and is no underrun; simulated motors play on without sound, and the sound comes
// back by itself.
TEST_F(PlayServerPulseCases, Case48AServerThatDiesStopsNoMotor) {
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(begin({"--audio", "pulse", "--frames", "512", "--keybed", "sim"}));
    ASSERT_NO_FATAL_FAILURE(strike(60));
    const std::size_t said = letoff->err().size();
    pulse.process().end(SIGKILL);
    ASSERT_TRUE(letoff->says("the audio device pulse", kSoon_s, said));
    EXPECT_NE(letoff->err().find("is lost", said), std::string::npos) << letoff->err();
    for (const int note : {48, 55, 64, 72}) ASSERT_NO_FATAL_FAILURE(strike(note));
    EXPECT_EQ(letoff->err().find("ran out of sound", said), std::string::npos) << letoff->err();
    pulse.start();
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(letoff->says("is back", kSoon_s, said));
    ASSERT_NO_FATAL_FAILURE(strike(67));
    EXPECT_TRUE(wait_for(kSoon_s, [&] { return heard().still_sounding() == 0; }));
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["live_keys"], 88) << "keys that motors play\n" << letoff->err();
    EXPECT_EQ(report["strikes"], 6);
    EXPECT_EQ(report["keybed_faults"], 0);
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
    const auto now_s = [] { return 1e-9 * static_cast<double>(core::monotonic_now_ns()); };
    const std::int64_t wakes_before = letoff.wakes();
    const double begin_s = now_s(), before_s = letoff.cpu_s();
    EXPECT_FALSE(letoff.ends(kIdle_s));
    const double passed_s = now_s() - begin_s;
    const double share = (letoff.cpu_s() - before_s) / passed_s;
    const double wakes_hz = static_cast<double>(letoff.wakes() - wakes_before) / passed_s;
    const double own_share = share - wakes_hz * wake_cost_s();
    const auto report = stop_and_report(letoff);
    fmt::print("blocks of {}: {:.1f} % of a core idle, {:.1f} without {:.0f} waking-ups a second, {} underruns\n",
               GetParam(), 100 * share, 100 * own_share, wakes_hz, report["audio"]["xruns"].get<int>());
    EXPECT_GE(before_s, 0);
    EXPECT_LT(own_share, 0.05);
    // JACK wakes its clients in every period: sound, MIDI in and out, the lists of both. Keys, USB and MIDI out wake
    // every 4 ms at most.
    EXPECT_LT(wakes_hz, 5.0 * kJackRate_hz / GetParam() + 3 * 250);
    EXPECT_EQ(report["audio"]["frames"], GetParam());
    EXPECT_GT(report["audio"]["blocks"], 0.8 * kIdle_s * kJackRate_hz / GetParam());
    EXPECT_TRUE(report["audio"].contains("xruns"));
    EXPECT_LT(report["audio"]["block_us"]["p50"], 1e6 * GetParam() / kJackRate_hz / 2);
}

}  // namespace
}  // namespace letoff::test
