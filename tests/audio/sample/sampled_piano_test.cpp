#include "audio/sample/sampled_piano.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/midi/velocity.h"
#include "tests/audio/sample/played_piano.h"
#include "tests/support/spectrum.h"

namespace letoff::audio {
namespace {

using test::even_keys;
using test::Played;

constexpr int kA4 = 48, kC4 = 39;

TEST(SampledPiano, A4Is440HzAtEveryRate) {
    for (const int rate_hz : {44100, 48000, 88200, 96000, 176400, 192000}) {
        Played played({}, rate_hz);
        played.piano->strike(kA4, 2.8);
        const auto sound = played.play(1.0);
        ASSERT_GT(Played::dB(sound), -60) << rate_hz;
        const auto window = static_cast<std::size_t>(rate_hz / 2);
        EXPECT_NEAR(letoff::test::partial_hz(sound, rate_hz, 440, window, window / 8), 440, 0.05) << rate_hz;
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
    const letoff::test::TempDir folder;
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
    const std::string whole = letoff::test::soundfont_bytes();
    for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
        const std::string cut = folder.write("cut.sf2", whole.substr(0, size));
        EXPECT_NE(refused(cut).find(cut), std::string::npos) << size;
    }
}

}  // namespace
}  // namespace letoff::audio
