#include "core/midi/clock_follower.h"

#include <gtest/gtest.h>

#include <random>

using namespace letoff::core;

namespace {

constexpr MidiMessage kClock{MidiKind::clock, 0, 0, 0};
constexpr double kJitter_s = 0.004;

class Source {
  public:
    explicit Source(unsigned seed) : random_(seed) {}
    /// Quarters of a tempo, each clock up to 4 ms early or late.
    void play(ClockFollower& follower, double bpm, int quarters) {
        for (int i = 0; i < quarters * ClockFollower::kPerQuarter; ++i) {
            time_s_ += 60 / bpm / ClockFollower::kPerQuarter;
            const auto ns = static_cast<std::int64_t>(1e9 * (time_s_ + jitter_(random_)));
            follower.see(kClock, ns);
        }
    }
    void wait(double seconds) { time_s_ += seconds; }

  private:
    std::mt19937 random_;
    std::uniform_real_distribution<double> jitter_{-kJitter_s, kJitter_s};
    double time_s_ = 1;
};

}  // namespace

TEST(ClockFollower, TempoWithinHalfAPercentUnderFourMillisecondsOfJitter) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        ClockFollower follower;
        Source source(seed);
        source.play(follower, 120, 4);
        for (int beat = 0; beat < 16; ++beat) {
            source.play(follower, 120, 1);
            ASSERT_TRUE(follower.tempo_bpm().has_value());
            ASSERT_NEAR(*follower.tempo_bpm(), 120, 0.6) << seed;
        }
    }
}

TEST(ClockFollower, TellsNothingBeforeABeat) {
    ClockFollower follower;
    for (int i = 0; i < ClockFollower::kPerQuarter - 1; ++i) follower.see(kClock, i * 20'000'000);
    EXPECT_FALSE(follower.tempo_bpm().has_value());
    follower.see(kClock, (ClockFollower::kPerQuarter - 1) * 20'000'000);
    EXPECT_NEAR(follower.tempo_bpm().value(), 125, 1e-9);
}

TEST(ClockFollower, FollowsAnotherTempoWithinTwoBeats) {
    ClockFollower follower;
    Source source(7);
    source.play(follower, 120, 8);
    source.play(follower, 90, 2);
    EXPECT_NEAR(follower.tempo_bpm().value(), 90, 1.5);
    source.play(follower, 90, 4);
    EXPECT_NEAR(follower.tempo_bpm().value(), 90, 0.45);
}

TEST(ClockFollower, APauseIsNoSlowBeat) {
    ClockFollower follower;
    Source source(3);
    source.play(follower, 120, 4);
    source.wait(30);
    source.play(follower, 60, 1);
    EXPECT_NEAR(follower.tempo_bpm().value(), 60, 1);
}

TEST(ClockFollower, CountsQuartersBetweenStartAndStop) {
    ClockFollower follower;
    Source source(1);
    source.play(follower, 120, 1);
    EXPECT_FALSE(follower.running());
    EXPECT_EQ(follower.position_quarters(), 0);
    follower.see({MidiKind::start, 0, 0, 0}, 0);
    source.play(follower, 120, 3);
    EXPECT_TRUE(follower.running());
    EXPECT_EQ(follower.position_quarters(), 3);
    follower.see({MidiKind::stop, 0, 0, 0}, 0);
    source.play(follower, 120, 1);
    EXPECT_EQ(follower.position_quarters(), 3);
    follower.see({MidiKind::song_position, 0, 2, 1}, 0);  // 130 sixteenths
    follower.see({MidiKind::resume, 0, 0, 0}, 0);
    source.play(follower, 120, 1);
    EXPECT_EQ(follower.position_quarters(), 33.5);
}
