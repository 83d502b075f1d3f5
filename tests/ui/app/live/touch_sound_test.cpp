// What is heard when all keys turn into another touch while a chord is held or struck: nothing of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "keyboard/keybed/key_mechanics.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "ui/app/offline_sound.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

constexpr int kTick_hz = 4000, kRate_hz = 48000;
constexpr double kPressed_s = 0.1, kEnd_s = 1.0;

/// The profiles that a player may choose while the concert grand is held.
const char* const kOthers[] = {"small-grand", "heavy-practice", "light-salon", "worn"};

std::unique_ptr<keyboard::KeybedTouch> touch_named(const std::string& profile) {
    const auto found = factory_profile(profile);
    EXPECT_TRUE(found.has_value()) << profile;
    const Touch made = found ? touch_of(*found).value() : Touch{};
    auto touch = std::make_unique<keyboard::KeybedTouch>();
    touch->version = 1;
    for (const keyboard::KeyBuild& key :
         keyboard::grand_keys(keyboard::piano_strings(), 0, core::kKeyCount, made.grand))
        touch->keys.push_back(keyboard::key_touch(key, 1));
    return touch;
}

struct Heard {
    std::vector<float> left;
    std::size_t strikes = 0;
    double peak = 0;
};

/// A chord of eight over the keyboard, held; at turn_s another profile comes ("": none). Strings and dampers only: what
/// the springs of 88 keys do to the case while they turn is held below.
Heard play(const std::string& profile, double turn_s, bool noises = false) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), kTick_hz, *executor);
    keybed.settle();
    audio::SoundValues values;
    if (!noises) std::fill_n(values.of.begin() + audio::sound_row("key_bottom_noise_percent"), core::kNoiseKinds, 0.0);
    auto engine =
        std::move(audio::SoundEngine::create(keyboard::piano_strings(), {.sample_rate_hz = kRate_hz,
                                                                         .tick_hz = kTick_hz,
                                                                         .ticks_at_once = OfflineSound::kFramesAtOnce,
                                                                         .values = values})
                      .value());
    Heard heard;
    OfflineSound sound(engine, {.sample_rate_hz = kRate_hz, .tick_hz = kTick_hz},
                       [&](std::span<const float> left, std::span<const float>) {
                           heard.left.insert(heard.left.end(), left.begin(), left.end());
                       });
    keyboard::KeptEvents events;
    const auto touch = profile.empty() ? nullptr : touch_named(profile);
    for (int tick = 0; tick < static_cast<int>(kEnd_s * kTick_hz); ++tick) {
        if (tick == static_cast<int>(kPressed_s * kTick_hz)) {
            for (int i = 0; i < 8; ++i) keybed.press(5 + 11 * i, keybed.now_s(), 12);
        }
        if (touch && tick == static_cast<int>(turn_s * kTick_hz)) keybed.take_touch(*touch);
        keybed.tick(&sound, &events);
    }
    sound.finish();
    heard.strikes = events.strikes.size();
    for (const float sample : heard.left) heard.peak = std::max(heard.peak, std::abs(static_cast<double>(sample)));
    return heard;
}

double decibel(double amplitude_ratio) {
    return 20 * std::log10(std::max(amplitude_ratio, 1e-20));
}

/// Largest second difference from a time on: a click is a step, and that is a step's height.
double sharpest(const std::vector<float>& sound, double from_s) {
    double most = 0;
    for (auto n = static_cast<std::size_t>(from_s * kRate_hz) + 2; n < sound.size(); ++n) {
        const double bend =
            static_cast<double>(sound[n]) - 2.0 * static_cast<double>(sound[n - 1]) + static_cast<double>(sound[n - 2]);
        most = std::max(most, std::abs(bend));
    }
    return most;
}

TEST(TouchSound, AHeldChordRingsOnAsIfNothingHadHappened) {
    const Heard still = play("", 0);
    ASSERT_EQ(still.strikes, 8u);
    ASSERT_GT(still.peak, 0.01);
    ASSERT_GT(sharpest(still.left, 0.9), 0) << "it still rings";
    for (const char* profile : kOthers) {
        const Heard turned = play(profile, 0.4);
        EXPECT_EQ(turned.strikes, 8u) << profile;
        ASSERT_EQ(still.left.size(), turned.left.size());
        double most = 0;
        for (std::size_t n = 0; n < still.left.size(); ++n)
            most = std::max(most, std::abs(static_cast<double>(still.left[n]) - static_cast<double>(turned.left[n])));
        EXPECT_LT(decibel(most / still.peak), -90) << profile << ", below the chord's peak";
    }
}

// Fingers go down, hammers fly and touch while the keys turn: another blow, but no sharper one than a blow is.
TEST(TouchSound, WhatTurnsInTheActionsIsFarBelowTheChord) {
    const Heard still = play("", 0, true);
    for (const char* profile : kOthers) {
        const Heard turned = play(profile, 0.4, true);
        double most = 0;
        for (std::size_t n = 0; n < still.left.size(); ++n)
            most = std::max(most, std::abs(static_cast<double>(turned.left[n]) - static_cast<double>(still.left[n])));
        EXPECT_LT(decibel(most / still.peak), -70) << profile;
    }
}

TEST(TouchSound, AChordThatIsStruckMeanwhileSoundsOnceAndWithoutAClick) {
    const double sharp = sharpest(play("", 0).left, 0);
    for (const char* profile : kOthers) {
        for (const double turn_s : {kPressed_s - 0.05, kPressed_s + 0.04}) {
            const Heard turned = play(profile, turn_s);
            EXPECT_EQ(turned.strikes, 8u) << profile << " " << turn_s;
            EXPECT_LT(decibel(sharpest(turned.left, 0) / sharp), 6) << profile << " " << turn_s;
            EXPECT_GT(turned.peak, 0.01) << profile << " " << turn_s;
        }
    }
}

}  // namespace
}  // namespace letoff::ui
