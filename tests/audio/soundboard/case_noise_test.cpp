#include "audio/soundboard/case_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace letoff::audio {
namespace {

core::CaseForces bottom(double bass_N, double treble_N) {
    core::CaseForces forces;
    forces.bass_N[static_cast<std::size_t>(core::NoiseKind::key_bottom)] = bass_N;
    forces.treble_N[static_cast<std::size_t>(core::NoiseKind::key_bottom)] = treble_N;
    return forces;
}

struct Ends {
    std::vector<float> bass, treble;
    int silent_ticks = 0;
};

Ends render(CaseNoise& noise, const std::vector<core::CaseForces>& ticks) {
    Ends out;
    std::vector<float> bass(12), treble(12);
    for (const core::CaseForces& forces : ticks) {
        std::fill(bass.begin(), bass.end(), 0.0F);
        std::fill(treble.begin(), treble.end(), 0.0F);
        if (!noise.render(forces, bass, treble)) ++out.silent_ticks;
        out.bass.insert(out.bass.end(), bass.begin(), bass.end());
        out.treble.insert(out.treble.end(), treble.begin(), treble.end());
    }
    return out;
}

TEST(CaseNoise, WhatRestsOnItsFeltsIsSilentFromTheFirstTick) {
    CaseNoise noise(kNaturalNoise, 48000);
    EXPECT_EQ(render(noise, std::vector<core::CaseForces>(100, bottom(400, 300))).silent_ticks, 100);
}

TEST(CaseNoise, AForceIsTakenStraightBetweenTicksAtTheEndWhereItActs) {
    CaseNoise noise(kNaturalNoise, 48000);
    const Ends heard = render(noise, {bottom(0, 0), bottom(12, 0), bottom(0, 0)});
    for (size_t s = 0; s < 12; ++s) {
        EXPECT_EQ(heard.bass[s], 0);
        // 0.15 of the force, less its slow mean: half of 2 pi 15 Hz x 0.25 ms, 1.2 % of the peak, then 2.4 %.
        EXPECT_NEAR(heard.bass[12 + s], 0.15 * static_cast<double>(s + 1), 0.013 * 0.15 * 12);
        EXPECT_NEAR(heard.bass[24 + s], 0.15 * static_cast<double>(11 - s), 0.03 * 0.15 * 12);
        EXPECT_EQ(heard.treble[12 + s], 0);
    }
}

TEST(CaseNoise, AHeldKeyFallsSilentAndStaysSo) {
    CaseNoise noise(kNaturalNoise, 48000);
    render(noise, {bottom(0, 0)});
    const Ends heard = render(noise, std::vector<core::CaseForces>(4000, bottom(5, 5)));
    EXPECT_GT(heard.silent_ticks, 3000);  // 1e-7 of 0.75 N takes 0.17 s at 15 Hz
    EXPECT_EQ(heard.bass.back(), 0);
}

TEST(CaseNoise, EachKindHasItsLevel) {
    for (std::size_t kind = 0; kind < core::kNoiseKinds; ++kind) {
        NoiseLevels levels = kNaturalNoise;
        levels[kind] = 2;
        core::CaseForces forces;
        forces.treble_N.fill(1);
        CaseNoise natural(kNaturalNoise, 48000), louder(levels, 48000);
        render(natural, {{}});
        render(louder, {{}});
        // Four times 0.15 and the damper's 0.05; the tray's 0.15 comes slower.
        const double ratio = render(louder, {forces}).treble.back() / render(natural, {forces}).treble.back();
        const std::array<double, core::kNoiseKinds> more{3.0 / 13, 3.0 / 13, 3.0 / 13, 3.0 / 13, 1.0 / 13, 0.004};
        EXPECT_NEAR(ratio, 1 + more[kind], 0.05 * more[kind]) << kind;
        levels.fill(0);
        CaseNoise off(levels, 48000);
        render(off, {{}});
        EXPECT_EQ(render(off, {forces}).silent_ticks, 1);
    }
}

}  // namespace
}  // namespace letoff::audio
