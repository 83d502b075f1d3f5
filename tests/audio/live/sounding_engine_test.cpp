// Another piano under the same hands: the strings are tuned or voiced anew while it plays.
#include "audio/live/sounding_engine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/audio/live/virtual_play.h"

namespace letoff::audio {
namespace {

using test::PlaySetting;
using test::VirtualPlay;

constexpr int kC4 = 39, kA4 = 48, kRate_hz = 48000;
constexpr double kReplaced_s = 0.4;

const core::StringSet& a_semitone_higher() {
    static const auto set = [] {
        core::StringDesign design;
        design.tuning.a4_hz = 466;
        return std::make_unique<core::StringSet>(core::design_strings(design));
    }();
    return *set;
}

/// C4 is struck and held; A4 is struck when the first has rung out.
struct Played : VirtualPlay {
    Played() : VirtualPlay(PlaySetting{}) { strokes = {{kC4, 0.06, 2e-3, 20}, {kA4, 1.6, 2e-3, 20}}; }
};

double share_at(const std::vector<float>& sound, std::size_t from, double hz) {
    double re = 0, im = 0, all = 0;
    for (std::size_t n = from; n < sound.size(); ++n) {
        const double phase = 2 * core::kPi * hz * static_cast<double>(n) / kRate_hz, y = static_cast<double>(sound[n]);
        re += y * std::cos(phase);
        im += y * std::sin(phase);
        all += y * y;
    }
    return 2 * (re * re + im * im) / (static_cast<double>(sound.size() - from) * all);
}

TEST(SoundingEngine, WhatRingsIsFadedOutAndTheNextNoteIsTheNewPianos) {
    Played still, turned;
    still.play_until(2.2);
    turned.play_until(kReplaced_s);
    const std::size_t replaced = turned.left.size();
    auto next = turned.live().make_engine(a_semitone_higher(), {});
    ASSERT_TRUE(next.ok()) << next.error();
    turned.live().replace(std::move(next.value()), 0);
    turned.play_until(2.2);
    ASSERT_EQ(still.left.size(), turned.left.size());

    const auto rings_out = static_cast<std::size_t>(SoundingEngine::kRingsOut_s * kRate_hz);
    float loudest = 0;
    for (std::size_t n = 0; n < replaced + rings_out; ++n) {
        const double gain = n < replaced ? 1 : 1 - static_cast<double>(n - replaced) / static_cast<double>(rings_out);
        if (n >= replaced) loudest = std::max(loudest, std::abs(still.left[n]));
        ASSERT_NEAR(turned.left[n], gain * static_cast<double>(still.left[n]), 1e-7) << n;
    }
    EXPECT_GT(loudest, 1e-3) << "it was still ringing";

    const auto struck = static_cast<std::size_t>((1.6 - 0.05 + still.delay_s()) * kRate_hz);
    for (std::size_t n = replaced + rings_out; n + 96 < struck; ++n) ASSERT_EQ(turned.left[n], 0) << n;
    EXPECT_GT(share_at(turned.left, struck, 466.0), 20 * share_at(turned.left, struck, 440.8));
    EXPECT_GT(share_at(still.left, struck, 440.8), 20 * share_at(still.left, struck, 466.0)) << "as it was";
    EXPECT_EQ(turned.faults().errors(), 0u);
}

TEST(SoundingEngine, ABlowIsNotHalfOfOnePianoAndHalfOfAnother) {
    SoundConfig config;
    config.samples_per_chunk = 16;
    const auto engine = [&] {
        return std::make_unique<SoundEngine>(std::move(SoundEngine::create(test::piano(), config).value()));
    };
    SoundingEngine sounding(engine(), kRate_hz);
    EXPECT_FALSE(sounding.begin_block(false)) << "nothing was wanted";
    auto next = engine();
    const SoundEngine* second = next.get();
    sounding.replace(std::move(next));
    EXPECT_FALSE(sounding.begin_block(true));
    EXPECT_NE(&sounding.present(), second);
    EXPECT_TRUE(sounding.begin_block(false));
    EXPECT_EQ(&sounding.present(), second);
    // The next but one waits until the first has rung out.
    sounding.replace(engine());
    const std::array<double, core::kKeyCount> lifted{};
    std::array<float, 16> left{}, right{};
    const core::SoundFrame frame{0, 4000, {}, lifted};
    int blocks = 0;
    for (; !sounding.begin_block(false) && blocks < 4000; ++blocks) sounding.render(frame, left, right);
    EXPECT_EQ(blocks, static_cast<int>(SoundingEngine::kRingsOut_s * kRate_hz / 16));
    EXPECT_NE(&sounding.present(), second);
}

}  // namespace
}  // namespace letoff::audio
