#include "audio/sample/sampled_piano.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/midi/velocity.h"
#include "core/string/string_design.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_soundfont.h"
#include "tests/system/spectrum.h"

namespace letoff::audio {
namespace {

constexpr int kA4 = 48, kC4 = 39;

SampleKeys even_keys(double damper_weight) {
    SampleKeys keys;
    keys.damper_weight.fill(damper_weight);
    return keys;
}

/// A piano of the tiny SoundFont, and what it has played.
struct Played {
    explicit Played(const test::TinySoundfont& font = {}, int rate = 48000, const SampleKeys& keys = even_keys(0.5))
        : rate_hz(rate) {
        piano =
            std::move(SampledPiano::load(folder.write("tiny.sf2", test::soundfont_bytes(font)), rate, keys).value());
    }
    /// Plays on; the sound of it.
    std::vector<float> play(double seconds) {
        std::vector<float> left(static_cast<std::size_t>(seconds * rate_hz)), right(left.size());
        piano->render(left, right);
        return left;
    }
    double level_dB(double seconds) { return dB(play(seconds)); }
    static double dB(const std::vector<float>& sound) {
        double sum = 0;
        for (const float sample : sound) sum += static_cast<double>(sample) * sample;
        return 10 * std::log10(sum / static_cast<double>(sound.size()) + 1e-30);
    }

