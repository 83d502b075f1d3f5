// What is heard of the action itself: keybed and sound together, with its noises and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "keyboard/gesture/habits.h"
#include "keyboard/keybed/keybed.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "ui/app/offline_sound.h"

namespace letoff::ui {
namespace {

constexpr int kC4 = 39, kTick_hz = 4000;
using core::NoiseKind;

struct Sound {
    std::vector<float> left;
    double power_dB(double from_s, double to_s) const {
        double sum = 0;
        const auto begin = static_cast<std::size_t>(from_s * 48000), end = static_cast<std::size_t>(to_s * 48000);
        for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(left[i]) * left[i];
        return 10 * std::log10(sum / static_cast<double>(end - begin) + 1e-20);
    }
};

using Act = std::function<void(keyboard::Keybed&, int tick)>;

/// Noises at percents of their natural levels, by NoiseKind.
using Percents = std::array<double, core::kNoiseKinds>;

Sound play(const Percents& noises, double seconds, const Act& act, double resonance) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), kTick_hz, *executor);
    keybed.settle();
    audio::SoundValues values;
    values.of[audio::sound_row("string_resonance_percent")] = 100 * resonance;
    std::copy(noises.begin(), noises.end(), values.of.begin() + audio::sound_row("key_bottom_noise_percent"));
    auto engine = std::move(audio::SoundEngine::create(keyboard::piano_strings(),
                                                       {.ticks_at_once = OfflineSound::kFramesAtOnce, .values = values})
                                .value());
    Sound heard;
    OfflineSound sound(engine, {.tick_hz = kTick_hz}, [&](std::span<const float> left, std::span<const float>) {
        heard.left.insert(heard.left.end(), left.begin(), left.end());
    });
    for (int tick = 0; tick < static_cast<int>(seconds * kTick_hz); ++tick) {
        act(keybed, tick);
        keybed.tick(&sound, nullptr);
    }
    sound.finish();
    return heard;
}

/// What one kind of noise adds, natural level.
Sound noise_of(NoiseKind kind, double seconds, const Act& act, double resonance = 1) {
    Percents noises{};
    Sound without = play(noises, seconds, act, resonance);
    noises[static_cast<std::size_t>(kind)] = 100;
    Sound with = play(noises, seconds, act, resonance);
    for (std::size_t i = 0; i < with.left.size(); ++i) with.left[i] -= without.left[i];
    return with;
}

void press_and_lift(keyboard::Keybed& keybed, int tick) {
    if (tick == 400) keybed.press(kC4, keybed.now_s(), 12);  // mf
    if (tick == 2400) keybed.lift(kC4, keybed.now_s(), 0.2);
}

TEST(ActionNoise, TheKeyBottomLiesThirtyDecibelsBelowTheNoteAndComesAtTheBottom) {
    const Sound note = play({}, 1, press_and_lift, 1), thump = noise_of(NoiseKind::key_bottom, 1, press_and_lift);
    EXPECT_NEAR(thump.power_dB(0.1, 0.3) - note.power_dB(0.1, 0.3), -30, 5);
    EXPECT_LT(thump.power_dB(0, 0.14), -115);                               // the key is on its way
    EXPECT_GT(thump.power_dB(0.14, 0.17), thump.power_dB(0.5, 0.59) + 30);  // held: silent
}

TEST(ActionNoise, ReleaseIsHeardOfKeyHammerAndDamper) {
    for (const NoiseKind kind : {NoiseKind::key_return, NoiseKind::hammer_return, NoiseKind::damper}) {
        const Sound noise = noise_of(kind, 1, press_and_lift);
        EXPECT_GT(noise.power_dB(0.6, 0.8), -100) << static_cast<int>(kind);
        EXPECT_LT(noise.power_dB(0, 0.1), -150) << static_cast<int>(kind);  // nothing moved yet
    }
}

// field_cases.md, case 10: a pedal that trembles at its end must not go on knocking.
TEST(ActionNoise, ATremblingPedalDoesNotKnockAgain) {
    double meant = 0;
    const auto pedal = [&](keyboard::Keybed& keybed, int tick) {
        const bool high = tick / 20 % 2 == 0;  // 100 Hz
        if (tick == 0) meant = 0;
        meant = keyboard::pedal_meant(meant, tick < 400 ? 0 : tick < 800 || high ? 1 : 126.0 / 127);
        keybed.set_tray(keyboard::pedal_moved(keybed.tray_share(), meant, 1.0 / kTick_hz));
    };
    // Without resonance: 88 open strings would ring on from the first stroke for seconds.
    const Sound noise = noise_of(NoiseKind::pedal, 1.2, pedal, 0);
    const double stroke_dB = noise.power_dB(0.1, 0.25);
    EXPECT_GT(stroke_dB, -80);
    EXPECT_LT(stroke_dB, -55);  // of an mf note -37
    EXPECT_LT(noise.power_dB(0.6, 1.2), stroke_dB - 20);
}

}  // namespace
}  // namespace letoff::ui
