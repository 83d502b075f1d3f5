// The audio callback as live play runs it, under the guard and without one system call: the gate, live sound with its
// frame ring, force feed, block clock, limiter and the samples' rings, and the keybed's sink that fills them.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "tests/rt/broken_rules.h"
#include "tests/rt/system_call_trap.h"
#include "tests/rt/virtual_device.h"

namespace letoff::test {
namespace {

/// By sample rate; each with another tick rate.
class AudioCallbackRt : public testing::TestWithParam<std::pair<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Rates, AudioCallbackRt,
                         testing::Values(std::pair{44100, 1000}, std::pair{48000, 4000}, std::pair{88200, 2000},
                                         std::pair{96000, 8000}, std::pair{192000, 4000}),
                         [](const auto& rate) { return std::to_string(rate.param.first); });

TEST_P(AudioCallbackRt, BlocksOfEveryLengthKeepTheRulesWhateverHappens) {
    for (const int block : {16, 64, 441, 1024, 4096}) {
        VirtualDevice device(GetParam().first, GetParam().second, block);
        RtGuard guard;
        play_through_everything(device);
        guard.disarm();
        EXPECT_EQ(guard.total(), 0) << guard.report() << ", blocks of " << block;
        EXPECT_EQ(not_happened(device), 0) << "blocks of " << block;
    }
}

TEST_P(AudioCallbackRt, BlocksOfEveryLengthMakeNoSystemCallWhateverHappens) {
    if (!clock_is_no_system_call()) GTEST_SKIP() << "this machine's clock is a system call";
    for (const int block : {16, 441, 4096}) {
        VirtualDevice device(GetParam().first, GetParam().second, block);
        const TrapReport report = run_trapped([&] {
            play_through_everything(device);
            return not_happened(device);
        });
        EXPECT_TRUE(report.clean()) << report.text() << ", blocks of " << block;
        EXPECT_EQ(report.answer, 0) << "blocks of " << block;
        EXPECT_EQ(device.blocks, 0);  // only the child played
    }
}

/// Live sound with something more in its fifth block.
template <typename Extra>
class SourceWith final : public audio::BlockSource {
  public:
    SourceWith(audio::BlockSource& source, Extra extra) : source_(source), extra_(extra) {}
    void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept override {
        source_.render(left, right, frames, request_time_ns);
        if (++blocks_ == 5) extra_();
    }

  private:
    audio::BlockSource& source_;
    Extra extra_;
    int blocks_ = 0;
};

class AudioCallbackThatBreaksTheRules : public testing::Test {
  protected:
    template <typename Extra>
    std::int64_t play(Extra extra) {
        SourceWith<Extra> source(device_.live(), extra);
        device_.gate.open(source);
        device_.play(0.1);
        return device_.blocks;
    }
    template <typename Extra>
    TrapReport play_trapped(Extra extra) {
        return run_trapped([&] { return play(extra); });
    }

    VirtualDevice device_{48000, 4000, 128};
};

TEST_F(AudioCallbackThatBreaksTheRules, ByNothingIsClean) {
    RtGuard guard;
    const std::int64_t blocks = play([] {});
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(blocks, 38);
}

TEST_F(AudioCallbackThatBreaksTheRules, ByAVectorThatGrowsIsReported) {
    RtGuard guard;
    play(grow_a_vector);
    guard.disarm();
    EXPECT_TRUE(
        guard.report().starts_with("1 allocations, 1 frees, 0 locks, 0 waits; the first was operator new from "))
        << guard.report();
    const TrapReport report = play_trapped(grow_a_vector);
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(report.count(RtViolation::kAllocate), 1) << report.text();
    EXPECT_EQ(report.count(RtViolation::kFree), 1);
}

TEST_F(AudioCallbackThatBreaksTheRules, ByAMutexIsReported) {
    RtGuard guard;
    play(lock_a_mutex);
    guard.disarm();
    EXPECT_TRUE(
        guard.report().starts_with("0 allocations, 0 frees, 1 locks, 0 waits; the first was pthread_mutex_lock from "))
        << guard.report();
    const TrapReport report = play_trapped(lock_a_mutex);
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(report.count(RtViolation::kLock), 1) << report.text();
}

TEST_F(AudioCallbackThatBreaksTheRules, ByAClockReadBySystemCallIsReported) {
    const TrapReport report = play_trapped(read_the_clock_by_system_call);
    EXPECT_FALSE(report.clean());
    EXPECT_EQ(report.system_call, SYS_clock_gettime) << report.text();
    EXPECT_NE(report.text().find("(syscall)"), std::string::npos) << report.text();
}

/// Why only measurements ask for the thread's own time.
TEST_F(AudioCallbackThatBreaksTheRules, ByMeasuringItsThreadsTimeIsReported) {
    audio::CallbackGate measuring(device_.counters, true);
    measuring.open(device_.live());
    std::array<float, 64> left{}, right{};
    const TrapReport report =
        run_trapped([&] { return measuring.block(left.data(), right.data(), 64, 48000, 5'000'000'000, false); });
    EXPECT_EQ(report.system_call, SYS_clock_gettime) << report.text();
}

TEST(CallbackGateRt, BlocksThatTakeTooLongAndAGateThatIsShutKeepTheRules) {
    VirtualDevice device(48000, 4000, 64);
    std::array<float, 64> left{}, right{};
    left.fill(1);
    const auto block = [&](int rate_hz) {
        return device.gate.block(left.data(), right.data(), 64, rate_hz, 5'000'000'000, false);
    };
    device.gate.open(device.live());
    RtGuard guard;
    block(2'000'000'000);  // a block of 32 ns: longer than it lasts on any machine
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(device.counters.over_period, 1);
    EXPECT_TRUE(device.gate.shut());
    left.fill(1);
    RtGuard guard_of_silence;
    const bool sound = block(48000);
    guard_of_silence.disarm();
    EXPECT_EQ(guard_of_silence.total(), 0) << guard_of_silence.report();
    EXPECT_FALSE(sound);
    EXPECT_EQ(left[63], 0);
}

}  // namespace
}  // namespace letoff::test
