// Runs the same work for indices 0..count-1, on one thread or several. Each index is run exactly once; in which order
// and on which thread is not promised, so work whose indices share nothing gives the same bits under every executor.
// The call returns when all indices are done, and what they wrote is visible to the caller.
//
//   inline   on the calling thread
//   threads  on the caller and threads - 1 workers of its own, each with a fixed part of the indices; workers spin a
//            while for the next call before they sleep
//   tbb      on oneTBB's workers
//
// The call allocates nothing (inline, threads; oneTBB keeps task memory of its own). Work must not throw: it would end
// the program. Work may call the same executor again, and two threads may call it at once (`threads` then runs the
// second call inline). Workers inherit the scheduling class of the thread that makes the executor. Denormals are off
// wherever the work runs.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>

#include "core/result.h"

namespace letoff::core {

class Executor {
  public:
    using Work = void (*)(void* context, int index);

    virtual ~Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    virtual void run(int count, Work work, void* context) noexcept = 0;
    virtual std::string_view kind() const noexcept = 0;
    virtual int threads() const noexcept = 0;  // the caller included

  protected:
    Executor() = default;
    /// Indices begin..end-1 on this thread, denormals off.
    static void run_range(int begin, int end, Work work, void* context) noexcept;
};

/// Calls f(index) for every index of 0..count-1. Takes f by pointer: nothing is copied or allocated.
template <typename F>
void parallel_for(Executor& executor, int count, F&& f) noexcept {
    using Callable = std::remove_reference_t<F>;
    const void* address = &f;
    executor.run(
        count, [](void* context, int index) { (*static_cast<Callable*>(context))(index); }, const_cast<void*>(address));
}

inline constexpr int kMaxExecutorThreads = 256;  // more than any machine this is meant for; catches a mistyped number

/// kind: inline, tbb or threads; threads: 1..kMaxExecutorThreads, the calling thread included (inline always uses one).
Result<std::unique_ptr<Executor>> make_executor(std::string_view kind, int threads);

}  // namespace letoff::core
