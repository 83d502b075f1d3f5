#include "core/rt/threads_executor.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "core/rt/denormals.h"

namespace letoff::core {

namespace {

// About 20 us on a 3 GHz core (one pause is 10 to 50 ns): longer than the gap between the calls of one tick, far
// shorter than a tick, so workers of an idle instrument sleep.
constexpr int kSpins = 1000;

void pause() noexcept {
#if defined(__SSE2__)
    _mm_pause();
#endif
}

/// Returns when `value` is no longer `old`: spins, then sleeps.
std::uint32_t wait_while_equal(const std::atomic<std::uint32_t>& value, std::uint32_t old) noexcept {
    for (int spin = 0; spin < kSpins; ++spin) {
        const std::uint32_t now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        pause();
    }
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadsExecutor::ThreadsExecutor(int threads) : threads_(threads) {
    workers_.reserve(static_cast<std::size_t>(threads - 1));
    try {
        for (int worker = 1; worker < threads; ++worker) {
            workers_.emplace_back([this, worker] { work_loop(worker); });
        }
    } catch (...) {
        stop();  // the destructor does not run for a constructor that throws
        throw;
    }
}

ThreadsExecutor::~ThreadsExecutor() {
    stop();
}

void ThreadsExecutor::stop() noexcept {
    stopping_ = true;
    call_.fetch_add(1);
    call_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadsExecutor::run(int count, Work work, void* context) noexcept {
    if (count <= 0) return;
    if (threads_ == 1 || count == 1 || busy_.exchange(true, std::memory_order_acquire)) {
        run_range(0, count, work, context);
        return;
    }
    count_ = count;
    work_ = work;
    context_ = context;
    running_.store(static_cast<std::uint32_t>(threads_ - 1), std::memory_order_relaxed);
    call_.fetch_add(1);  // sequentially consistent: notify_all's look for sleepers must not come before it
    call_.notify_all();
    run_part(0);
    for (std::uint32_t left = running_.load(std::memory_order_acquire); left != 0;)
        left = wait_while_equal(running_, left);
    busy_.store(false, std::memory_order_release);
}

void ThreadsExecutor::run_part(int worker) noexcept {
    const auto bound = [&](int w) { return static_cast<int>(std::int64_t{count_} * w / threads_); };
    run_range(bound(worker), bound(worker + 1), work_, context_);
}

void ThreadsExecutor::work_loop(int worker) noexcept {
    const DenormalsOff denormals_off;
    // Starts from 0, not from what call_ is now: a call made before this thread was up must not be missed. No call is
    // ever ahead by more than one, because the caller waits for every worker.
    for (std::uint32_t seen = 0;;) {
        seen = wait_while_equal(call_, seen);
        if (stopping_) return;
        run_part(worker);
        if (running_.fetch_sub(1) == 1) running_.notify_one();
    }
}

}  // namespace letoff::core
