// Real ticks and real sound without one system call; and the trap itself, which must see what it is there to see.
#include "tests/rt/system_call_trap.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "audio/sound_engine.h"
#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "core/rt/ring.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/all_keys.h"
#include "tests/rt/broken_rules.h"

namespace letoff::test {
namespace {

class TrappedKeybed : public testing::Test {
  protected:
    TrapReport play(const std::function<void(int)>& extra) {
        return run_trapped([&] {
            play_all_keys(keybed_, sink_, extra);
            return all_was_told(sink_);
        });
    }

    std::unique_ptr<core::Executor> executor_ = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed_{keyboard::piano_keys(), 4000, *executor_};
    CountingSink sink_;
};

TEST_F(TrappedKeybed, TicksOf88KeysMakeNoSystemCall) {
    const TrapReport report = play([](int) {});
    EXPECT_TRUE(report.clean()) << report.text();
    EXPECT_EQ(report.answer, 1);  // the child played
    EXPECT_EQ(sink_.strikes, 0);  // and only the child
}

TEST_F(TrappedKeybed, AVectorInATickIsCaught) {
    const TrapReport report = play([](int tick) {
        if (tick == 30) grow_a_vector();
    });
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(report.count(RtViolation::kAllocate), 1) << report.text();
    EXPECT_EQ(report.count(RtViolation::kFree), 1);
    EXPECT_STREQ(report.first_call.data(), "operator new");
}

TEST_F(TrappedKeybed, AMutexInATickIsCaught) {
    const TrapReport report = play([](int tick) {
        if (tick == 30) lock_a_mutex();
    });
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(report.count(RtViolation::kLock), 1) << report.text();
    EXPECT_STREQ(report.first_call.data(), "pthread_mutex_lock");
}

TEST_F(TrappedKeybed, AClockReadBySystemCallIsCaughtAtOnce) {
    const TrapReport report = play([](int tick) {
        if (tick == 30) read_the_clock_by_system_call();
    });
    EXPECT_FALSE(report.clean());
    EXPECT_TRUE(report.ended);
    EXPECT_EQ(report.system_call, SYS_clock_gettime) << report.text();
    EXPECT_NE(report.text().find("(syscall)"), std::string::npos) << report.text();
}

TEST(SystemCallTrap, SoundFromRealForcesMakesNoSystemCall) {
    auto engine = audio::SoundEngine::create(keyboard::piano_strings(), {});
    ASSERT_TRUE(engine.ok()) << engine.error();
    audio::SoundEngine& sound = engine.value();
    std::vector<core::StringForce> forces(core::kKeyCount);
    for (int key = 0; key < core::kKeyCount; ++key) {
        core::StringForce& force = forces[static_cast<std::size_t>(key)];
        force.key_index = key;
        force.count = core::kStrikeGrid_hz / 4000;
        force.force_N.fill(10.0);
    }
    std::array<double, core::kKeyCount> dampers{};
    std::vector<float> left(static_cast<std::size_t>(sound.samples_per_tick())), right(left.size());
    const TrapReport report = run_trapped([&] {
        const core::DenormalsOff denormals_off;
        for (int tick = 0; tick < 400; ++tick) {
            if (tick == 300) dampers.fill(0.5e-3);  // pressed in by half a millimetre
            const std::span<const core::StringForce> pushed =
                tick < 8 ? std::span<const core::StringForce>(forces) : std::span<const core::StringForce>();
            const core::SoundFrame frame{tick, 4000, pushed, dampers};
            sound.render({&frame, 1}, left, right);
        }
        return static_cast<std::int64_t>(1e6 * sound.max_abs_sample());
    });
    EXPECT_TRUE(report.clean()) << report.text();
    EXPECT_GT(report.answer, 1000);  // it sounded
}

TEST(SystemCallTrap, WorkThatKeepsTheRulesGivesItsAnswer) {
    core::Ring<int> ring(8);
    const TrapReport report = run_trapped([&] {
        int sum = 0, value = 0;
        for (int i = 1; i <= 5; ++i) ring.try_push(i);
        while (ring.try_pop(value)) sum += value;
        return sum;
    });
    EXPECT_TRUE(report.clean()) << report.text();
    EXPECT_EQ(report.answer, 15);
}

// These go past the replaced functions.
TEST(SystemCallTrap, SeesFutexesSleepsAndWrites) {
    std::atomic<int> value{1};
    EXPECT_GE(run_trapped([&] { return value.wait(1), 0; }).system_call, 0);  // gives up its turn, then a futex
    EXPECT_EQ(run_trapped([&] { return syscall(SYS_futex, &value, 0, 0, nullptr); }).system_call, SYS_futex);
    EXPECT_EQ(run_trapped([] { return usleep(1); }).system_call, SYS_clock_nanosleep);
    EXPECT_EQ(run_trapped([] { return std::fprintf(stderr, "must not be seen\n"); }).system_call, SYS_write);
    timespec used{};
    EXPECT_EQ(run_trapped([&] { return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used); }).system_call,
              SYS_clock_gettime);
}

TEST(SystemCallTrap, TrapsTheThreadThatAsksForItAndLetsItDoWhatIsAllowed) {
    const auto play = [](bool log) {
        return run_in_child([log]() -> std::int64_t {
            std::atomic<int> state{0};
            std::thread([&state, log] {
                trap_this_thread({SYS_clock_nanosleep});
                usleep(1);
                if (log) syscall(SYS_getppid);
                state.store(1);
                for (;;) state.load();  // until the child ends
            }).detach();
            while (state.load() == 0) std::this_thread::yield();  // a system call: this thread may
            return 7;
        });
    };
    EXPECT_EQ(play(false).answer, 7);
    EXPECT_TRUE(play(false).clean()) << play(false).text();
    EXPECT_EQ(play(true).system_call, SYS_getppid);
    EXPECT_FALSE(play(true).clean());
}

TEST(SystemCallTrap, AChildThatDiesIsNoCleanRun) {
    const TrapReport report = run_trapped([]() -> std::int64_t { _exit(0); });
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(report.text(), "the child did not report");
}

}  // namespace
}  // namespace letoff::test
