#include "audio/live/live_sound.h"

#include <gtest/gtest.h>

#include <complex>

#include "tests/audio/live/virtual_play.h"

namespace letoff::audio {
namespace {

using test::PlaySetting;
using test::Stroke;
using test::VirtualPlay;

constexpr int kC4 = 39;

// First sample that is not silence, from the given one on; the sound's own size if there is none.
size_t onset(const std::vector<float>& sound, size_t from = 0) {
    while (from < sound.size() && sound[from] == 0) ++from;
    return from;
}

TEST(LiveSound, EqualClocksGiveTheBitsOfTheEngineFedTickByTick) {
    PlaySetting setting;
    setting.frames = 48;
    setting.live.samples_per_chunk = 12;
    VirtualPlay play(setting);
    play.strokes = {{20, 0.06011, 3e-3, 30}, {kC4, 0.06, 2e-3, 20}, {60, 0.0607, 1e-3, 15}, {kC4, 0.2, 2e-3, 25}};
    play.change = [](std::int64_t tick, test::Tick& t) {
        if (tick > 600) t.damper_m.fill(1e-6 * static_cast<double>(std::min<std::int64_t>(tick - 600, 300)));
    };
    play.play_until(0.4);

    SoundConfig config;
    config.samples_per_chunk = 12;  // = 48000 / 4000
    auto engine = SoundEngine::create(test::piano(), config);
    ASSERT_TRUE(engine.ok());
    const auto late = std::llround(4000 * (0.05 - play.delay_s()));  // keybed tick of sample 0
    std::vector<float> left(play.left.size()), right(left.size());
    for (size_t at = 0; at < left.size(); at += 12) {
        const auto number = late + static_cast<std::int64_t>(at / 12);
        test::Tick tick = test::make_tick(number, 4000, play.strokes);
        play.change(number, tick);
        const core::SoundFrame frame = tick.frame(number, 4000);
        engine.value().render({&frame, 1}, std::span(left).subspan(at, 12), std::span(right).subspan(at, 12));
    }
    EXPECT_GT(engine.value().max_abs_sample(), 0.01);
    EXPECT_EQ(play.left, left);
    EXPECT_EQ(play.right, right);
    EXPECT_EQ(play.faults().errors(), 0u);
    EXPECT_EQ(play.status().stops, 0);
}

TEST(LiveSound, ChunksOf16GiveTheBitsOfTheEngineFedInChunks) {
    PlaySetting setting;
    setting.first_request_s = 0.048;
    setting.live.tick_hz = 1000;
    setting.frames = 96;  // 2 ms: requests on whole ns
    VirtualPlay play(setting);
    play.strokes = {{20, 0.06011, 3e-3, 30}, {kC4, 0.06, 2e-3, 20}};
    play.play_until(0.3);
    SoundConfig config;
    config.samples_per_chunk = 16;
    auto engine = SoundEngine::create(test::piano(), config);
    const auto first_grid = std::llround(96000 * (0.048 - play.delay_s()));
    std::vector<float> left(play.left.size()), right(left.size());
    const std::array<double, core::kKeyCount> lifted{};
    for (size_t at = 0; at < left.size(); at += 16) {
        std::vector<core::StringForce> forces;
        for (const Stroke& stroke : play.strokes) {
            core::StringForce force;
            force.key_index = stroke.key_index;
            force.count = 32;
            double whole_tick = 0;  // a key is in contact in every tick of 1 ms that holds force
            const std::int64_t grid = first_grid + 2 * static_cast<std::int64_t>(at);
            for (int i = 0; i < 32; ++i)
                force.force_N[static_cast<size_t>(i)] = static_cast<float>(stroke.force_N(grid + i));
            for (std::int64_t i = grid / 96 * 96; i < (grid + 31) / 96 * 96 + 96; ++i) whole_tick += stroke.force_N(i);
            if (whole_tick > 0) forces.push_back(force);
        }
        const core::SoundFrame frame{0, 1000, forces, lifted};
        engine.value().render({&frame, 1}, std::span(left).subspan(at, 16), std::span(right).subspan(at, 16));
    }
    EXPECT_GT(engine.value().max_abs_sample(), 0.01);
    EXPECT_EQ(play.left, left);
    EXPECT_EQ(play.right, right);
}

struct DelayCase {
    int frames, rate_hz, tick_hz;
};
class LiveSoundDelay : public testing::TestWithParam<DelayCase> {};
INSTANTIATE_TEST_SUITE_P(Blocks, LiveSoundDelay,
                         testing::Values(DelayCase{16, 48000, 4000}, DelayCase{64, 48000, 4000},
                                         DelayCase{128, 44100, 4000}, DelayCase{441, 44100, 4000},
                                         DelayCase{100, 48000, 8000}, DelayCase{512, 96000, 2000},
                                         DelayCase{1023, 88200, 1000}, DelayCase{4096, 48000, 4000}));

TEST_P(LiveSoundDelay, IsOneTickAndOneBlockToTheSample) {
    const DelayCase c = GetParam();
    for (const double start_s : {0.300013, 0.3001, 0.30021, 0.300244}) {
        PlaySetting setting;
        setting.frames = c.frames;
        setting.live.sample_rate_hz = c.rate_hz;
        setting.live.tick_hz = c.tick_hz;
        VirtualPlay play(setting);
        play.strokes = {{kC4, start_s, 2e-3, 20}};
        play.play_until(0.5);
        const size_t first = onset(play.left);
        ASSERT_LT(first, play.left.size());
        // A sample shows the force in the interval that ends with it.
        const double heard_s = play.time_of_sample_s(first) + 1.0 / c.rate_hz;
        EXPECT_NEAR((heard_s - start_s - play.delay_s()) * c.rate_hz, 0, 1.2) << start_s;
        EXPECT_EQ(play.faults().errors(), 0u);
    }
}

TEST(LiveSound, TwoNotesAMillisecondApartAre48SamplesApartInBlocksOf512) {
    PlaySetting setting;
    setting.frames = 512;
    for (const double start_s : {0.3, 0.3031, 0.3052, 0.3073, 0.3094}) {
        VirtualPlay one(setting), other(setting);
        one.strokes = {{kC4, start_s, 2e-3, 20}};
        other.strokes = {{kC4, start_s + 1e-3, 2e-3, 20}};
        one.play_until(0.5);
        other.play_until(0.5);
        EXPECT_NEAR(static_cast<double>(onset(other.left)) - static_cast<double>(onset(one.left)), 48, 1);
    }
}

// The work that the strokes' forces do on undamped strings, on the keybed's own grid.
double work_J(const core::StringSet& set, const std::vector<Stroke>& strokes) {
    double sum_J = 0;
    for (const Stroke& stroke : strokes) {
        const core::StringModes& string = set.notes[static_cast<size_t>(stroke.key_index)].set[0];
        std::vector<std::complex<double>> z(static_cast<size_t>(string.count));
        double before_m = 0;
        const auto first = static_cast<std::int64_t>(stroke.start_s * core::kStrikeGrid_hz);
        for (std::int64_t g = first; g < first + 96 * 6; ++g) {
            double at_m = 0;
            for (size_t j = 0; j < z.size(); ++j) {
                const std::complex<double> s(-string.sigma_1ps[j], string.omega_radps[j]);
                const auto e = std::exp(s / static_cast<double>(core::kStrikeGrid_hz));
                z[j] = z[j] * e + string.phi_strike[j] / string.omega_radps[j] * (e - 1.0) / s * stroke.force_N(g);
                at_m += string.phi_strike[j] * z[j].imag();
            }
            sum_J += stroke.force_N(g) * (at_m - before_m);
            before_m = at_m;
        }
    }
    return sum_J;
}

// One string a note that never dies away, so that its energy is the work done on it.
std::unique_ptr<core::StringSet> lossless(int first_key, int count) {
    auto set = std::make_unique<core::StringSet>();
    for (int key = first_key; key < first_key + count; ++key) {
        core::NoteStrings& note = set->notes[static_cast<size_t>(key)];
        note.strings = note.sets = 1;
        note.set[0] = test::piano().notes[static_cast<size_t>(key)].set[0];
        for (double& sigma : note.set[0].sigma_1ps) sigma = 1e-9;
    }
    return set;
}

class LiveSoundDrift : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Drifts, LiveSoundDrift, testing::Values(200e-6, -200e-6));

TEST_P(LiveSoundDrift, IsFollowedForAMinuteWithoutAStepOrALostStrike) {
    PlaySetting setting;
    setting.frames = 256;
    setting.drift = GetParam();
    setting.jitter_s = 0.3e-3;
    setting.live.margin_s = 0.5e-3;  // callbacks up to 0.3 ms early against their mean
    setting.live.values.of[sound_row("string_resonance_percent")] =
        0;  // strings without losses hold no drain through the bridge
    const int kNotes = 58;
    const auto set = lossless(15, kNotes);
    VirtualPlay play(setting, *set);
    for (int i = 0; i < kNotes; ++i) play.strokes.push_back({15 + i, 1.00017 * (i + 1), 2e-3, 20});
    double least_s = 1, most_s = 0, largest_step_s = 0, before_s = 0;
    for (int tenth = 1; tenth < 600; ++tenth) {
        const double t_s = 0.1 * tenth;
        play.play_until(t_s);
        const double delay_s = play.status().delay_s;
        if (t_s < 2) continue;  // the loop has found the rate
        least_s = std::min(least_s, delay_s);
        most_s = std::max(most_s, delay_s);
        if (before_s > 0) largest_step_s = std::max(largest_step_s, std::abs(delay_s - before_s));
        before_s = delay_s;
    }
    EXPECT_EQ(play.faults().errors(), 0u);
    EXPECT_NEAR(least_s, play.delay_s(), 21e-6);  // a sample
    EXPECT_NEAR(most_s, play.delay_s(), 21e-6);
    EXPECT_LT(largest_step_s, 21e-6);
    EXPECT_NEAR(play.status().drift, GetParam(), 20e-6);
    double heard_J = 0;
    for (int key = 0; key < core::kKeyCount; ++key) heard_J += play.live().engine().bank().energy_J(key);
    const double done_J = work_J(*set, play.strokes);
    ASSERT_GT(done_J, 1e-3);
    EXPECT_NEAR(heard_J, done_J, 0.01 * done_J);
}

TEST_P(LiveSoundDrift, OnsetsStayInTheirPlaceForAMinute) {
    PlaySetting setting;
    setting.frames = 64;
    setting.drift = GetParam();
    setting.jitter_s = 0.3e-3;
    setting.live.margin_s = 0.5e-3;
    const auto set = lossless(15, 58);
    VirtualPlay play(setting, *set);
    play.play_until(59);
    const size_t at = play.left.size();
    ASSERT_EQ(onset(play.left), at);
    play.strokes = {{kC4, 59.0123, 2e-3, 20}};
    play.play_until(59.2);
    const double heard_s = play.time_of_sample_s(onset(play.left)) + 1.0 / 48000;
    // Requests come 0.15 ms late on average, so what is asked for is that much later in keybed time.
    EXPECT_NEAR((heard_s - 59.0123 - play.delay_s() + 0.15e-3) * 48000, 0, 1.5);
    EXPECT_EQ(play.faults().errors(), 0u);
}

TEST(LiveSound, EveryRateHearsTheHammersWork) {
    for (const int rate_hz : {44100, 48000, 88200, 96000}) {
        PlaySetting setting;
        setting.live.sample_rate_hz = rate_hz;
        setting.live.values.of[sound_row("string_resonance_percent")] =
            0;  // strings without losses hold no drain through the bridge
        const auto set = lossless(10, 50);
        VirtualPlay play(setting, *set);
        play.strokes = {{20, 0.20011, 3e-3, 20}, {39, 0.21012, 2e-3, 20}, {55, 0.22013, 1e-3, 20}};
        play.play_until(0.4);
        double heard_J = 0;
        for (int key = 0; key < core::kKeyCount; ++key) heard_J += play.live().engine().bank().energy_J(key);
        const double done_J = work_J(*set, play.strokes);
        EXPECT_NEAR(heard_J, done_J, 0.01 * done_J) << rate_hz;
    }
}

}  // namespace
}  // namespace letoff::audio
