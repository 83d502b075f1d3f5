#include "core/port/clock.h"

#include <gtest/gtest.h>

namespace letoff::core {
namespace {

TEST(VirtualClockTest, TimePassesOnlyByWaiting) {
    VirtualClock clock(4000);
    EXPECT_EQ(clock.now_ticks(), 0);
    EXPECT_TRUE(clock.wait_until(6));
    EXPECT_EQ(clock.now_ticks(), 6);
    EXPECT_EQ(clock.now_s(), 0.0015);
    EXPECT_TRUE(clock.wait_until(6));
    EXPECT_FALSE(clock.wait_until(5));  // never back
    EXPECT_EQ(clock.now_ticks(), 6);
}

TEST(VirtualClockTest, CannotBeWokenSoItWaitsToTheEnd) {
    VirtualClock clock(4000);
    clock.wake();
    clock.wait_until_or_wake(16);
    EXPECT_EQ(clock.now_ticks(), 16);
}

TEST(VirtualClockTest, SecondsDoNotDrift) {
    VirtualClock clock(3000);
    for (std::int64_t tick = 1; tick <= 3'000'000; ++tick) clock.wait_until(tick);
    EXPECT_EQ(clock.now_s(), 1000.0);
}

}  // namespace
}  // namespace letoff::core
