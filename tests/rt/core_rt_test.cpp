// The parts of core/rt, and what else a tick uses of core, under the guard.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "core/fault/black_box.h"
#include "core/fault/fault.h"
#include "core/param/row.h"
#include "core/port/clock.h"
#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "core/rt/latest_value.h"
#include "core/rt/periodic_loop.h"
#include "core/rt/ring.h"
#include "core/rt/snapshot.h"
#include "tests/rt/rt_guard.h"

namespace letoff::test {
namespace {

using namespace core;

TEST(CoreRtTest, RingCallsKeepTheRules) {
    Ring<std::array<double, 88>> ring(4);
    std::array<double, 88> values{};
    int taken = 0;
    RtGuard guard;
    for (int i = 0; i < 100; ++i) {
        taken += ring.try_push(values);
        while (i % 10 == 9 && ring.try_pop(values)) {
        }
    }
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(taken, 40);
}

TEST(CoreRtTest, LatestValueCallsKeepTheRules) {
    LatestValue<std::array<double, 88>> latest;
    RtGuard guard;
    for (int i = 0; i < 100; ++i) {
        latest.draft()[0] = i;
        latest.publish();
        if (i % 10 == 9) latest.update();
    }
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(latest.value()[0], 99);
}

TEST(CoreRtTest, TheTickSideOfASnapshotKeepsTheRules) {
    SnapshotSwap<int> swap(std::make_unique<int>(0));
    for (int i = 1; i <= 100; ++i) {
        if (i % 3 == 0) swap.publish(std::make_unique<int>(i));
        RtGuard guard;
        const int value = swap.begin_tick();
        guard.disarm();
        EXPECT_EQ(guard.total(), 0) << guard.report();
        EXPECT_EQ(value, i - i % 3);
    }
}

TEST(CoreRtTest, FaultsBlackBoxClampAndVirtualClockKeepTheRules) {
    FaultCounters faults;
    BlackBox<int, 8> box;
    VirtualClock clock(4000);
    constexpr Row kRow{"x", "", 1, 0, 2, Live::kPlayer, "A number."};
    double sum = 0;
    RtGuard guard;
    for (int i = 0; i < 100; ++i) {
        const DenormalsOff denormals_off;
        clock.wait_until(i);
        faults.raise(Fault::kTickLate);
        box.record(i);
        sum += clamp_to(kRow, i);
    }
    box.freeze();
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(sum, 0 + 1 + 2 * 98);
    EXPECT_EQ(faults.count(Fault::kTickLate), 100u);
}

/// The loop round the work: with the real processor clock, on the clock that never sleeps. Late ticks, gaps and idle
/// stretches included.
TEST(CoreRtTest, TheLoopOfAPeriodicThreadKeepsTheRules) {
    struct StumblingClock final : Clock {
        double now = 0;
        int tick_hz() const noexcept override { return 4000; }
        std::int64_t now_ticks() const noexcept override { return static_cast<std::int64_t>(now); }
        double now_s() const noexcept override { return now / 4000; }
        bool wait_until(std::int64_t tick) noexcept override {
            const double late = tick % 50 == 0 ? 10.5 : tick % 333 == 0 ? 1000.5 : 0.5;
            if (now < static_cast<double>(tick)) now = static_cast<double>(tick) + late;
            return true;
        }
    } clock;
    struct Work final : PeriodicWork {
        std::int64_t last = 0;
        void on_period(std::int64_t tick) noexcept override { last = tick; }
        std::int64_t idle_ticks() noexcept override { return last % 100 == 0 ? 8 : 0; }
    } work;
    FaultCounters faults;
    ThreadCpuClock cpu;
    PeriodicLoop loop(clock, cpu, work, faults);
    RtGuard guard;
    loop.begin();
    for (int i = 0; i < 2000; ++i) loop.step();
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_GT(loop.skipped_ticks(), 0);
    EXPECT_GT(loop.idled_ticks(), 0);
    EXPECT_GT(faults.count(Fault::kTickLate), 100u);
    EXPECT_TRUE(loop.black_box().frozen());
}

/// Guards the call on this thread and the work on whichever thread it runs.
std::int64_t violations_of_a_call(Executor& executor) {
    std::array<double, 88> forces{};
    const std::int64_t before = rt_violations_of_all_threads();
    RtGuard guard;
    for (int call = 0; call < 1000; ++call) {
        parallel_for(executor, 88, [&](int key) {
            const RtGuard guard_of_worker;
            forces[static_cast<std::size_t>(key)] += 1;
        });
    }
    guard.disarm();
    for (const double force : forces) EXPECT_EQ(force, 1000);
    return rt_violations_of_all_threads() - before;
}

TEST(CoreRtTest, InlineExecutorKeepsTheRules) {
    const auto executor = std::move(make_executor("inline", 1).value());
    EXPECT_EQ(violations_of_a_call(*executor), 0);
}

TEST(CoreRtTest, ThreadsExecutorKeepsTheRules) {
    const auto executor = std::move(make_executor("threads", 3).value());
    EXPECT_EQ(violations_of_a_call(*executor), 0);
}

}  // namespace
}  // namespace letoff::test
