// The guard itself: it must see what it is there to see, or every test that stands on it is green for nothing.
#include "tests/rt/rt_guard.h"

#include <gtest/gtest.h>
#include <semaphore.h>
#include <time.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace letoff::test {
namespace {

/// Keeps the compiler from leaving out an allocation that nobody uses.
void escape(void* memory) {
    asm volatile("" : : "r"(memory) : "memory");
}

TEST(RtGuardTest, SeesEachOfTheMallocFamily) {
    RtGuard guard;
    void* memory[5] = {std::malloc(10), std::calloc(2, 5), std::aligned_alloc(64, 64), nullptr, nullptr};
    escape(memory);
    memory[1] = std::realloc(memory[1], 100);
    const int failed = posix_memalign(&memory[3], 64, 10);
    memory[4] = std::realloc(nullptr, 10);
    escape(memory);
    for (void* one : memory) std::free(one);
    std::free(nullptr);  // allowed: it does nothing
    guard.disarm();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(guard.count(RtViolation::kAllocate), 6);
    EXPECT_EQ(guard.count(RtViolation::kFree), 5);
    EXPECT_EQ(guard.total(), 11);
}

TEST(RtGuardTest, SeesEachFormOfNewAndDeleteOnce) {
    struct alignas(128) Wide {
        double x[16];
    };
    RtGuard guard;
    int* one = new int(1);
    int* many = new int[10];
    Wide* wide = new Wide{};
    Wide* wides = new Wide[2];
    int* tried = new (std::nothrow) int(2);
    for (void* memory : std::initializer_list<void*>{one, many, wide, wides, tried}) escape(memory);
    delete one;
    delete[] many;
    delete wide;
    delete[] wides;
    delete tried;
    guard.disarm();
    EXPECT_EQ(guard.count(RtViolation::kAllocate), 5);
    EXPECT_EQ(guard.count(RtViolation::kFree), 5);
}

TEST(RtGuardTest, SeesWhatTheLibraryAllocates) {
    std::vector<int> numbers;
    RtGuard guard;
    numbers.push_back(1);
    const std::function<int()> big = [copy = std::array<int, 20>{}] { return copy[0]; };
    guard.disarm();
    EXPECT_EQ(guard.count(RtViolation::kAllocate), 2);
    EXPECT_EQ(big(), 0);
}

TEST(RtGuardTest, SeesLocksAndWaits) {
    std::mutex mutex;
    std::condition_variable condition;
    RtGuard guard;
    {
        std::unique_lock lock(mutex);
        // In the past: it calls the wait and returns, without sleeping.
        condition.wait_until(lock, std::chrono::steady_clock::time_point{});
        condition.wait_until(lock, std::chrono::system_clock::time_point{});
    }
    guard.disarm();
    EXPECT_EQ(guard.count(RtViolation::kLock), 1);
    EXPECT_EQ(guard.count(RtViolation::kWait), 2);
    EXPECT_EQ(guard.total(), 3);
}

TEST(RtGuardTest, SeesTimedLocksAndSemaphores) {
    std::timed_mutex mutex;
    sem_t semaphore;
    sem_init(&semaphore, 0, 3);
    const timespec past{};
    RtGuard guard;
    if (mutex.try_lock_for(std::chrono::seconds(1))) mutex.unlock();
    sem_wait(&semaphore);
    sem_timedwait(&semaphore, &past);
    sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past);
    guard.disarm();
    EXPECT_EQ(guard.count(RtViolation::kLock), 1);
    EXPECT_EQ(guard.count(RtViolation::kWait), 3);
    sem_destroy(&semaphore);
}

TEST(RtGuardTest, SeesAnEndlessWaitThatIsWoken) {
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread waker;
    std::int64_t waits = 0;
    {
        std::unique_lock lock(mutex);
        waker = std::thread([&] {
            const std::lock_guard inner(mutex);  // free only once the other waits
            ready = true;
            condition.notify_one();
        });
        RtGuard guard;
        while (!ready) condition.wait(lock);
        guard.disarm();
        waits = guard.count(RtViolation::kWait);
    }
    waker.join();
    EXPECT_GE(waits, 1);
}

TEST(RtGuardTest, CountsOnlyItsOwnThreadAndOnlyWhileArmed) {
    const std::int64_t before = rt_violations_of_all_threads();
    RtGuard guard;
    guard.disarm();
    void* memory = std::malloc(8);
    escape(memory);
    std::free(memory);
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(guard.report(), "no violation");
    std::int64_t of_other = 0;
    std::thread other([&] {
        RtGuard guard_of_other;
        void* lost = std::malloc(8);
        escape(lost);
        guard_of_other.disarm();
        std::free(lost);
        of_other = guard_of_other.total();
    });
    other.join();
    EXPECT_EQ(of_other, 1);
    EXPECT_EQ(rt_violations_of_all_threads() - before, 1);
}

TEST(RtGuardTest, GuardsNestAndTheReportNamesTheFirstCall) {
    std::mutex mutex;
    RtGuard outer;
    RtGuard inner;
    mutex.lock();
    mutex.unlock();
    inner.disarm();
    void* memory = std::malloc(8);
    escape(memory);
    std::free(memory);
    outer.disarm();
    EXPECT_EQ(inner.total(), 1);
    EXPECT_EQ(outer.total(), 3);
    const std::string report = outer.report();
    EXPECT_TRUE(report.starts_with("1 allocations, 1 frees, 1 locks, 0 waits; the first was pthread_mutex_lock from "))
        << report;
    EXPECT_NE(report.find("+0x"), std::string::npos);
}

}  // namespace
}  // namespace letoff::test
