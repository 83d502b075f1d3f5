// The thread round the loop; what the loop does is in periodic_loop_test.cpp.
#include "core/rt/periodic_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "core/rt/denormals.h"
#include "core/rt/monotonic_clock.h"

namespace letoff::core {
namespace {

std::atomic<int> priority_asked{0};
const RtCalls kGranted{[](int priority) { return priority_asked = priority, 0; }, [] { return 0; },
                       [] { return true; }};
const RtCalls kRefused{[](int) { return EPERM; }, [] { return EPERM; }, [] { return false; }};

struct Counting final : PeriodicWork {
    std::atomic<std::int64_t> last{0};
    std::atomic<int> out_of_order{0};
    std::atomic<bool> denormals_off{false}, term_blocked{false};
    std::string name;
    PeriodicThread* stop_at_ten = nullptr;
    std::atomic<std::int64_t> idle{0};
    std::atomic<int> idle_calls{0};

    void on_period(std::int64_t tick) noexcept override {
        if (tick == 1) {
            std::array<char, 16> text{};
            pthread_getname_np(pthread_self(), text.data(), text.size());
            name = text.data();
            denormals_off = DenormalsOff::active();
            sigset_t blocked;
            pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
            term_blocked = sigismember(&blocked, SIGTERM) == 1;
        }
        out_of_order += tick != last.load() + 1;
        last = tick;
        if (stop_at_ten != nullptr && tick == 10) stop_at_ten->stop();
    }
    void on_idle(std::int64_t first, std::int64_t count) noexcept override {
        out_of_order += first != last.load() + 1;
        last = first + count - 1;
        ++idle_calls;
    }
    std::int64_t idle_ticks() noexcept override { return idle; }
};

/// Polls; a test that hangs is ended by ctest.
template <typename Condition>
void until(Condition condition) {
    while (!condition()) std::this_thread::yield();
}

class PeriodicThreadTest : public testing::Test {
  protected:
    MonotonicClock clock_{1000};
    Counting work_;
    FaultCounters faults_;
};

TEST_F(PeriodicThreadTest, RunsEveryTickInOrderWithWhatWasAsked) {
    PeriodicThread thread("letoff-keys", clock_, work_, faults_, kGranted);
    EXPECT_FALSE(thread.running());
    const auto grant = thread.start(RtMode::require, kKeybedPriority);
    ASSERT_TRUE(grant.ok());
    EXPECT_TRUE(grant.value().granted);
    EXPECT_EQ(priority_asked, kKeybedPriority);
    until([&] { return work_.last >= 50; });
    thread.stop();
    EXPECT_FALSE(thread.running());
    EXPECT_EQ(work_.out_of_order, 0);
    EXPECT_EQ(work_.name, "letoff-keys");
    EXPECT_TRUE(work_.term_blocked);
#if defined(__SSE2__)
    EXPECT_TRUE(work_.denormals_off);
#endif
    const PeriodicLoop& loop = thread.loop();
    EXPECT_EQ(loop.ticks(), work_.last);
    EXPECT_EQ(loop.lateness().count(), static_cast<std::uint64_t>(work_.last));
    EXPECT_EQ(faults_.count(Fault::kTickLate), static_cast<std::uint64_t>(loop.late_ours() + loop.late_hosts()));
    // No tick was run before its time.
    EXPECT_LE(work_.last + loop.zero_tick(), clock_.now_ticks());
    EXPECT_GT(loop.cpu().max_us(), 0);
    const std::int64_t stopped_at = work_.last;
    thread.stop();  // again: nothing
    EXPECT_EQ(work_.last, stopped_at);
}

TEST_F(PeriodicThreadTest, WithoutThePrivilegeAutomaticRunsAndRequireDoesNot) {
    PeriodicThread strict("strict", clock_, work_, faults_, kRefused);
    const auto refused = strict.start(RtMode::require, kKeybedPriority);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().find("rtprio"), std::string::npos);
    EXPECT_FALSE(strict.running());
    strict.stop();
    EXPECT_EQ(work_.last, 0);

    PeriodicThread lenient("lenient", clock_, work_, faults_, kRefused);
    const auto grant = lenient.start(RtMode::automatic, kKeybedPriority);
    ASSERT_TRUE(grant.ok());
    EXPECT_FALSE(grant.value().granted);
    EXPECT_NE(grant.value().sentence.find("rtprio"), std::string::npos);
    until([&] { return work_.last >= 3; });
}

TEST_F(PeriodicThreadTest, SeveralThreadsMayStopItAtOnce) {
    PeriodicThread thread("letoff-keys", clock_, work_, faults_, kGranted);
    ASSERT_TRUE(thread.start(RtMode::off, kKeybedPriority).ok());
    until([&] { return work_.last >= 2; });
    std::vector<std::thread> stoppers;
    stoppers.reserve(4);
    std::atomic<int> still_running{0};
    for (int i = 0; i < 4; ++i) {
        stoppers.emplace_back([&] {
            thread.stop();
            still_running += thread.running();
        });
    }
    for (std::thread& stopper : stoppers) stopper.join();
    EXPECT_EQ(still_running, 0);
}

TEST_F(PeriodicThreadTest, TheWorkMayStopItsOwnThread) {
    PeriodicThread thread("letoff-keys", clock_, work_, faults_, kGranted);
    work_.stop_at_ten = &thread;
    ASSERT_TRUE(thread.start(RtMode::off, kKeybedPriority).ok());
    until([&] { return !thread.running(); });
    thread.stop();
    EXPECT_EQ(work_.last, 10);
}

TEST_F(PeriodicThreadTest, IdleWorkKeepsUpWithTheClock) {
    PeriodicThread thread("letoff-keys", clock_, work_, faults_, kGranted);
    work_.idle = 1000;
    ASSERT_TRUE(thread.start(RtMode::off, kKeybedPriority).ok());
    until([&] { return work_.last >= 40; });
    work_.idle = 0;
    clock_.wake();
    const int idle_calls = work_.idle_calls;
    const std::int64_t idled = thread.loop().idled_ticks();
    until([&] { return work_.last >= idled + 20; });
    thread.stop();
    EXPECT_EQ(work_.out_of_order, 0);
    EXPECT_GE(idle_calls, 1);
    EXPECT_LE(idled, work_.last);
    EXPECT_LE(work_.last + thread.loop().zero_tick(), clock_.now_ticks());
}

/// A tick rate of once in 1000 s: only a wake ends its wait.
TEST(PeriodicThreadStopTest, StopWakesAnIdleLoop) {
    struct SlowClock final : Clock {
        MonotonicClock clock{1};
        int tick_hz() const noexcept override { return 1000; }  // so four "ticks" are allowed
        std::int64_t now_ticks() const noexcept override { return 0; }
        double now_s() const noexcept override { return 0; }
        bool wait_until(std::int64_t) noexcept override { return clock.wait_until(1000); }
        void wait_until_or_wake(std::int64_t) noexcept override { clock.wait_until_or_wake(1000); }
        void wake() noexcept override { clock.wake(); }
    } slow;
    Counting work;
    work.idle = 4;
    FaultCounters faults;
    PeriodicThread thread("letoff-slow", slow, work, faults);
    ASSERT_TRUE(thread.start(RtMode::off, kKeybedPriority).ok());
    thread.stop();
    EXPECT_FALSE(thread.running());
    EXPECT_EQ(work.last, 0);
}

}  // namespace
}  // namespace letoff::core
