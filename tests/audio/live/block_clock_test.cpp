#include "audio/live/block_clock.h"

#include <gtest/gtest.h>

#include <random>

namespace letoff::audio {
namespace {

constexpr int kFrames = 64;
constexpr double kBlock_ns = 1e9 * kFrames / 48000;

TEST(BlockClock, SpansJoinAndEndAtTheRequest) {
    BlockClock clock(48000);
    double end_ns = 0;
    for (int k = 0; k < 1000; ++k) {
        const auto span = clock.next(1000000 * k, 48);  // 48 frames are 1 ms
        EXPECT_EQ(span.restarted, k == 0);
        EXPECT_EQ(span.start_ns, k > 0 ? end_ns : -1e6);
        EXPECT_EQ(span.end_ns, 1e6 * k);
        end_ns = span.end_ns;
    }
}

TEST(BlockClock, TakesOutTheScatterOfCallbacks) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> late_ns(0, 400e3);
    BlockClock clock(48000);
    const double drift = 150e-6;
    double worst_ns = 0, sum = 0;
    int count = 0;
    for (int k = 0; k < 40000; ++k) {
        const double true_ns = k * kBlock_ns * (1 + drift);
        const auto span = clock.next(static_cast<std::int64_t>(true_ns + late_ns(random)), kFrames);
        if (k < 5000) continue;
        EXPECT_FALSE(span.restarted);
        const double error_ns = span.end_ns - true_ns - 200e3;
        worst_ns = std::max(worst_ns, std::abs(error_ns));
        sum += error_ns * error_ns;
        ++count;
    }
    EXPECT_LT(std::sqrt(sum / count), 5e3);  // of 115 us: a quarter of a sample
    EXPECT_LT(worst_ns, 20e3);
    EXPECT_NEAR(clock.drift(), drift, 10e-6);
}

TEST(BlockClock, OneCallbackHeldBackMovesItByLessThanASample) {
    BlockClock clock(48000);
    double worst_ns = 0;
    for (int k = 0; k < 8000; ++k) {
        const double true_ns = k * kBlock_ns;
        // One block 6 ms late, the four after it in a bunch: nothing was skipped.
        const double held_ns = k >= 5000 && k < 5005 ? (5000 - k) * kBlock_ns + 6e6 : 0;
        const auto span = clock.next(static_cast<std::int64_t>(true_ns + held_ns), kFrames);
        EXPECT_FALSE(span.restarted && k > 0);
        if (k > 1000) worst_ns = std::max(worst_ns, std::abs(span.end_ns - true_ns));
    }
    EXPECT_LT(worst_ns, 20e3);
}

TEST(BlockClock, BlocksSkippedForGoodAreFollowedAtOnceOrSoon) {
    for (const double gap_ns : {2.0 * kBlock_ns, 300e6}) {
        BlockClock clock(48000);
        int restarts = 0, settled = 0;
        for (int k = 0; k < 3000; ++k) {
            const double true_ns = k * kBlock_ns + (k >= 1000 ? gap_ns : 0);
            const auto span = clock.next(static_cast<std::int64_t>(true_ns), kFrames);
            restarts += k > 0 && span.restarted ? 1 : 0;
            if (settled == 0 && k >= 1000 && std::abs(span.end_ns - true_ns) < 10e3) settled = k - 999;
        }
        EXPECT_EQ(restarts, 1);
        EXPECT_LE(settled * kBlock_ns, 25e6);
        EXPECT_GT(settled, 0);
    }
}

TEST(BlockClock, RateOutlivesManyNewStarts) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> late_ns(0, 400e3);
    BlockClock clock(48000);
    int restarts = 0;
    double gaps_ns = 0, widest_drift = 0;
    for (int k = 0; k < 12000; ++k) {
        if (k > 4000 && k % 200 == 0) gaps_ns += 3 * kBlock_ns;  // a device that skips blocks four times a second
        const double true_ns = k * kBlock_ns * (1 + 100e-6) + gaps_ns;
        restarts += clock.next(static_cast<std::int64_t>(true_ns + late_ns(random)), kFrames).restarted ? 1 : 0;
        if (k > 4000) widest_drift = std::max(widest_drift, std::abs(clock.drift() - 100e-6));
    }
    EXPECT_GT(restarts, 30);
    EXPECT_LT(widest_drift, 100e-6);
}

}  // namespace
}  // namespace letoff::audio
