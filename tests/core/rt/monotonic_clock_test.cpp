#include "core/rt/monotonic_clock.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>

namespace letoff::core {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

TEST(MonotonicClockTest, TicksBeginWhereTheRateSaysWithoutDrift) {
    const MonotonicClock clock(4000, 5 * kSecond_ns);
    EXPECT_EQ(clock.ns_of_tick(0), 5 * kSecond_ns);
    EXPECT_EQ(clock.ns_of_tick(1), 5 * kSecond_ns + 250'000);
    EXPECT_EQ(clock.ns_of_tick(4000), 6 * kSecond_ns);
    EXPECT_EQ(clock.ns_of_tick(-1), 5 * kSecond_ns - 250'000);
    // A year at 8 kHz: more than 2^63 if ticks were multiplied by nanoseconds.
    constexpr std::int64_t kYear_s = 31'557'600;
    EXPECT_EQ(MonotonicClock(8000, 7).ns_of_tick(8000 * kYear_s + 1), kYear_s * kSecond_ns + 125'000 + 7);
    EXPECT_EQ(MonotonicClock(8000, 7).tick_at(kYear_s * kSecond_ns + 125'000 + 7), 8000 * kYear_s + 1);
}

TEST(MonotonicClockTest, EveryTickLiesInItselfAtEveryRate) {
    for (const int tick_hz : {1, 1000, 3000, 4000, 6000, 7777, 8000}) {
        const MonotonicClock clock(tick_hz, 123'456'789'012'345);
        for (std::int64_t tick = -3 * tick_hz - 5; tick < 3 * tick_hz + 5; ++tick) {
            ASSERT_EQ(clock.tick_at(clock.ns_of_tick(tick)), tick) << tick_hz;
            ASSERT_EQ(clock.tick_at(clock.ns_of_tick(tick) - 1), tick - 1) << tick_hz;
        }
    }
}

TEST(MonotonicClockTest, SecondsAndNanosecondsConvertBothWays) {
    const MonotonicClock clock(4000, 77 * kSecond_ns + 1);
    EXPECT_EQ(clock.zero_ns(), 77 * kSecond_ns + 1);
    EXPECT_EQ(clock.seconds_at(78 * kSecond_ns + 500'000'001), 1.5);
    EXPECT_EQ(clock.seconds_at(76 * kSecond_ns + 1), -1.0);
    EXPECT_EQ(clock.ns_at(1.5), 78 * kSecond_ns + 500'000'001);
    EXPECT_EQ(clock.ns_at(0.4e-9), clock.zero_ns());
    EXPECT_EQ(clock.ns_at(0.6e-9), clock.zero_ns() + 1);
    EXPECT_EQ(clock.ns_at(-0.6e-9), clock.zero_ns() - 1);
    for (std::int64_t ns = -kSecond_ns; ns < 50 * 86'400 * kSecond_ns; ns = ns * 3 / 2 + 999'999'937) {
        ASSERT_EQ(clock.ns_at(clock.seconds_at(clock.zero_ns() + ns)), clock.zero_ns() + ns);
    }
}

TEST(MonotonicClockTest, WaitsToTheTickAndSaysWhenItHasPassed) {
    MonotonicClock clock(1000);
    EXPECT_EQ(clock.tick_hz(), 1000);
    EXPECT_GE(clock.now_ticks(), 0);
    for (std::int64_t tick = 1; tick <= 20; ++tick) {
        clock.wait_until(tick);
        ASSERT_GE(clock.now_ticks(), tick);
        ASSERT_GE(clock.now_s(), static_cast<double>(tick) / 1000);
    }
    EXPECT_FALSE(clock.wait_until(19));  // passed by a whole tick
    MonotonicClock slow(1, monotonic_now_ns() - kSecond_ns / 2);
    EXPECT_TRUE(slow.wait_until(0));  // half a tick ago: at once, and not late
}

std::atomic<int> signals{0};

TEST(MonotonicClockTest, ASignalDoesNotEndAWait) {
    struct sigaction action{};
    struct sigaction before{};
    action.sa_handler = [](int) { ++signals; };
    sigaction(SIGUSR1, &action, &before);  // without SA_RESTART
    MonotonicClock clock(50);
    const pthread_t waiting = pthread_self();
    std::atomic<bool> done{false};
    std::thread sender([&] {
        while (!done) {
            pthread_kill(waiting, SIGUSR1);
            std::this_thread::yield();
        }
    });
    const int before_wait = signals;
    clock.wait_until(2);
    const std::int64_t first = clock.now_ticks();
    clock.wait_until_or_wake(first + 2);
    const std::int64_t second = clock.now_ticks();
    done = true;
    sender.join();
    sigaction(SIGUSR1, &before, nullptr);
    EXPECT_GE(first, 2);
    EXPECT_GE(second, first + 2);
    EXPECT_GT(signals, before_wait);
}

TEST(MonotonicClockTest, AWakeEndsOneWaitAndIsNotLostBeforeIt) {
    MonotonicClock clock(1);
    clock.wake();  // nobody waits yet
    clock.wake();  // and two are one
    clock.wait_until_or_wake(1000);
    EXPECT_LT(clock.now_ticks(), 1000);
    std::thread waker([&] { clock.wake(); });
    clock.wait_until_or_wake(1000);
    EXPECT_LT(clock.now_ticks(), 1000);
    waker.join();
    MonotonicClock fast(1000);
    fast.wake();
    fast.wait_until_or_wake(fast.now_ticks() + 3);
    const std::int64_t to = fast.now_ticks() + 3;
    fast.wait_until_or_wake(to);  // the wake is used up
    EXPECT_GE(fast.now_ticks(), to);
}

}  // namespace
}  // namespace letoff::core
