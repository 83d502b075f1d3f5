#include "audio/chunk_feed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "audio/modal/string_bank.h"
#include "audio/sound_engine.h"
#include "tests/audio/live/virtual_play.h"
#include "tests/support/spectrum.h"

namespace letoff::audio {
namespace {

constexpr int kTick_hz = 4000, kA4 = 48;

/// The sound of some strokes off line, by ticks or by chunks.
std::vector<float> sound_of(const std::vector<test::Stroke>& strokes, int rate_hz, double seconds, bool by_chunks) {
    SoundConfig config{.sample_rate_hz = rate_hz, .tick_hz = kTick_hz, .samples_per_chunk = 0, .ticks_at_once = 1};
    // Every string is open here: what lies near would pull at the note.
    config.values.of[sound_row("string_resonance_percent")] = 0;
    if (by_chunks) config.samples_per_chunk = chunk_samples(rate_hz, kTick_hz);
    SoundEngine engine = std::move(SoundEngine::create(test::piano(), config).value());
    ChunkFeed chunks(rate_hz, kTick_hz);
    std::vector<float> out, left(static_cast<std::size_t>(engine.samples_per_tick())), right = left;
    const auto render = [&](const core::SoundFrame& frame, std::size_t samples) {
        engine.render({&frame, 1}, std::span(left).first(samples), std::span(right).first(samples));
        out.insert(out.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(samples));
    };
    // The keybed's ticks do not begin at 0.
    constexpr std::int64_t kFirst = 777;
    std::vector<test::Stroke> later = strokes;
    for (test::Stroke& stroke : later) stroke.start_s += static_cast<double>(kFirst) / kTick_hz;
    for (std::int64_t tick = 0; tick < static_cast<std::int64_t>(seconds * kTick_hz); ++tick) {
        const test::Tick t = test::make_tick(kFirst + tick, kTick_hz, later);
        core::SoundFrame frame = t.frame(kFirst + tick, kTick_hz);
        if (!by_chunks) {
            render(frame, left.size());
            continue;
        }
        chunks.push(frame);
        while (chunks.next(frame)) render(frame, left.size());
    }
    const test::Tick none;
    core::SoundFrame frame = none.frame(0, kTick_hz);
    if (const int rest = by_chunks ? chunks.rest(frame) : 0; rest > 0) render(frame, static_cast<std::size_t>(rest));
    return out;
}

double power(const std::vector<float>& sound, double from_s, double to_s, int rate_hz) {
    double sum = 0;
    const auto from = static_cast<std::size_t>(from_s * rate_hz), to = static_cast<std::size_t>(to_s * rate_hz);
    for (std::size_t i = from; i < to; ++i) sum += static_cast<double>(sound[i]) * sound[i];
    return sum / static_cast<double>(to - from);
}

TEST(ChunkFeed, EveryRateGivesAsManySamplesAsItsTicksLast) {
    for (const int rate_hz : {44100, 88200, 176400, 192000})
        EXPECT_EQ(sound_of({}, rate_hz, 0.1, true).size(), static_cast<std::size_t>(rate_hz / 10)) << rate_hz;
}

// Field case 53.
TEST(ChunkFeed, A4SoundsAtItsPitchAndLevelAtEveryRate) {
    const std::vector<test::Stroke> strokes = {{kA4, 0.02, 2e-3, 20}};
    const double wanted_hz = core::tuned_hz({}, kA4);
    const double level = power(sound_of(strokes, 48000, 1.1, false), 0.1, 0.5, 48000);
    ASSERT_GT(level, 1e-8);
    for (const int rate_hz : {44100, 88200, 176400, 192000}) {
        const auto sound = sound_of(strokes, rate_hz, 1.1, true);
        const auto window = static_cast<std::size_t>(rate_hz / 2);
        const double heard_hz = letoff::test::partial_hz(sound, rate_hz, wanted_hz, window, window / 8);
        EXPECT_NEAR(heard_hz, wanted_hz, 0.1) << rate_hz;
        // The soundboard's direct path has a little more of the top at a higher rate.
        EXPECT_NEAR(10 * std::log10(power(sound, 0.1, 0.5, rate_hz) / level), 0, 0.5) << rate_hz;
    }
}

TEST(ChunkFeed, WhereTicksFitTheForcesAreTheSameToTheBit) {
    // 96 kHz by chunks of a tick's length: every interval is one of the grid's.
    ChunkFeed chunks(96000, kTick_hz);
    for (std::int64_t tick = 10; tick < 40; ++tick) {
        const test::Tick t = test::make_tick(tick, kTick_hz, {{kA4, 0.0031, 2e-3, 20}});
        chunks.push(t.frame(tick, kTick_hz));
        core::SoundFrame chunk = t.frame(tick, kTick_hz);
        ASSERT_TRUE(chunks.next(chunk));
        ASSERT_EQ(chunk.forces.empty(), t.forces.empty()) << tick;
        if (t.forces.empty()) continue;
        for (std::size_t i = 0; i < 24; ++i)
            EXPECT_EQ(chunk.forces[0].force_N[i], static_cast<float>(t.forces[0].force_N[i])) << tick;
        EXPECT_FALSE(chunks.next(chunk));
    }
}

}  // namespace
}  // namespace letoff::audio
