#include "audio/sound_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/unit/constants.h"
#include "tests/audio/factory_strings.h"

namespace letoff::audio {
namespace {

using test::piano;

// Half sines of 2 ms on the given keys at the first tick, dampers down from damper_tick on; left and right follow each
// other in the result.
std::vector<float> play(SoundEngine& engine, const std::vector<int>& keys, double peak_N, int ticks, int damper_tick,
                        core::Executor* executor = nullptr) {
    std::vector<float> out, left(static_cast<size_t>(engine.samples_per_tick())), right(left.size());
    std::array<double, core::kKeyCount> compression_m{};
    for (int i = 0; i < ticks; ++i) {
        std::vector<core::StringForce> forces;
        for (const int key : keys) {
            if (i >= 8) break;
            core::StringForce force;
            force.key_index = key;
            force.count = 24;
            for (int g = 0; g < 24; ++g)
                force.force_N[static_cast<size_t>(g)] = peak_N * std::sin(core::kPi * (i * 24 + g + 0.5) / 192);
            forces.push_back(force);
        }
        if (i == damper_tick) compression_m.fill(0.3e-3);
        const core::SoundFrame frame{i, 4000, forces, compression_m};
        engine.render({&frame, 1}, left, right, executor);
        out.insert(out.end(), left.begin(), left.end());
        out.insert(out.end(), right.begin(), right.end());
    }
    return out;
}

double power(const std::vector<float>& x, size_t begin, size_t end) {
    double sum = 0;
    for (size_t i = begin; i < end; ++i) sum += static_cast<double>(x[i]) * x[i];
    return sum;
}

TEST(SoundEngine, SameBitsInlineAndOnAnyNumberOfThreads) {
    const std::vector<int> chord = {3, 20, 39, 43, 46, 60, 87};
    auto alone = SoundEngine::create(piano(), {});
    ASSERT_TRUE(alone.ok());
    const auto expected = play(alone.value(), chord, 20, 300, 150);
    for (const char* kind : {"inline", "tbb", "threads"}) {
        for (const int threads : {1, 2, 4}) {
            auto executor = core::make_executor(kind, threads);
            ASSERT_TRUE(executor.ok());
            auto engine = SoundEngine::create(piano(), {});
            EXPECT_EQ(play(engine.value(), chord, 20, 300, 150, executor.value().get()), expected) << kind << threads;
        }
    }
}

// Strings at rest are left alone; what is struck then sounds as what is struck at once, to the bit.
TEST(SoundEngine, AStrikeAfterRestSoundsAsOneAtTheStart) {
    auto rested = SoundEngine::create(piano(), {}), fresh = SoundEngine::create(piano(), {});
    ASSERT_TRUE(rested.ok());
    constexpr int kRest = 400, kMillisecond = 4;  // ticks; the bridge is foretold in stretches of one
    static_assert(kRest % kMillisecond == 0);
    const auto silence = play(rested.value(), {}, 0, kRest, -1);
    EXPECT_EQ(power(silence, 0, silence.size()), 0);
    EXPECT_EQ(play(rested.value(), {20, 43}, 20, 200, 100), play(fresh.value(), {20, 43}, 20, 200, 100));
    // Dampers that change while the strings rest are the dampers of the next strike.
    auto lifted = SoundEngine::create(piano(), {}), damped = SoundEngine::create(piano(), {});
    play(lifted.value(), {}, 0, kRest, kRest / 2);
    play(damped.value(), {}, 0, kRest, 0);
    EXPECT_EQ(play(lifted.value(), {43}, 20, 200, 0), play(damped.value(), {43}, 20, 200, 0));
}

TEST(SoundEngine, SameBitsHoweverTheTicksAreSplitIntoCalls) {
    constexpr std::size_t kTicks = 200;
    std::vector<core::StringForce> forces(kTicks);
    std::vector<std::array<double, core::kKeyCount>> compression_m(kTicks);
    std::vector<core::SoundFrame> frames;
    for (std::size_t t = 0; t < kTicks; ++t) {
        forces[t].key_index = t < 100 ? 39 : 43;
        forces[t].count = 24;
        for (std::size_t g = 0; g < 24; ++g)
            forces[t].force_N[g] = std::sin(0.01 * static_cast<double>(24 * t + g)) + 1;
        compression_m[t].fill(t > 60 ? 0.1e-3 : 0);
        const bool contact = t % 100 < 8;
        frames.push_back(
            {static_cast<std::int64_t>(t), 4000, std::span(forces).subspan(t, contact ? 1 : 0), compression_m[t]});
    }
    const auto rendered = [&](std::size_t at_once) {
        auto engine = SoundEngine::create(piano(), {.ticks_at_once = static_cast<int>(at_once)});
        std::vector<float> left(12 * kTicks), right(left.size());
        for (std::size_t t = 0; t < kTicks; t += at_once)
            engine.value().render(std::span(frames).subspan(t, std::min(at_once, kTicks - t)),
                                  std::span(left).subspan(12 * t, 12 * std::min(at_once, kTicks - t)),
                                  std::span(right).subspan(12 * t, 12 * std::min(at_once, kTicks - t)));
        left.insert(left.end(), right.begin(), right.end());
        return left;
    };
    const auto one_by_one = rendered(1);
    EXPECT_GT(*std::max_element(one_by_one.begin(), one_by_one.end()), 1e-4F);
    EXPECT_EQ(rendered(64), one_by_one);  // 64 does not divide 200: the last call is shorter
}

// Notes are summed in groups, and one that fell out of its group would not be missed in a chord.
TEST(SoundEngine, EveryKeyIsHeardAlone) {
    auto engine = SoundEngine::create(piano(), {});
    ASSERT_TRUE(engine.ok());
    for (int key = 0; key < core::kKeyCount; ++key) {
        engine.value().silence();
        const auto sound = play(engine.value(), {key}, 20, 24, 24);
        EXPECT_GT(power(sound, 0, sound.size()), 1e-6) << key;
    }
}

TEST(SoundEngine, FortissimoChordStaysUnderFullScaleAndIsMeasured) {
    auto engine = SoundEngine::create(piano(), {});
    ASSERT_TRUE(engine.ok());
    const auto out = play(engine.value(), {15, 27, 34, 39, 43, 46, 51, 55, 58, 63}, 110, 2000, 4000);
    float largest = 0;
    for (const float sample : out) largest = std::max(largest, std::abs(sample));
    EXPECT_GT(largest, 0.2F);
    EXPECT_LT(largest, 1.0F);
    EXPECT_EQ(engine.value().max_abs_sample(), largest);
}

TEST(SoundEngine, DamperStopsANoteAtARealPianosRate) {
    auto engine = SoundEngine::create(piano(), {});
    const auto out = play(engine.value(), {39}, 20, 2400, 800);
    const double before = power(out, 700 * 24, 800 * 24), after = power(out, 1500 * 24, 1600 * 24);
    const double rate_dBps = 10 * std::log10(before / after) / 0.2;
    EXPECT_GT(rate_dBps, 150);  // measured on pianos at C4: 290 on average, 500 in firm contact
    EXPECT_LT(rate_dBps, 600);
}

TEST(SoundEngine, SilenceIsExactZeroAtTheEnd) {
    auto engine = SoundEngine::create(piano(), {});
    const auto out = play(engine.value(), {39}, 20, 12000, 100);
    EXPECT_EQ(power(out, out.size() - 240, out.size()), 0);
    EXPECT_FALSE(engine.value().bank().sounding(39));
}

TEST(SoundEngine, RefusesRatesWithOneSentence) {
    SoundConfig config;
    config.sample_rate_hz = 22050;
    EXPECT_EQ(SoundEngine::create(piano(), config).error(),
              "sample rate 22050 Hz is not possible: 44100, 48000, 88200, 96000, 176400 or 192000 Hz are");
    config.sample_rate_hz = 44100;
    EXPECT_FALSE(SoundEngine::create(piano(), config).ok());
    config.samples_per_chunk = 16;
    EXPECT_TRUE(SoundEngine::create(piano(), config).ok());
}

}  // namespace
}  // namespace letoff::audio
