// The loop body on a clock that does what the test says: no thread, no waiting.
#include "core/rt/periodic_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/core/rt/scripted_loop.h"

namespace letoff::core {
namespace {

class PeriodicLoopTest : public testing::Test {
  protected:
    void steps(int count) {
        for (int i = 0; i < count; ++i) loop_.step();
    }
    std::uint64_t late() const { return faults_.count(Fault::kTickLate); }

    ScriptedClock clock_;
    ScriptedCpu cpu_;
    ScriptedWork work_{clock_, cpu_};
    FaultCounters faults_;
    PeriodicLoop loop_{clock_, cpu_, work_, faults_};
};

using Told = std::vector<std::string>;

TEST_F(PeriodicLoopTest, TickJRunsAtItsTimeFromWhereTheClockStood) {
    clock_.now = 1000.5;
    loop_.begin();
    EXPECT_EQ(loop_.zero_tick(), 1000);
    steps(3);
    EXPECT_EQ(work_.told, (Told{"1", "2", "3"}));
    EXPECT_EQ(clock_.last_wait, 1003);
    EXPECT_EQ(clock_.now, 1003);
    EXPECT_EQ(loop_.ticks(), 3);
    EXPECT_EQ(late(), 0u);
}

TEST_F(PeriodicLoopTest, LatenessPeriodExecutionAndProcessorTimeAreMeasured) {
    loop_.begin();
    work_.wall_ticks = 0.5;
    work_.cpu_ticks = 0.25;
    for (int i = 0; i < 100; ++i) {
        clock_.next_wait_late = i % 2 == 0 ? 0.125 : 0;
        loop_.step();
    }
    EXPECT_EQ(loop_.lateness().count(), 100u);
    EXPECT_DOUBLE_EQ(loop_.lateness().max_us(), 0.125 * kTick_us);
    EXPECT_LT(loop_.lateness().quantile_us(0.5), 0.1);
    EXPECT_EQ(loop_.period().count(), 99u);
    EXPECT_DOUBLE_EQ(loop_.period().max_us(), 1.125 * kTick_us);
    EXPECT_NEAR(loop_.period().quantile_us(0.25), 0.875 * kTick_us, 0.032 * kTick_us);
    EXPECT_DOUBLE_EQ(loop_.execution().max_us(), 0.5 * kTick_us);
    EXPECT_DOUBLE_EQ(loop_.cpu().max_us(), 0.25 * kTick_us);
    EXPECT_EQ(cpu_.reads, 101);  // once a tick, and at the start
    EXPECT_EQ(late(), 0u);
}

TEST_F(PeriodicLoopTest, LateIsAWholePeriod) {
    loop_.begin();
    clock_.next_wait_late = 0.999;
    loop_.step();
    EXPECT_EQ(late(), 0u);
    clock_.next_wait_late = 1.0;
    loop_.step();
    EXPECT_EQ(late(), 1u);
}

TEST_F(PeriodicLoopTest, AStopOfTheHostIsCaughtUpAtOnceAndIsTheHosts) {
    loop_.begin();
    work_.wall_ticks = work_.cpu_ticks = 0.25;
    steps(2);
    clock_.next_wait_late = 10.0;  // tick 3 starts at 13
    steps(1);
    steps(20);
    // A quarter of a tick each: tick 3 + i starts 10 - 0.75 i late, which is less than one from the 14th on.
    EXPECT_EQ(late(), 13u);
    EXPECT_EQ(loop_.late_hosts(), 13);
    EXPECT_EQ(loop_.late_ours(), 0);
    for (std::size_t i = 0; i < work_.ticks.size(); ++i) EXPECT_EQ(work_.ticks[i], static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(loop_.skipped_ticks(), 0);
    EXPECT_EQ(loop_.zero_tick(), 0);
    steps(5);
    EXPECT_EQ(clock_.now, 0.25 + static_cast<double>(work_.ticks.back()));  // on time again
    EXPECT_EQ(late(), 13u);
}

TEST_F(PeriodicLoopTest, ATickThatTakesTooLongIsOursUntilItsBacklogIsGone) {
    loop_.begin();
    work_.wall_ticks = work_.cpu_ticks = 0.25;
    steps(2);
    work_.wall_ticks = work_.cpu_ticks = 4.0;
    steps(1);
    work_.wall_ticks = work_.cpu_ticks = 0.25;
    // Tick 4 starts 3 late, then 2.25, 1.5; the fourth 0.75 late is no fault.
    steps(10);
    EXPECT_EQ(loop_.late_ours(), 3);
    EXPECT_EQ(loop_.late_hosts(), 0);
    clock_.next_wait_late = 2.0;
    steps(5);
    EXPECT_EQ(loop_.late_ours(), 3);
    EXPECT_EQ(loop_.late_hosts(), 2);  // 2 late, then 1.25
    EXPECT_EQ(late(), 5u);
}

// The same wall time in the work, but the thread did not have the processor.
TEST_F(PeriodicLoopTest, ATickThatIsHeldUpInTheMiddleIsTheHosts) {
    loop_.begin();
    work_.cpu_ticks = 0.25;
    work_.wall_ticks = 4.0;
    steps(1);
    work_.wall_ticks = 0.25;
    steps(10);
    EXPECT_EQ(loop_.late_ours(), 0);
    EXPECT_EQ(loop_.late_hosts(), 3);
}

TEST_F(PeriodicLoopTest, TooFarBehindMovesTimeZeroAndTellsTheWork) {
    loop_.begin();
    steps(1);
    clock_.next_wait_late = static_cast<double>(kMaxBacklog) + 0.5;  // just bearable: 51 behind
    steps(1);
    EXPECT_EQ(loop_.skipped_ticks(), 0);
    steps(static_cast<int>(kMaxBacklog));
    EXPECT_EQ(work_.ticks.back(), 2 + kMaxBacklog);
    EXPECT_EQ(late(), static_cast<std::uint64_t>(kMaxBacklog));
    work_.told.clear();

    const auto at = static_cast<double>(work_.ticks.back());
    clock_.now = at;
    clock_.next_wait_late = 200.25;
    steps(2);
    EXPECT_EQ(work_.told, (Told{"gap 200", "54", "55"}));  // numbers go on without a hole
    EXPECT_EQ(loop_.skipped_ticks(), 200);
    EXPECT_EQ(loop_.zero_tick(), 200);
    EXPECT_EQ(clock_.now, 255);  // tick 55 at 55 after the new zero: on time
    EXPECT_EQ(late(), static_cast<std::uint64_t>(kMaxBacklog) + 1);
    EXPECT_DOUBLE_EQ(loop_.lateness().max_us(), 200.25 * kTick_us);
}

// A machine at 1.25 times the load it can bear: the state falls behind by no more than the bound, for ever.
TEST_F(PeriodicLoopTest, OverloadNeverSpirals) {
    loop_.begin();
    work_.wall_ticks = work_.cpu_ticks = 1.25;
    double farthest = 0;
    for (int i = 0; i < 20'000; ++i) {
        loop_.step();
        farthest = std::max(farthest, clock_.now - static_cast<double>(loop_.zero_tick() + work_.ticks.back()));
    }
    EXPECT_LT(farthest, static_cast<double>(kMaxBacklog) + 3);
    EXPECT_GT(farthest, static_cast<double>(kMaxBacklog) - 3);
    EXPECT_NEAR(static_cast<double>(loop_.skipped_ticks()), 0.25 * 20'000, 60);
    EXPECT_EQ(loop_.late_hosts(), 0);
    EXPECT_GT(loop_.late_ours(), 19'000);
    EXPECT_EQ(late(), static_cast<std::uint64_t>(loop_.late_ours()));
}

TEST_F(PeriodicLoopTest, IdleWorkIsRunInStretchesOfAtMostFourMilliseconds) {
    loop_.begin();
    steps(1);
    work_.idle = 1000;
    steps(2);
    EXPECT_EQ(work_.told, (Told{"1", "idle 2+4", "idle 6+4"}));
    EXPECT_EQ(clock_.now, 1 + 2 * kMaxIdle);
    EXPECT_TRUE(clock_.last_could_be_woken);
    work_.idle = 2;
    steps(1);
    work_.idle = 1;  // one is none
    steps(1);
    EXPECT_EQ(work_.told.back(), "12");
    EXPECT_FALSE(clock_.last_could_be_woken);
    EXPECT_EQ(loop_.ticks(), 12);
    EXPECT_EQ(loop_.idled_ticks(), 10);
    EXPECT_EQ(late(), 0u);
}

TEST_F(PeriodicLoopTest, AWakeHandsOverTheTicksThatHavePassedAndTheNextIsOnTime) {
    loop_.begin();
    work_.idle = 4;
    clock_.woken_at = 2.5;
    steps(1);
    EXPECT_EQ(work_.told, (Told{"idle 1+2"}));
    work_.idle = 0;  // the work has seen what woke it
    steps(1);
    EXPECT_EQ(work_.told.back(), "3");
    EXPECT_EQ(clock_.now, 3);
    work_.idle = 4;
    clock_.woken_at = 3.5;  // before a tick has passed
    steps(1);
    EXPECT_EQ(work_.told.size(), 2u);
    work_.idle = 0;
    steps(1);
    EXPECT_EQ(work_.told.back(), "4");
    EXPECT_EQ(loop_.lateness().count(), 2u);  // a wake is not late for anything
    EXPECT_EQ(late(), 0u);
}

TEST_F(PeriodicLoopTest, AnIdleStretchThatEndsLateIsCaughtUp) {
    loop_.begin();
    work_.idle = 4;
    clock_.next_wait_late = 3.0;
    steps(1);
    EXPECT_EQ(late(), 1u);
    work_.idle = 0;
    steps(4);
    EXPECT_EQ(work_.told, (Told{"idle 1+4", "5", "6", "7", "8"}));
    EXPECT_EQ(clock_.now, 8);
    work_.idle = 4;
    clock_.next_wait_late = 500;
    steps(1);
    EXPECT_EQ(work_.told.at(5), "gap 500");
    EXPECT_EQ(work_.told.at(6), "idle 9+4");
    EXPECT_EQ(loop_.zero_tick(), 500);
}

TEST_F(PeriodicLoopTest, IdleWorkThatSaysNoMoreRunsEachTick) {
    struct Plain final : PeriodicWork {
        std::vector<std::int64_t> ticks;
        void on_period(std::int64_t tick) noexcept override { ticks.push_back(tick); }
    } plain;
    plain.on_idle(7, 3);
    EXPECT_EQ(plain.ticks, (std::vector<std::int64_t>{7, 8, 9}));
    EXPECT_EQ(plain.idle_ticks(), 0);
}

TEST_F(PeriodicLoopTest, TheBlackBoxHoldsTheTicksUpToTheLateOne) {
    loop_.begin();
    work_.wall_ticks = 0.5;
    work_.cpu_ticks = 0.25;
    steps(99);
    EXPECT_FALSE(loop_.black_box().frozen());
    clock_.next_wait_late = 1.5;
    steps(10);
    auto& box = loop_.black_box();
    ASSERT_TRUE(box.frozen());
    ASSERT_EQ(box.size(), PeriodicLoop::kRecords);
    const TickRecord& late_one = box.at(box.size() - 1);
    EXPECT_EQ(late_one.tick, 100);
    EXPECT_EQ(late_one.lateness_s, 1.5 / kTick_hz);
    EXPECT_EQ(late_one.execution_s, 0.5 / kTick_hz);
    EXPECT_EQ(late_one.cpu_s, 0.25 / kTick_hz);
    EXPECT_EQ(box.at(0).tick, 37);
    EXPECT_EQ(box.at(0).lateness_s, 0);
    box.thaw();
    steps(1);
    ASSERT_EQ(box.size(), 1u);
    EXPECT_EQ(box.at(0).tick, 110);
}

}  // namespace
}  // namespace letoff::core
