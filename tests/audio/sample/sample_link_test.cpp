// Samples beside the strings as live play joins them, on virtual time.
#include "audio/sample/sample_link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "audio/sample/sample_server.h"
#include "tests/audio/live/virtual_play.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_soundfont.h"

namespace letoff::audio {
namespace {

using core::Fault;
using test::PlaySetting;
using test::VirtualPlay;

constexpr int kA4 = 48;
constexpr double kPeriod_s = 64.0 / 48000;  // FluidSynth's

struct SampledPlay {
    explicit SampledPlay(int frames = 128, Engine engine = Engine::kSample, bool loaded = true) {
        SampleKeys keys;
        keys.damper_weight.fill(0.5);
        auto piano = SampledPiano::load(folder.write("tiny.sf2", letoff::test::soundfont_bytes()), 48000, keys);
        server = std::make_unique<SampleServer>(link, std::move(piano.value()));
        if (loaded) link.begin();
        PlaySetting setting;
        setting.frames = frames;
        setting.live.engine = engine;
        setting.live.samples = &link;
        play = std::make_unique<VirtualPlay>(setting);
        play->change = [this](std::int64_t tick, test::Tick& t) {
            t.damper_m.fill(damper_m);
            for (const core::Strike& strike : strikes) {
                if (static_cast<std::int64_t>(strike.strike_time_s * 4000) == tick) play->live().on_strike(strike);
            }
        };
        play->told = [this](std::int64_t) {
            while (serving && server->serve()) {
            }
            return true;
        };
    }
    void strike(double time_s, double speed_mps = 2.8) {
        core::Strike s;
        s.key_index = kA4;
        s.strike_time_s = time_s;
        s.hammer_speed_mps = speed_mps;
        strikes.push_back(s);
        play->strokes.push_back({kA4, time_s, 2e-3, 20});
    }
    /// When the device plays the first sample that is not silent after it plays from_s.
    double first_sound_s(double from_s) const {
        for (std::size_t i = 0; i < play->left.size(); ++i)
            if (play->time_of_sample_s(i) >= from_s && std::abs(play->left[i]) > 1e-7F)
                return play->time_of_sample_s(i);
        return 1e9;
    }
    float loudest(double from_s, double to_s) const {
        float loudest = 0;
        for (std::size_t i = 0; i < play->left.size(); ++i) {
            const double at_s = play->time_of_sample_s(i);
            if (at_s >= from_s && at_s < to_s) loudest = std::max(loudest, std::abs(play->left[i]));
        }
        return loudest;
    }