    test::TempDir folder;
    int rate_hz;
    std::unique_ptr<SampledPiano> piano;
};

TEST(SampledPiano, A4Is440HzAtEveryRate) {
    for (const int rate_hz : {44100, 48000, 88200, 96000, 176400, 192000}) {
        Played played({}, rate_hz);
        played.piano->strike(kA4, 2.8);
        const auto sound = played.play(1.0);
        ASSERT_GT(Played::dB(sound), -60) << rate_hz;
        const auto window = static_cast<std::size_t>(rate_hz / 2);
        EXPECT_NEAR(test::partial_hz(sound, rate_hz, 440, window, window / 8), 440, 0.05) << rate_hz;
    }
}

TEST(SampledPiano, C4MezzoforteHasTheLevelOfTheStringsWhateverTheSoundFont) {
    for (const int attenuation_cB : {0, 200}) {
        Played played({.attenuation_cB = attenuation_cB});
        played.piano->strike(kC4, 2.8);
        EXPECT_NEAR(played.level_dB(0.5), 20 * std::log10(0.0193), 0.5) << attenuation_cB;
    }
}

// SF2's default: 40 dB a decade of velocity, and steps finer than one of 127. FluidSynth's own are 0.1 dB.
TEST(SampledPiano, LevelFollowsTheHammerSpeedFinerThanSevenBits) {
    Played played;
    const auto level_dB = [&](double midi_velocity) {
        played.piano->strike(kA4, core::speed_mps_of_midi_velocity(midi_velocity));
        (void)played.play(0.02);
        const double level = played.level_dB(0.2);
        played.piano->silence();
        return level;
    };
    const double at_100 = level_dB(100);
    for (const double velocity : {1.0, 5.25, 20.0, 40.5, 64.25, 64.5, 64.75, 65.0, 99.9, 127.0})
        EXPECT_NEAR(level_dB(velocity) - at_100, 40 * std::log10(velocity / 100), 0.15) << velocity;
}

TEST(SampledPiano, ADamperTakesAsMuchAsItsDecaySays) {
    for (const double loss_1ps : {5.0, 40.0, 150.0}) {
        Played played;
        played.piano->strike(kA4, 2.8);
        (void)played.play(0.2);
        played.piano->damp(kA4, loss_1ps);
        (void)played.play(0.01);
        const double before = played.level_dB(0.01);
        const double time_s = 10 / (0.5 * loss_1ps * 8.686);  // 10 dB
        (void)played.play(time_s - 0.01);
        EXPECT_NEAR(played.level_dB(0.01) - before, -10, 1) << loss_1ps;
    }
}

TEST(SampledPiano, APedalCatchesANoteThatIsBeingDamped) {
    Played played;
    played.piano->strike(kA4, 2.8);
    const double held = (played.play(0.1), played.level_dB(0.05));
    played.piano->damp(kA4, 100);
    (void)played.play(0.03);
    played.piano->damp(kA4, 0);
    const double caught = (played.play(0.01), played.level_dB(0.05));
    EXPECT_NEAR(caught - held, -0.03 * 50 * 8.686, 2);
    EXPECT_NEAR(played.level_dB(0.5) - caught, 0, 1) << "and then rings on";
    played.piano->damp(kA4, 290);
    (void)played.play(0.5);
    EXPECT_EQ(played.piano->voices(), 0);
}

TEST(SampledPiano, AHalfPressedDamperDampsMoreSlowlyTheLessItIsPressed) {
    double before = 0;
    for (const double loss_1ps : {0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 290.0}) {
        Played played;
        played.piano->strike(kA4, 2.8);
        (void)played.play(0.1);
        played.piano->damp(kA4, loss_1ps);
        (void)played.play(0.1);
        const double level = played.level_dB(0.05);
        EXPECT_LT(level, before) << loss_1ps;
        before = level - 0.3;
    }
}

// Field case 1: under the pedal an earlier stroke rings on. Two equal strokes add up to between one and two of them.
TEST(SampledPiano, AStrikeDoesNotEndWhatRingsOfItsKey) {
    Played played;
    played.piano->strike(kA4, 5);
    (void)played.play(0.5);
    const double loud = played.level_dB(0.05);
    ASSERT_GT(loud, -60);
    played.piano->strike(kA4, 0.4);  // 20 dB softer: whoever cuts the earlier ring loses them
    (void)played.play(0.1);
    EXPECT_GT(played.level_dB(0.05), loud - 1.5);
}

// Field case 56: no voice is stolen; a key that is hammered fades out its oldest stroke without a click.
TEST(SampledPiano, AGlissandoUnderThePedalAndAChordAreAllHeard) {
    Played played;
    for (int key = 0; key < core::kKeyCount; ++key) {
        played.piano->strike(key, 1.0);
        (void)played.play(0.005);
    }
    EXPECT_EQ(played.piano->voices(), core::kKeyCount);
    for (const int key : {39, 43, 46}) played.piano->strike(key, 5);
    (void)played.play(0.01);
    EXPECT_EQ(played.piano->voices(), core::kKeyCount + 3);
}

TEST(SampledPiano, TheOldestOfManyStrikesOfAKeyFadesWithoutAClick) {
    Played played;
    for (int i = 0; i < 12; ++i) {
        played.piano->strike(kA4, 1.0);
        const auto sound = played.play(0.1);
        // A sine of 440 Hz and size a moves by less than 2 pi 440 a / rate from one sample to the next.
        float largest = 0, jump = 0;
        for (std::size_t k = 1; k < sound.size(); ++k) {
            largest = std::max(largest, std::abs(sound[k]));
            jump = std::max(jump, std::abs(sound[k] - sound[k - 1]));
        }
        EXPECT_LT(jump, 1.5F * 0.0576F * largest) << i;
        EXPECT_LE(played.piano->voices(), SampledPiano::kRingingStrikes + 1);
    }
    EXPECT_EQ(played.piano->voices(), SampledPiano::kRingingStrikes);
}

TEST(SampledPiano, SilenceEndsEverythingAndANewStrikeSoundsAsTheFirst) {
    Played played;
    const auto strike = [&] {
        played.piano->strike(kA4, 2.8);
        return played.play(0.1);
    };
    const auto first = strike();
    played.piano->damp(kA4, 3);
    played.piano->silence();
    EXPECT_EQ(played.piano->voices(), 0);
    played.piano->damp(kA4, 0);
    const auto quiet = played.play(0.01);
    EXPECT_EQ(*std::max_element(quiet.begin(), quiet.end()), 0);
    played.piano->silence();
    EXPECT_EQ(strike(), first);
}

// A hammer that meets strings on which the damper lies a little: they sound, and are damped.
TEST(SampledPiano, AStrikeUnderAHalfPressedDamperSounds) {
    Played played;
    played.piano->damp(kA4, 5);
    played.piano->strike(kA4, 2.8);
    (void)played.play(0.01);
    const double at_first = played.level_dB(0.05);
    EXPECT_GT(at_first, -40);
    (void)played.play(0.45);
    EXPECT_NEAR(played.level_dB(0.05) - at_first, -0.5 * 2.5 * 8.686, 1);
}

TEST(SampledPiano, TwoPianosGiveTheSameBits) {
    const auto sound = [] {
        Played played({.decay_s = 2});
        std::vector<float> all;
        for (int i = 0; i < 40; ++i) {
            played.piano->strike(20 + i, 0.3 + 0.1 * i);
            if (i > 3) played.piano->damp(16 + i, 2.0 * i);
            const auto part = played.play(0.013);
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    };
    const auto first = sound();
    EXPECT_EQ(first, sound());
    EXPECT_GT(*std::max_element(first.begin(), first.end()), 0.01F);
}

TEST(SampledPiano, TheFirstInstrumentOfAnyBankWillDo) {
    Played played({.bank = 3, .preset = 17});
    played.piano->strike(kA4, 2.8);
    EXPECT_GT(played.level_dB(0.1), -60);
}

TEST(SampledPiano, WhatIsNoSoundFontIsOneSentence) {
    const test::TempDir folder;
    const auto refused = [&](const std::string& file) {
        const auto piano = SampledPiano::load(file, 48000, even_keys(0.5));
        EXPECT_FALSE(piano.ok()) << file;
        return piano.ok() ? std::string() : piano.error();
    };
    const std::string missing = folder.path() / "missing.sf2";
    EXPECT_EQ(refused(missing), "cannot play the samples of '" + missing + "': there is no such file");
    EXPECT_EQ(refused(folder.path()), "cannot play the samples of '" + folder.path().string() + "': it is no file");
    const std::string text =
        folder.write("text.sf2", "not a SoundFont at all, but long enough for one to be looked for in it");
    EXPECT_EQ(refused(text), "cannot play the samples of '" + text + "': it is not a SoundFont (.sf2 or .sf3)");
    // Cut off anywhere: refused, never a crash.
    const std::string whole = test::soundfont_bytes();
    for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
        const std::string cut = folder.write("cut.sf2", whole.substr(0, size));
        EXPECT_NE(refused(cut).find(cut), std::string::npos) << size;
    }
}

TEST(SampledPiano, WeightsAreTheStringsOwn) {
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
    return test::partial_hz(played.play(1.0), 48000, about_hz, 24000, 3000);
}

// The tiny SoundFont is in equal temperament; the factory's tuning leaves it there, but for A4 of 440.79 Hz.
// FluidSynth turns by whole cents.
TEST(SampledPiano, FollowsTheTuningOfTheStrings) {
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

TEST(SampledPiano, AKeyThatAScaleLeavesOutIsSilent) {
    core::StringDesign design;
    design.tuning.silent[kC4] = true;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings(design));
    Played played({}, 48000, sample_keys(*strings));
    played.piano->strike(kC4, 2.8);
    EXPECT_LT(played.level_dB(0.2), -200);
    EXPECT_EQ(played.piano->voices(), 0);
}

// K v^(p - 1) is what makes the tone: a felt of 0.6 K at 3 m/s sounds as the whole felt at that speed.
TEST(SampledPiano, ABlowOfTheSoftPedalSoundsAsTheSlowerOneOfItsTone) {
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
