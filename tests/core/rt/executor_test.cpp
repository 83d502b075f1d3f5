#include "core/rt/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/rt/denormals.h"

namespace letoff::core {
namespace {

struct Kind {
    const char* kind;
    int threads;
};
void PrintTo(const Kind& kind, std::ostream* out) {
    *out << kind.kind << " x " << kind.threads;
}

class ExecutorTest : public testing::TestWithParam<Kind> {
  protected:
    std::unique_ptr<Executor> executor_ = std::move(make_executor(GetParam().kind, GetParam().threads).value());
};

TEST_P(ExecutorTest, SaysWhatItIs) {
    EXPECT_EQ(executor_->kind(), GetParam().kind);
    EXPECT_EQ(executor_->threads(), GetParam().kind == std::string("inline") ? 1 : GetParam().threads);
}

TEST_P(ExecutorTest, RunsEachIndexExactlyOnceForEveryCount) {
    for (int count : {0, 1, 2, 3, 7, 11, 88, 1000}) {
        std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
        parallel_for(*executor_, count, [&](int i) { ++runs.at(static_cast<std::size_t>(i)); });
        for (const auto& run : runs) ASSERT_EQ(run, 1) << "of " << count;
    }
    int runs_of_none = 0;
    parallel_for(*executor_, -1, [&](int) { ++runs_of_none; });
    EXPECT_EQ(runs_of_none, 0);
}

// Plain, not atomic: what the work wrote in one call the caller and the next call's work read, with no lock of their
// own.
TEST_P(ExecutorTest, CallsFollowEachOtherWithoutLosingAWrite) {
    constexpr int kCalls = 20'000;
    std::vector<int> values(8, 0);
    int wrong = 0;
    for (int call = 1; call <= kCalls; ++call) {
        parallel_for(*executor_, 8, [&](int i) { values[static_cast<std::size_t>(7 - i)] += 1; });
        for (const int value : values) wrong += value != call;
    }
    EXPECT_EQ(wrong, 0);
}

TEST_P(ExecutorTest, CallableIsUsedInPlace) {
    struct Counter {
        std::atomic<int> calls{0};  // neither copied nor moved
        void operator()(int) { ++calls; }
    };
    Counter counter;
    parallel_for(*executor_, 10, counter);
    EXPECT_EQ(counter.calls, 10);
}

TEST_P(ExecutorTest, WorkMayCallTheSameExecutor) {
    std::atomic<int> runs{0};
    parallel_for(*executor_, 5, [&](int) { parallel_for(*executor_, 7, [&](int) { ++runs; }); });
    EXPECT_EQ(runs, 35);
}

TEST_P(ExecutorTest, TwoThreadsMayCallAtOnce) {
    std::atomic<int> runs{0};
    const auto call_often = [&] {
        for (int call = 0; call < 1000; ++call) parallel_for(*executor_, 6, [&](int) { ++runs; });
    };
    std::thread other(call_often);
    call_often();
    other.join();
    EXPECT_EQ(runs, 12'000);
}

#if defined(__SSE2__)
TEST_P(ExecutorTest, DenormalsAreOffInTheWorkAndAsBeforeAfterIt) {
    ASSERT_FALSE(DenormalsOff::active());
    std::vector<double> halves(64, -1);
    volatile double smallest = std::numeric_limits<double>::min();
    parallel_for(*executor_, 64, [&](int i) { halves[static_cast<std::size_t>(i)] = smallest * 0.5; });
    for (const double half : halves) EXPECT_EQ(half, 0.0);
    EXPECT_FALSE(DenormalsOff::active());
    EXPECT_GT(smallest * 0.5, 0.0);
}
#endif

TEST_P(ExecutorTest, ManyAreMadeAndUnmade) {
    for (int i = 0; i < 50; ++i) {
        const auto executor = std::move(make_executor(GetParam().kind, GetParam().threads).value());
        std::atomic<int> runs{0};
        if (i % 2 == 0) parallel_for(*executor, 3, [&](int) { ++runs; });
        EXPECT_EQ(runs, i % 2 == 0 ? 3 : 0);
    }
}

// ThreadSanitizer does not see into Debian's oneTBB: its runs leave out everything named Tbb.
INSTANTIATE_TEST_SUITE_P(Inline, ExecutorTest, testing::Values(Kind{"inline", 1}, Kind{"inline", 4}));
INSTANTIATE_TEST_SUITE_P(Threads, ExecutorTest,
                         testing::Values(Kind{"threads", 1}, Kind{"threads", 2}, Kind{"threads", 4}));
INSTANTIATE_TEST_SUITE_P(Tbb, ExecutorTest, testing::Values(Kind{"tbb", 1}, Kind{"tbb", 2}, Kind{"tbb", 4}));

TEST(ThreadsExecutorTest, EveryThreadTakesItsFixedPart) {
    const auto executor = std::move(make_executor("threads", 4).value());
    std::vector<std::thread::id> ran_on(10);
    for (int call = 0; call < 3; ++call) {
        std::vector<std::thread::id> now(10);
        parallel_for(*executor, 10, [&](int i) { now[static_cast<std::size_t>(i)] = std::this_thread::get_id(); });
        EXPECT_EQ(std::set<std::thread::id>(now.begin(), now.end()).size(), 4u);
        EXPECT_EQ(now[0], std::this_thread::get_id());
        if (call > 0) {
            EXPECT_EQ(now, ran_on);
        }
        ran_on = now;
    }
}

TEST(MakeExecutorTest, BadInputIsOneSentence) {
    EXPECT_EQ(make_executor("gpu", 2).error(), "The executor 'gpu' does not exist; use inline, tbb or threads.");
    EXPECT_EQ(make_executor("inline", 0).error(), "The number of threads is 0, it must be between 1 and 256.");
    EXPECT_EQ(make_executor("threads", 257).error(), "The number of threads is 257, it must be between 1 and 256.");
}

}  // namespace
}  // namespace letoff::core
