// How the whole chain sounds: finger, action, hammer on strings, audio strings, soundboard.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "audio/sound_engine.h"
#include "core/rt/executor.h"
#include "core/unit/key_name.h"
#include "tests/keyboard/gesture/throws.h"
#include "tests/support/spectrum.h"

namespace letoff::test {
namespace {

constexpr int kTick_hz = 4000;
constexpr int kRate_hz = 48000;

struct Note {
    double hammer_speed_mps = 0;
    std::vector<float> sound;  // mean of both sides, from the strike on
};

/// One key pressed and held; its sound for so long after the hammer met the strings.
Note play_note(int key, double acceleration_mps2, double seconds) {
    struct Sink final : core::SoundSink, core::StrikeSink {
        explicit Sink(audio::SoundEngine& to) : engine(to) {}
        void on_tick(const core::SoundFrame& frame) noexcept override {
            std::array<float, audio::kMaxSamplesPerTick> left{}, right{};
            const auto samples = static_cast<std::size_t>(engine.samples_per_tick());
            engine.render({&frame, 1}, std::span(left).first(samples), std::span(right).first(samples));
            for (std::size_t i = 0; i < samples; ++i) sound.push_back(0.5F * (left[i] + right[i]));
        }
        void on_strike(const core::Strike& strike) noexcept override { strikes.push_back(strike); }
        void on_key_bottom(int, double) noexcept override {}
        void on_release(const core::Release&) noexcept override {}
        audio::SoundEngine& engine;
        std::vector<float> sound;
        std::vector<core::Strike> strikes;
    };
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(key, 1), kTick_hz, *executor);
    keybed.settle();
    auto engine =
        audio::SoundEngine::create(keyboard::piano_strings(), {.sample_rate_hz = kRate_hz, .tick_hz = kTick_hz});
    EXPECT_TRUE(engine.ok());
    Sink sink(engine.value());
    keybed.press(0, keybed.now_s(), acceleration_mps2);
    while (sink.strikes.empty() && keybed.now_s() < 1) keybed.tick(&sink, &sink);
    while (!sink.strikes.empty() && keybed.now_s() < sink.strikes[0].strike_time_s + seconds + 0.001)
        keybed.tick(&sink, &sink);
    EXPECT_EQ(sink.strikes.size(), 1u) << core::key_name(key);
    if (sink.strikes.empty()) return {};
    const auto begin = static_cast<std::ptrdiff_t>(sink.strikes[0].strike_time_s * kRate_hz);
    const auto length = static_cast<std::ptrdiff_t>(seconds * kRate_hz);
    return {sink.strikes[0].hammer_speed_mps,
            std::vector<float>(sink.sound.begin() + begin, sink.sound.begin() + begin + length)};
}

double level_dB(std::span<const float> sound, double from_s, double to_s) {
    double sum = 0;
    const auto begin = static_cast<std::size_t>(from_s * kRate_hz), end = static_cast<std::size_t>(to_s * kRate_hz);
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(sound[i]) * sound[i];
    return 10 * std::log10(sum / static_cast<double>(end - begin));
}

/// Every `stride`-th key of the piano at p, mf and ff.
void expect_louder_is_brighter(int stride) {
    const std::vector<double> speeds_mps{1.0, 2.8, 6.0};
    int notes = 0;
    for (int first = 0; first < core::kKeyCount; first += core::kLanes) {
        const auto throws = keyboard::Thrower(first, core::kLanes).find(speeds_mps);
        for (int key = first; key < first + core::kLanes; ++key) {
            if (key % stride != 0) continue;
            ++notes;
            std::array<double, 3> centroid_hz{}, level{};
            for (std::size_t s = 0; s < 3; ++s) {
                const double a = throws[s][static_cast<std::size_t>(key - first)].acceleration_mps2;
                const Note note = play_note(key, a, 0.3);
                ASSERT_FALSE(note.sound.empty()) << core::key_name(key);
                EXPECT_NEAR(note.hammer_speed_mps, speeds_mps[s], 0.02 * speeds_mps[s]) << core::key_name(key);
                centroid_hz[s] = spectral_centroid_hz(note.sound, kRate_hz, 20000);
                level[s] = level_dB(note.sound, 0, 0.3);
            }
            const std::string figures =
                fmt::format("{}: {:.1f}, {:.1f}, {:.1f} Hz at {:.1f}, {:.1f}, {:.1f} dB", core::key_name(key),
                            centroid_hz[0], centroid_hz[1], centroid_hz[2], level[0], level[1], level[2]);
            EXPECT_GT(centroid_hz[1], centroid_hz[0]) << figures;
            EXPECT_GT(centroid_hz[2], centroid_hz[1]) << figures;
            // 9 and 6.6 dB more speed: at least half of that in sound.
            EXPECT_GT(level[1], level[0] + 4.5) << figures;
            EXPECT_GT(level[2], level[1] + 3.3) << figures;
        }
    }
    EXPECT_EQ(notes, core::kKeyCount / stride);
}

TEST(Sound, LouderIsBrighterOnEveryFourthKey) {
    expect_louder_is_brighter(4);
}

TEST(SoundLong, LouderIsBrighterOnEveryKey) {
    expect_louder_is_brighter(1);
}

TEST(Sound, TrebleDiesAwayFasterThanBass) {
    std::vector<double> drop_dB;
    for (int key = 3; key < core::kKeyCount; key += 12) {  // C1 .. C8
        const double a = keyboard::Thrower(key, 1).find({2.8})[0][0].acceleration_mps2;
        const Note note = play_note(key, a, 1.2);
        ASSERT_FALSE(note.sound.empty()) << core::key_name(key);
        drop_dB.push_back(level_dB(note.sound, 0.05, 0.15) - level_dB(note.sound, 1.05, 1.15));
    }
    // Two octaves apart: from one to the next a resonance of the soundboard may weigh more.
    for (std::size_t i = 2; i < drop_dB.size(); ++i) EXPECT_GT(drop_dB[i], drop_dB[i - 2]) << i;
    EXPECT_GT(drop_dB[0], 0.5);
    EXPECT_LT(drop_dB[0], 20);
}

}  // namespace
}  // namespace letoff::test
