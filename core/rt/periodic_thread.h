// A thread that runs work once a tick (periodic_loop.h) with the privileges asked for, denormals off, its stack touched
// and every signal left to other threads.
//
// Threads: start() and the destructor by the owner; stop() by any thread, several at once, and even by the work (which
// then ends after this tick; its owner joins). The clock, work and fault counters must outlive the thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "core/result.h"
#include "core/rt/periodic_loop.h"
#include "core/rt/privilege.h"

namespace letoff::core {

class PeriodicThread {
  public:
    /// name: what `top -H` shows, at most 15 bytes.
    PeriodicThread(std::string name, Clock& clock, PeriodicWork& work, FaultCounters& faults,
                   const RtCalls& calls = system_rt_calls());
    ~PeriodicThread() { stop(); }
    PeriodicThread(const PeriodicThread&) = delete;
    PeriodicThread& operator=(const PeriodicThread&) = delete;

    /// Once. Returns when the thread has its privileges, or the sentence why it has not; an error starts no loop.
    /// Work's tick 1 is the clock's next tick.
    Result<RtGrant> start(RtMode mode, int priority);
    /// Returns when the last tick is done. Wakes an idle loop.
    void stop() noexcept;

    bool running() const noexcept { return running_.load(std::memory_order_acquire); }
    PeriodicLoop& loop() noexcept { return loop_; }
    const PeriodicLoop& loop() const noexcept { return loop_; }

  private:
    void run() noexcept;

    const std::string name_;
    Clock& clock_;
    const RtCalls& calls_;
    ThreadCpuClock cpu_;
    PeriodicLoop loop_;
    std::atomic<bool> stopping_{false}, running_{false};
    std::mutex joining_;
    std::atomic<std::thread::id> id_;  // the thread's own, while it runs
    std::thread thread_;
};

}  // namespace letoff::core
