#include "audio/live/frame_ring.h"

#include <gtest/gtest.h>

#include <thread>

namespace letoff::audio {
namespace {

constexpr int kGrid = 24;

core::StringForce force(int key_index, double first_N) {
    core::StringForce out;
    out.key_index = key_index;
    out.count = kGrid;
    for (int i = 0; i < kGrid; ++i) out.force_N[static_cast<size_t>(i)] = first_N + i;
    return out;
}

TEST(FrameRing, GivesBackWhatWasTold) {
    FrameRing ring(kGrid, 4, 8);
    std::array<double, core::kKeyCount> damper_m{};
    damper_m[87] = 0.25e-3;
    const std::vector<core::StringForce> forces = {force(3, 10), force(80, 100)};
    EXPECT_EQ(ring.readable(), 0u);
    EXPECT_TRUE(ring.try_push({41, 4000, forces, damper_m}, 7));
    EXPECT_TRUE(ring.try_push({42, 4000, {}, damper_m}, 7));
    ASSERT_EQ(ring.readable(), 2u);
    const TickRecord& tick = ring.at(0);
    EXPECT_EQ(tick.tick, 41);
    EXPECT_EQ(tick.epoch, 7u);
    ASSERT_EQ(tick.rows, 2);
    EXPECT_EQ(ring.row(tick, 1).key_index, 80);
    EXPECT_EQ(ring.row(tick, 1).force_N[23], 123.0F);
    EXPECT_EQ(ring.row(tick, 0).force_N[0], 10.0F);
    EXPECT_EQ(tick.damper_compression_m[87], 0.25e-3);
    ring.pop();
    EXPECT_EQ(ring.at(0).tick, 42);
    EXPECT_EQ(ring.at(0).rows, 0);
}

TEST(FrameRing, IsFullByTicksOrByHammersAndTakesAgainAfterAPop) {
    const std::array<double, core::kKeyCount> damper_m{};
    FrameRing ticks(kGrid, 4, 8);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(ticks.try_push({i, 4000, {}, damper_m}, 1));
    EXPECT_FALSE(ticks.try_push({4, 4000, {}, damper_m}, 1));
    ticks.pop();
    EXPECT_TRUE(ticks.try_push({4, 4000, {}, damper_m}, 1));

    FrameRing rows(kGrid, 64, 8);
    const std::vector<core::StringForce> three = {force(1, 0), force(2, 0), force(3, 0)};
    EXPECT_TRUE(rows.try_push({0, 4000, three, damper_m}, 1));
    EXPECT_TRUE(rows.try_push({1, 4000, three, damper_m}, 1));
    EXPECT_FALSE(rows.try_push({2, 4000, three, damper_m}, 1));
    EXPECT_TRUE(rows.try_push({2, 4000, {}, damper_m}, 1));
    rows.pop();
    EXPECT_TRUE(rows.try_push({3, 4000, three, damper_m}, 1));
}

TEST(FrameRing, TwoThreadsLoseAndMixNothing) {
    FrameRing ring(kGrid, 16, 40);
    constexpr std::int64_t kTicks = 20000;
    std::thread keybed([&] {
        std::array<double, core::kKeyCount> damper_m{};
        for (std::int64_t tick = 0; tick < kTicks; ++tick) {
            std::vector<core::StringForce> forces;
            forces.reserve(4);
            for (int i = 0; i < tick % 5; ++i) forces.push_back(force(i, static_cast<double>(tick % 1000)));
            damper_m.fill(static_cast<double>(tick));
            while (!ring.try_push({tick, 4000, forces, damper_m}, 1)) std::this_thread::yield();
        }
    });
    std::int64_t wrong = 0;
    for (std::int64_t expected = 0; expected < kTicks;) {
        const std::size_t readable = ring.readable();
        if (readable == 0) std::this_thread::yield();
        for (std::size_t i = 0; i < readable; ++i, ++expected) {
            const TickRecord& tick = ring.at(0);
            wrong += tick.tick != expected || tick.rows != expected % 5 ||
                             tick.damper_compression_m[87] != static_cast<double>(expected)
                         ? 1
                         : 0;
            for (int r = 0; r < tick.rows; ++r) {
                const ForceRow row = ring.row(tick, r);
                wrong += row.key_index != r || row.force_N[kGrid - 1] != static_cast<float>(expected % 1000 + kGrid - 1)
                             ? 1
                             : 0;
            }
            ring.pop();
        }
    }
    keybed.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace letoff::audio
