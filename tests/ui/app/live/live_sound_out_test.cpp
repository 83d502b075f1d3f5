// The sound of live play becomes another while it plays, at every rate that a device has.
#include "ui/app/live/live_sound_out.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/support/wait_for.h"

namespace letoff::ui {
namespace {

constexpr int kTick_hz = 4000, kRate_hz = 48000, kFrames = 64;

struct OutOnVirtualTime {
    core::FaultCounters faults;
    LiveSoundOut out{keyboard::piano_strings(), {}, {}, kTick_hz, faults};
    audio::BlockSource* device = nullptr;
    std::int64_t tick = 0, blocks = 0;

    /// Silence of the keys until the device has asked for so many blocks; the sum of what was heard.
    double heard(int count, double push_N = 0) {
        double sum = 0;
        const std::array<double, core::kKeyCount> lifted{};
        for (int block = 0; block < count; ++block, ++blocks) {
            const double now_s = 1 + static_cast<double>(blocks) * kFrames / kRate_hz;
            for (; static_cast<double>(tick + 1) / kTick_hz <= now_s; ++tick) {
                core::StringForce force;
                force.key_index = 48;
                force.count = core::kStrikeGrid_hz / kTick_hz;
                force.force_N.fill(static_cast<float>(push_N));
                const std::span<const core::StringForce> forces(&force, push_N > 0 && block < 2 ? 1U : 0U);
                out.on_tick({tick, kTick_hz, forces, lifted});
            }
            std::array<float, kFrames> left{}, right{};
            device->render(left.data(), right.data(), kFrames, std::llround(1e9 * now_s));
            for (const float sample : left) sum += std::abs(static_cast<double>(sample));
        }
        return sum;
    }
    bool changes() {
        return test::wait_for(30, [&] { return out.poll(); });
    }
};

TEST(LiveSoundOut, WhatIsWantedIsHeardWithoutANewStart) {
    OutOnVirtualTime play;
    play.out.set_time_zero_ns(0);
    play.device = play.out.stream_opening(kRate_hz, kFrames);
    play.heard(20);
    EXPECT_GT(play.heard(400, 10), 1);
    EXPECT_FALSE(play.out.poll()) << "nothing was wanted";

    core::StringDesign silent;
    for (core::Voice& voice : silent.voices) voice.volume_dB = core::kSilent_dB;
    EXPECT_TRUE(play.out.want(silent, {}));
    EXPECT_FALSE(play.out.want(silent, {})) << "it is wanted already";
    EXPECT_TRUE(play.changes());
    play.heard(2 * kRate_hz / kFrames);  // what rang has rung out
    EXPECT_EQ(play.heard(400, 10), 0);
    EXPECT_FALSE(play.out.poll()) << "once";
}

TEST(LiveSoundOut, TheLastOfManyWishesHoldsForDevicesThatComeLaterToo) {
    OutOnVirtualTime play;
    play.out.set_time_zero_ns(0);
    play.device = play.out.stream_opening(kRate_hz, kFrames);
    core::StringDesign silent;
    for (core::Voice& voice : silent.voices) voice.volume_dB = core::kSilent_dB;
    EXPECT_FALSE(play.out.want({}, {})) << "so it is built";
    for (int i = 1; i <= 5; ++i) {
        core::StringDesign softer;
        softer.voices[48].volume_dB = -i;
        EXPECT_TRUE(play.out.want(softer, {}));
    }
    EXPECT_TRUE(play.out.want(silent, {}));
    EXPECT_TRUE(play.changes());
    play.heard(2 * kRate_hz / kFrames);
    EXPECT_EQ(play.heard(400, 10), 0);
    play.out.stream_stopped();
    play.device = play.out.stream_opening(44100, kFrames);
    play.heard(20);
    EXPECT_EQ(play.heard(400, 10), 0);
    EXPECT_EQ(play.out.stream_opening(kRate_hz, kFrames), play.out.stream_opening(kRate_hz, kFrames));
}

}  // namespace
}  // namespace letoff::ui
