// `letoff play` left alone with a restless pianist in real time: does anything grow, drift or stick? Two minutes, or as
// many as LETOFF_SOAK_MINUTES says; tests/system/soak is the same for hours of virtual time.
//
// Each round is 20 s of random playing by the factory's touches in turn, with pedal, chords and forearms. In its last
// chord the keyboard is pulled, in another round the sound server dies, in a third all keys are let go. Then all rests,
// and a test stroke on A4 is as loud as the first one. Nothing else may run beside it: a JACK server that waits for its
// clients (as here, so that no message is lost) may stand still for good where one is late as the graph changes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "core/rt/monotonic_clock.h"
#include "core/unit/keys.h"
#include "tests/system/jack_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

constexpr double kRound_s = 20;
constexpr int kWaysToEnd = 3, kTouches = 2;
constexpr double kMemoryGrowth_MB = 8;  // what an allocator may keep in reserve
constexpr double kAsLoud = 0.05;        // the strings still move a little from the stroke before
constexpr int kTestNote = 69, kTestVelocity = 80;

double minutes() {
    const char* asked = std::getenv("LETOFF_SOAK_MINUTES");
    return asked == nullptr ? 2 : std::max(2.0, std::strtod(asked, nullptr));
}

struct PlayServerSoak : JackStage {
    /// A bar of anything from now on; what is held at its end stays held.
    std::vector<MidiEvent> random_piece(std::int64_t start, int touch) {
        const auto to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        std::vector<MidiEvent> piece{{start, {0xC0, static_cast<std::uint8_t>(touch)}}};
        for (std::int64_t at = start; at < start + frames_of(kRound_s); at += frames_of(0.05 + 0.01 * to(100))) {
            const int kind = to(20);
            if (kind == 0) {  // a forearm
                const int lowest = core::kFirstMidiNote + to(70);
                for (int note = lowest; note < lowest + 18; ++note) {
                    piece.push_back(key_down(at, note, 40 + to(80)));
                    piece.push_back(key_up(at + frames_of(0.3), note));
                }
            } else if (kind < 4) {
                piece.push_back(pedal(at, kind == 1 ? 0 : to(128)));
            } else {
                for (int n = 1 + to(4); n > 0; --n) {
                    const int note = core::kFirstMidiNote + to(core::kKeyCount);
                    piece.push_back(key_down(at, note, 1 + to(127)));
                    piece.push_back(key_up(at + frames_of(0.05 + 0.01 * to(80)), note));
                }
            }
        }
        piece = in_order(piece);
        const std::int64_t end = piece.back().frame;
        for (const int note : {40, 47, 55, 64, 76}) piece.push_back(key_down(end, note, 90));
        return piece;
    }
    void keyboard_pulled() {
        keys.reset();
        EXPECT_TRUE(hears_all_end()) << "a note hangs on a keyboard that was pulled";
        unplug();
        ASSERT_TRUE(plug_in()) << letoff->err();
    }
    void server_dies() {
        const std::size_t said = letoff->err().size();
        server.process().end(SIGKILL);
        unplug();
        ASSERT_TRUE(letoff->says("the audio device jack (system) is lost", kSoon_s, said));
        ASSERT_TRUE(server_comes_back(said)) << letoff->err();
    }
    void let_go() {
        std::vector<MidiEvent> ends{pedal(soon(), 0)};
        for (int note = core::kFirstMidiNote; note < core::kFirstMidiNote + core::kKeyCount; ++note)
            ends.push_back(key_up(ends[0].frame, note));
        ASSERT_TRUE(keys->play(ends, kSoon_s));
        EXPECT_TRUE(hears_all_end()) << "a note hangs";
        unplug();  // a tape is two minutes long
        ASSERT_TRUE(plug_in()) << letoff->err();
    }
    /// Out of silence, by the first touch.
    double test_stroke() {
        if (!wait_for_silence()) ADD_FAILURE() << "no silence: " << peak_of(last_sound());
        const std::int64_t on = soon();
        EXPECT_TRUE(
            keys->play({key_down(on, kTestNote, kTestVelocity), key_up(on + frames_of(0.3), kTestNote)}, kSoon_s));
        EXPECT_TRUE(tape->wait_until(on + frames_of(0.3)));
        return peak_of(tape->sound(on, on + frames_of(0.3)));
    }
    /// Until it is as loud as that: the table of a touch that comes back takes its time.
    double test_stroke_like(double loud) {
        double peak = test_stroke();
        for (int again = 0; again < 10 && std::abs(peak / loud - 1) > kAsLoud; ++again) peak = test_stroke();
        return peak;
    }

    std::mt19937 random{88};
};

TEST_F(PlayServerSoak, NothingGrowsDriftsOrSticks) {
    ASSERT_TRUE(begin());
    const double first = test_stroke();
    ASSERT_GT(first, 0.003);
    const std::int64_t end_ns = core::monotonic_now_ns() + static_cast<std::int64_t>(60e9 * minutes());
    double settled_MB = 0;
    int rounds = 0, deaths = 0;
    for (; core::monotonic_now_ns() < end_ns || rounds < kWaysToEnd; ++rounds) {
        SCOPED_TRACE(fmt::format("round {}", rounds));
        ASSERT_TRUE(keys->play(random_piece(soon(), 1 + rounds % kTouches), kRound_s + kSoon_s));
        ASSERT_TRUE(wait_for(kSoon_s, [&] { return heard().still_sounding() >= 1; }));
        switch (rounds % kWaysToEnd) {
            case 0:
                ASSERT_NO_FATAL_FAILURE(keyboard_pulled());
                break;
            case 1:
                ++deaths;
                ASSERT_NO_FATAL_FAILURE(server_dies());
                break;
            default:
                break;
        }
        ASSERT_NO_FATAL_FAILURE(let_go());
        ASSERT_TRUE(keys->play({{soon(), {0xC0, 0}}}, kSoon_s));
        const double peak = test_stroke_like(first);
        EXPECT_NEAR(peak / first, 1, kAsLoud);
        const double memory_MB = letoff->memory_MB();
        ASSERT_GT(memory_MB, 0);
        // Every touch has its tables and every loss has been met: from here on nothing is new.
        if (rounds < kWaysToEnd * kTouches) settled_MB = memory_MB;
        EXPECT_LT(memory_MB, settled_MB + kMemoryGrowth_MB);
        fmt::print("round {}: A4 {:.4f} of the first, {:.1f} MB\n", rounds, peak / first, memory_MB);
        std::fflush(stdout);
    }
    ASSERT_TRUE(tape->wait_until(soon() + frames_of(2)));  // the keys fall asleep
    const auto report = stop_and_report(*letoff);
    fmt::print("{} s, {} strikes, late ticks {}, lateness {}, xruns {}, drift {} ppm, {} MB at most, faults {}\n",
               report["played_s"].dump(), report["strikes"].dump(), report["late_ticks"].dump(),
               report["lateness_us"].dump(), report["audio"]["xruns"].dump(), report["audio"]["drift_ppm"].dump(),
               report["most_memory_MB"].dump(), report["faults"].dump());
    EXPECT_EQ(report["sleeping_keys"], 88) << "a finger was left on its key";
    EXPECT_EQ(report["keybed_faults"], 0);
    EXPECT_EQ(report["messages_dropped"], 0);
    EXPECT_LT(std::abs(report["audio"]["drift_ppm"].get<double>()), 200);
    EXPECT_EQ(times_in(letoff->err(), "jack (system) is lost"), deaths);
}

}  // namespace
}  // namespace letoff::test
