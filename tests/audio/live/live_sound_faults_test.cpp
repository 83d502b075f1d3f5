// What live sound does when frames or blocks do not come as they should.
#include <gtest/gtest.h>

#include <limits>

#include "tests/audio/live/virtual_play.h"

namespace letoff::audio {
namespace {

using core::Fault;
using test::PlaySetting;
using test::VirtualPlay;

constexpr int kC4 = 39;

// One lossless mode: what it holds in the end says which impulse it got, and its amplitude does not depend on when.
std::unique_ptr<core::StringSet> one_slow_mode() {
    auto set = std::make_unique<core::StringSet>();
    core::NoteStrings& note = set->notes[kC4];
    note.strings = note.sets = 1;
    core::StringModes& modes = note.set[0];
    modes.count = 1;
    for (int i = 0; i < core::kModeBlock; ++i) {
        modes.omega_radps.push_back(2 * core::kPi * 2);
        modes.sigma_1ps.push_back(1e-9);
        modes.phi_strike.push_back(i == 0 ? 20 : 0);
        modes.bridge_N_per_m.push_back(i == 0 ? 1e4 : 0);
        modes.damper_weight.push_back(0);
    }
    return set;
}

// Speed of the mode after an impulse: phi J; its energy (phi J)^2 / 2, where the contact is short against its period.
double impulse_of_energy_Ns(double energy_J) {
    return std::sqrt(2 * energy_J) / 20;
}

TEST(LiveSoundFaults, FramesTooLateInMidStrikeLoseAndDoubleNothing) {
    const auto set = one_slow_mode();
    PlaySetting setting;
    setting.live.values.of[sound_row("string_resonance_percent")] =
        0;  // the mode is no string that could hang on a bridge
    setting.frames = 64;
    VirtualPlay play(setting, *set);
    play.strokes = {{kC4, 0.3002, 2e-3, 20}, {kC4, 0.4, 2e-3, 20}};
    const double whole_Ns = 20 * 2e-3 * 2 / core::kPi;
    // The keybed stands still for 4 ms in the middle of the first strike, then tells all at once.
    std::vector<std::pair<std::int64_t, test::Tick>> held;
    play.told = [&](std::int64_t tick) {
        if (tick >= 1204 && tick < 1220) {
            held.emplace_back(tick, test::make_tick(tick, 4000, play.strokes));
            return false;
        }
        for (auto& [number, late] : held) play.live().on_tick(late.frame(number, 4000));
        held.clear();
        return true;
    };
    play.play_until(0.35);
    EXPECT_NEAR(impulse_of_energy_Ns(play.live().engine().bank().energy_J(kC4)), whole_Ns, 2e-2 * whole_Ns);
    EXPECT_GE(play.faults().count(Fault::kSoundFrameMissing), 1u);
    EXPECT_LE(play.faults().count(Fault::kSoundFrameMissing), 8u);
    EXPECT_EQ(play.faults().count(Fault::kClockLost), 0u);
    EXPECT_NEAR(play.status().behind_s, 0, 1e-9);  // back in its place after the strike
    EXPECT_NEAR(play.status().delay_s, play.delay_s(), 1e-6);
}

TEST(LiveSoundFaults, AKeybedThatNeedsPartOfItsTickIsNotHeardWithAMargin) {
    PlaySetting setting;
    setting.frames = 64;
    setting.first_request_s = 0.05005;  // 50, 133 and 217 us after a tick
    setting.keybed_late_s = 60e-6;
    setting.live.margin_s = 60e-6;
    VirtualPlay play(setting);
    for (int i = 0; i < 20; ++i) play.strokes.push_back({kC4, 0.2 + 0.01013 * i, 2e-3, 20});
    play.play_until(0.5);
    EXPECT_EQ(play.faults().errors(), 0u);
    EXPECT_EQ(play.status().stops, 0);
    setting.live.margin_s = 0;
    VirtualPlay bare(setting);
    bare.play_until(0.5);  // no strike: the place stands still at times, which no one can hear
    EXPECT_GT(bare.status().stops, 10);
    EXPECT_EQ(bare.faults().errors(), 0u);
    EXPECT_LT(bare.status().least_reserve_s, -30e-6);
}

// A keybed that sleeps tells of its ticks in bursts: nothing stands still that should move.
TEST(LiveSoundFaults, ASleepingKeybedMakesNoStops) {
    PlaySetting setting;
    setting.frames = 64;
    // Three blocks go by from one telling to the next: the first of them is asked for 0.4 ms after it, so that it is
    // all there, the others are not.
    setting.first_request_s = 0.0484;
    for (const bool resting : {true, false}) {
        VirtualPlay play(setting);
        play.live().set_resting(resting);
        std::vector<std::int64_t> held;
        play.told = [&](std::int64_t tick) {
            held.push_back(tick);
            if (held.size() < 16) return false;
            held.pop_back();
            for (const std::int64_t late : held) play.live().on_tick(test::make_tick(late, 4000, {}).frame(late, 4000));
            held.clear();
            return true;
        };
        play.play_until(0.5);
        EXPECT_TRUE(play.status().running);
        EXPECT_EQ(play.status().stops == 0, resting);
        EXPECT_EQ(play.status().behind_s == 0, resting);
        EXPECT_EQ(std::abs(play.status().delay_s - play.delay_s()) < 1e-6, resting);
    }
}

TEST(LiveSoundFaults, GapInTheTicksIsCountedAndTheRestHeard) {
    const auto set = one_slow_mode();
    PlaySetting setting;
    setting.live.values.of[sound_row("string_resonance_percent")] = 0;
    VirtualPlay play(setting, *set);
    play.strokes = {{kC4, 0.3, 2e-3, 20}, {kC4, 0.35, 2e-3, 20}};
    play.told = [](std::int64_t tick) { return tick < 1190 || tick > 1212; };  // the first strike is never told
    play.play_until(0.34);
    EXPECT_EQ(play.live().engine().bank().energy_J(kC4), 0);
    EXPECT_GE(play.faults().count(Fault::kSoundFrameMissing), 1u);
    play.play_until(0.45);
    const double whole_Ns = 20 * 2e-3 * 2 / core::kPi;
    EXPECT_NEAR(impulse_of_energy_Ns(play.live().engine().bank().energy_J(kC4)), whole_Ns, 2e-2 * whole_Ns);
    EXPECT_NEAR(play.status().behind_s, 0, 1e-9);
}

TEST(LiveSoundFaults, AKeybedThatStopsIsSilenceAndItsReturnIsHeard) {
    VirtualPlay play({});
    play.strokes = {{kC4, 0.3, 2e-3, 20}, {kC4, 1.0, 2e-3, 20}};
    play.told = [](std::int64_t tick) { return tick < 1600 || tick > 3200; };
    play.play_until(0.6);
    EXPECT_FALSE(play.status().running);
    EXPECT_EQ(play.faults().count(Fault::kClockLost), 1u);
    play.play_until(0.95);
    EXPECT_TRUE(play.status().running);
    const auto missing = play.faults().count(Fault::kSoundFrameMissing);
    const double before_J = play.live().engine().bank().energy_J(kC4);
    play.play_until(1.1);
    EXPECT_GT(play.live().engine().bank().energy_J(kC4), before_J + 1e-4);
    EXPECT_EQ(play.faults().count(Fault::kSoundFrameMissing), missing);
    EXPECT_NEAR(play.status().delay_s, play.delay_s(), 1e-6);
}

TEST(LiveSoundFaults, NothingIsCountedBeforeTheFirstBlockAndWhileTheDeviceIsGone) {
    PlaySetting setting;
    setting.first_request_s = 2.0;  // the ring would be full several times over
    VirtualPlay play(setting);
    play.play_until(2.2);
    EXPECT_EQ(play.faults().errors(), 0u);
    EXPECT_TRUE(play.status().running);
    play.live().device_stopped();
    play.pause(3);
    play.strokes = {{kC4, 4.0, 2e-3, 20}, {kC4, 5.4, 2e-3, 20}};
    play.play_until(5.3);
    EXPECT_EQ(play.faults().count(Fault::kSoundRingFull), 0u);
    const double before_J = play.live().engine().bank().energy_J(kC4);
    play.play_until(5.5);
    EXPECT_GT(play.live().engine().bank().energy_J(kC4), before_J);
    EXPECT_TRUE(play.status().running);
    EXPECT_NEAR(play.status().delay_s, play.delay_s(), 1e-6);
}

TEST(LiveSoundFaults, ADeviceThatSkipsBlocksIsFollowedAnew) {
    VirtualPlay play({});
    play.play_until(1.0);
    play.pause(0.011);  // blocks are 2.7 ms: four are gone
    play.play_until(2.0);
    EXPECT_EQ(play.faults().count(Fault::kClockLost), 1u);
    EXPECT_EQ(play.status().clock_restarts, 1);
    EXPECT_NEAR(play.status().delay_s, play.delay_s(), 1e-6);
    play.strokes = {{kC4, 2.1, 2e-3, 20}};
    play.play_until(2.2);
    size_t first = 0;
    while (first < play.left.size() && play.left[first] == 0) ++first;
    EXPECT_NEAR((play.time_of_sample_s(first) - 2.1 - play.delay_s()) * 48000, 0, 1.5);
}

TEST(LiveSoundFaults, RingFullIsCounted) {
    VirtualPlay play({});
    play.play_until(0.2);
    const test::Tick tick;
    for (int i = 0; i < 5000; ++i) play.live().on_tick(tick.frame(100000 + i, 4000));
    EXPECT_GT(play.faults().count(Fault::kSoundRingFull), 2900u);
}

TEST(LiveSoundFaults, TheKeybedsClockSetAnewIsFollowed) {
    VirtualPlay play({});
    play.play_until(0.5);
    // Tick 0 is now: frames of the old count are no longer heard.
    play.live().set_time_zero_ns(5'000'000'000 + 500'000'000);
    const test::Tick quiet;
    std::vector<float> left(128), right(128);
    std::int64_t tick = 0;
    for (int block = 0; block < 200; ++block) {
        const double now_s = (block + 1) * 128.0 / 48000;
        for (; (static_cast<double>(tick) + 1) / 4000 <= now_s; ++tick) {
            const test::Tick t = test::make_tick(tick, 4000, {{kC4, 0.1, 2e-3, 20}});
            play.live().on_tick(t.frame(tick, 4000));
        }
        play.live().render(left.data(), right.data(), 128, 5'500'000'000 + std::llround(1e9 * now_s));
    }
    EXPECT_GT(play.live().engine().bank().energy_J(kC4), 1e-4);
    EXPECT_TRUE(play.status().running);
    EXPECT_EQ(play.faults().count(Fault::kSoundFrameMissing), 0u);
}

TEST(LiveSoundFaults, ForceThatIsNotFiniteAndSoundOverFullScaleAreMadeSafe) {
    VirtualPlay play({});
    play.strokes = {{kC4, 0.2, 2e-3, 20000}};
    play.play_until(0.3);
    EXPECT_GT(play.faults().count(Fault::kSoundLimited), 10u);
    for (const float sample : play.left) ASSERT_LE(std::abs(sample), 1);
    play.change = [](std::int64_t tick, test::Tick& t) {
        if (tick != 1300) return;
        core::StringForce force;
        force.key_index = 50;
        force.count = 24;
        force.force_N.fill(std::numeric_limits<double>::quiet_NaN());
        t.forces.push_back(force);
    };
    play.play_until(0.5);
    for (const float sample : play.left) ASSERT_TRUE(std::isfinite(sample));
    EXPECT_GE(play.live().engine().bank().reset_count(), 1);
}

TEST(LiveSoundFaults, RefusesRatesWithOneSentence) {
    core::FaultCounters faults;
    LiveSoundConfig config;
    config.sample_rate_hz = 32000;
    EXPECT_EQ(LiveSound::create(test::piano(), config, faults).error(),
              "sample rate 32000 Hz is not possible: 44100, 48000, 88200, 96000, 176400 or 192000 Hz are");
    config = {};
    config.tick_hz = 3500;
    EXPECT_EQ(LiveSound::create(test::piano(), config, faults).error(),
              "tick rate 3500 Hz is not possible for the sound: 1000, 2000, 4000 or 8000 Hz are");
    config = {};
    config.samples_per_chunk = 0;  // to the engine: a frame is a tick
    EXPECT_EQ(LiveSound::create(test::piano(), config, faults).error(),
              "a chunk of 0 samples is not possible live: 1 or more are");
}

// A device that asks for nothing for a minute, as one that sleeps: the first block after it is in its place again, with
// the delay of before, and what is struck then is heard whole.
TEST(LiveSoundFaults, Case54AMinuteWithoutACallbackIsOvercome) {
    PlaySetting setting;
    VirtualPlay play(setting);
    play.strokes = {{kC4, 0.1, 2e-3, 20}, {kC4, 61.5, 2e-3, 20}};
    play.play_until(0.5);
    const double delay_s = play.status().delay_s;
    play.pause(60);
    play.play_until(62);
    const auto status = play.status();
    EXPECT_TRUE(status.running);
    EXPECT_NEAR(status.delay_s, delay_s, 1e-4);
    EXPECT_EQ(status.behind_s, 0);
    double loudest = 0, at_s = 0;
    for (size_t i = 0; i < play.left.size(); ++i) {
        const double time_s = play.time_of_sample_s(i);
        if (time_s < 61 || std::abs(play.left[i]) <= loudest) continue;
        loudest = std::abs(play.left[i]);
        at_s = time_s;
    }
    EXPECT_GT(loudest, 0.01);
    EXPECT_NEAR(at_s, 61.5 + play.delay_s(), 0.03);
}

}  // namespace
}  // namespace letoff::audio
