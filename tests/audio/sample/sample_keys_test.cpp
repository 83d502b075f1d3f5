// What the strings say about the keys that samples play, as it is heard.
#include "audio/sample/sample_keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/string/string_design.h"
#include "tests/audio/sample/played_piano.h"
#include "tests/support/spectrum.h"

namespace letoff::audio {
namespace {

using test::Played;

constexpr int kA4 = 48, kC4 = 39;

TEST(SampleKeys, WeightsAreTheStringsOwn) {
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    const auto weights = sample_keys(*strings).damper_weight;
    EXPECT_GT(weights[kC4], 0.1);
    EXPECT_LT(weights[kC4], 1);
    EXPECT_LT(weights[0], weights[kC4]) << "a heavy bass string gives its felt more to stop";
}

double sampled_hz(const core::StringDesign& design, int key) {
    const auto strings = std::make_unique<core::StringSet>(core::design_strings(design));
    Played played({}, 48000, sample_keys(*strings));
    played.piano->strike(key, 2.8);
    const double about_hz = strings->notes[static_cast<std::size_t>(key)].f1_target_hz;
    return letoff::test::partial_hz(played.play(1.0), 48000, about_hz, 24000, 3000);
}

// The tiny SoundFont is in equal temperament; the factory's tuning leaves it there, but for A4 of 440.79 Hz.
// FluidSynth turns by whole cents.
TEST(SampleKeys, FollowsTheTuningOfTheStrings) {
    constexpr int kE4 = 43, kA5 = 60;
    const double a4_hz = core::tuned_hz({}, kA4);
    const auto equal_hz = [](int key, double a4) { return a4 * std::exp2((key - kA4) / 12.0); };
    const auto expect = [&](const char* what, const core::StringDesign& design, int key, double hz) {
        EXPECT_NEAR(1200 * std::log2(sampled_hz(design, key) / hz), 0, 0.6) << what;
    };
    expect("factory's", {}, kA4, a4_hz);
    expect("factory's stretch is the samples' own", {}, kA5, equal_hz(kA5, a4_hz));
    core::StringDesign design;
    design.tuning.a4_hz = 442;
    expect("A4", design, kA4, 442);
    expect("A4", design, kC4, equal_hz(kC4, 442));
    design = {};
    design.tuning.a4_hz = 440;
    design.tuning.temperament = core::Temperament::kMeantone;
    // The fifth A-E is a quarter comma narrow; the third C-E is pure.
    expect("meantone", design, kE4, equal_hz(kE4, 440) * std::exp2(-3.422 / 1200));
    expect("meantone", design, kC4, equal_hz(kE4, 440) * std::exp2(-3.422 / 1200) / 1.25);
    design = {};
    design.tuning.note_cents[kE4] = -37;
    expect("a note of its own", design, kE4, equal_hz(kE4, a4_hz) * std::exp2(-37.0 / 1200));
    expect("and no other", design, kC4, equal_hz(kC4, a4_hz));
    design = {};
    design.tuning.scale_cents[kE4] = 250;  // as a Scala file has it
    expect("Scala", design, kE4, equal_hz(kE4, a4_hz) * std::exp2(250.0 / 1200));
}

TEST(SampleKeys, AKeyThatAScaleLeavesOutIsSilent) {
    core::StringDesign design;
    design.tuning.silent[kC4] = true;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings(design));
    Played played({}, 48000, sample_keys(*strings));
    played.piano->strike(kC4, 2.8);
    EXPECT_LT(played.level_dB(0.2), -200);
    EXPECT_EQ(played.piano->voices(), 0);
}

// K v^(p - 1) is what makes the tone: a felt of 0.6 K at 3 m/s sounds as the whole felt at that speed.
TEST(SampleKeys, ABlowOfTheSoftPedalSoundsAsTheSlowerOneOfItsTone) {
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    const SampleKeys keys = sample_keys(*strings);
    const double slower_mps = keys.speed_of_tone_mps(kC4, 3, 0.6);
    const double p = strings->notes[kC4].hammer_p;
    EXPECT_NEAR(0.6 * std::pow(3, p - 1), std::pow(slower_mps, p - 1), 1e-9);
    EXPECT_LT(slower_mps, 2.4);
    EXPECT_EQ(keys.speed_of_tone_mps(kC4, 3, 1), 3);
    const auto level_dB = [&](double speed_mps, const SampledPiano::Softness& soft) {
        Played played({}, 48000, keys);
        played.piano->strike(kC4, speed_mps, soft);
        (void)played.play(0.02);
        return played.level_dB(0.2);
    };
    EXPECT_NEAR(level_dB(3, {1, 0.6}), level_dB(slower_mps, {}), 0.05);
    EXPECT_LT(level_dB(3, {1, 0.6}), level_dB(3, {}) - 1);
    EXPECT_NEAR(level_dB(3, {0.8, 1}), level_dB(3, {}) + 20 * std::log10(0.8), 0.1);
}

}  // namespace
}  // namespace letoff::audio