    letoff::test::TempDir folder;
    core::FaultCounters faults;
    SampleLink link{48000, 4000, 8192, faults};
    std::unique_ptr<SampleServer> server;
    std::vector<core::Strike> strikes;
    double damper_m = 0;
    bool serving = true;
    std::unique_ptr<VirtualPlay> play;
};

TEST(SampleLink, AStrikeIsHeardOneBlockLaterThanFromTheStringsAndAtMostAPeriodMore) {
    for (const int frames : {16, 100, 128, 1024}) {
        SampledPlay sampled(frames);
        sampled.strike(0.3);
        sampled.play->play_until(0.5);
        const double late_s = sampled.first_sound_s(0) - 0.3 - sampled.play->delay_s() - sampled.play->block_s();
        EXPECT_GT(late_s, -1.0 / 48000) << frames;
        EXPECT_LT(late_s, kPeriod_s + 3.0 / 48000) << frames;
        EXPECT_EQ(sampled.faults.count(Fault::kSamplesLate), 0u) << frames;
    }
}

TEST(SampleLink, TheStringsPlayUntilTheSamplesAreLoadedAndNotAfter) {
    SampledPlay sampled(128, Engine::kSample, false);
    sampled.strike(0.1);
    sampled.play->play_until(0.2);
    const double ringing_J = sampled.play->live().engine().bank().energy_J(kA4);
    EXPECT_GT(ringing_J, 1e-6);
    sampled.link.begin();
    sampled.strike(0.4);
    sampled.play->play_until(0.6);
    EXPECT_LT(sampled.play->live().engine().bank().energy_J(kA4), ringing_J) << "only what rang before";
    EXPECT_EQ(sampled.server->player().piano().voices(), 1);
}

TEST(SampleLink, BothSoundTogether) {
    SampledPlay sampled(128, Engine::kBoth);
    sampled.strike(0.1);
    sampled.play->play_until(0.3);
    EXPECT_GT(sampled.play->live().engine().bank().energy_J(kA4), 1e-6);
    EXPECT_EQ(sampled.server->player().piano().voices(), 1);
}

TEST(SampleLink, TheDamperEndsANote) {
    SampledPlay sampled;
    sampled.strike(0.1);
    sampled.play->play_until(0.4);
    EXPECT_GT(sampled.loudest(0.2, 0.4), 0.01F);
    sampled.damper_m = 0.6e-3;
    sampled.play->play_until(0.8);
    EXPECT_LT(sampled.loudest(0.7, 0.8), 1e-5F);
    EXPECT_EQ(sampled.server->player().piano().voices(), 0);
}

TEST(SampleLink, WhatIsNotReadyInTimeIsSilenceAndTheDelayStaysWhatItWas) {
    SampledPlay sampled;
    sampled.strike(0.1);
    sampled.play->play_until(0.3);
    sampled.serving = false;
    sampled.play->play_until(0.31);  // four blocks: the first has what was made before
    const auto late = sampled.faults.count(Fault::kSamplesLate);
    EXPECT_GE(late, 2u);
    EXPECT_LE(late, 4u);
    EXPECT_EQ(sampled.loudest(0.305, 0.309), 0);
    sampled.serving = true;
    sampled.damper_m = 0.6e-3;
    sampled.play->play_until(0.7);
    sampled.damper_m = 0;
    sampled.strike(0.8);
    sampled.play->play_until(1.0);
    EXPECT_EQ(sampled.faults.count(Fault::kSamplesLate), late);
    const double late_s = sampled.first_sound_s(0.75) - 0.8 - sampled.play->delay_s() - sampled.play->block_s();
    EXPECT_GT(late_s, -1.0 / 48000);
    EXPECT_LT(late_s, kPeriod_s + 3.0 / 48000);
}

// Stopped for so long that requests are lost too.
TEST(SampleLink, AThreadThatStoodStillForLongComesBackToItsDelay) {
    SampledPlay sampled;
    sampled.serving = false;
    sampled.play->play_until(0.3);
    sampled.serving = true;
    sampled.play->play_until(0.4);
    const auto late = sampled.faults.count(Fault::kSamplesLate);
    sampled.strike(0.5);
    sampled.play->play_until(0.7);
    EXPECT_EQ(sampled.faults.count(Fault::kSamplesLate), late);
    const double late_s = sampled.first_sound_s(0.45) - 0.5 - sampled.play->delay_s() - sampled.play->block_s();
    EXPECT_GT(late_s, -1.0 / 48000);
    EXPECT_LT(late_s, kPeriod_s + 3.0 / 48000);
}

TEST(SampleLink, ADeviceThatStartsAnewBeginsInSilence) {
    SampledPlay sampled;
    sampled.strike(0.1);
    sampled.play->play_until(0.3);
    EXPECT_EQ(sampled.server->player().piano().voices(), 1);
    sampled.play->live().device_stopped();
    sampled.play->pause(0.5);
    sampled.play->play_until(1.2);
    EXPECT_EQ(sampled.server->player().piano().voices(), 0);
}

// A block longer than all before: the samples wait longer from there on, but nothing of them is lost.
TEST(SampleLink, ALongerBlockLosesNothing) {
    core::FaultCounters faults;
    SampleLink link(48000, 4000, 1024, faults);
    link.begin();
    std::vector<float> heard, made;
    float next = 1;
    for (const int frames : {64, 64, 256, 64, 64, 512, 512, 64, 64, 64, 64, 64, 64, 64}) {
        std::vector<float> left(static_cast<std::size_t>(frames)), right = left;
        link.mix({0, 1, 1, frames, false, 0}, left.data(), right.data());
        EXPECT_EQ(left, right);
        heard.insert(heard.end(), left.begin(), left.end());
        SampleRequest request;
        while (link.next_request(request)) {
            std::vector<float> sound(static_cast<std::size_t>(request.frames));
            for (float& sample : sound) sample = next++;
            made.insert(made.end(), sound.begin(), sound.end());
            link.push_sound(sound, sound);
        }
    }
    std::erase(heard, 0.0F);
    EXPECT_EQ(heard, std::vector<float>(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(heard.size())));
    EXPECT_EQ(heard.size(), made.size() - 512);
    EXPECT_EQ(faults.count(Fault::kSamplesLate), 0u);
}

}  // namespace
}  // namespace letoff::audio
