// The body of a loop that runs some work once a tick of a clock: waits, measures, judges lateness, catches up. It knows
// neither threads nor the kind of clock, so tests drive it step by step with a clock of their own; PeriodicThread gives
// it a thread.
//
//   Tick j is run at clock time t_j = (zero_tick + j) / tick_hz, j = 1, 2, ...; the work brings its state to exactly
//   t_j. zero_tick is where the clock stood at begin().
//
// Late: a tick that starts a whole period or more after t_j. It counts Fault::kTickLate and freezes the black box after
// it. Whose fault it was: the backlog that this thread's own processor time alone would have made,
//   b_j = max(0, b_(j-1) + cpu_j - period)     (Lindley 1952),
// so b > 0 says that on a machine that never took the processor away the tick would have been late too: ours. b = 0:
// the thread was not given the processor: the host's. Waiting asleep for an executor's workers is no processor time of
// this thread, so what they are late with counts as the host's.
//
// Catching up: ticks whose time has come are run at once, one after the other, until the state has reached the present.
// Behind by more than kMaxBacklog_s, the loop gives up what is missing: zero_tick moves on by as many ticks (time zero
// is later now) and the work is told. So a machine that is too slow plays slowed-down time with gaps instead of falling
// back for ever.
//
// Idle: work that sleeps says how many ticks nobody needs one by one. The loop then waits that long, at most
// kMaxIdle_s, or until the clock's wake(), and hands over all ticks that passed in one call. A thread that gives the
// work something to do puts it into the ring first, then wakes the clock; the work looks at the ring when asked for its
// idle ticks, so nothing is overlooked.
//
// Threads: begin() and step() by one thread; they allocate nothing and call the system only through the two clocks: to
// sleep, and once a step for the processor time. Figures are for any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/fault/black_box.h"
#include "core/fault/fault.h"
#include "core/port/clock.h"
#include "core/rt/histogram.h"

namespace letoff::core {

class PeriodicWork {
  public:
    virtual ~PeriodicWork() = default;
    /// Brings the state from tick - 1 to tick.
    virtual void on_period(std::int64_t tick) noexcept = 0;
    /// How many of the next ticks need not be run at their own time. 0 or 1: none.
    virtual std::int64_t idle_ticks() noexcept { return 0; }
    /// Brings the state from first - 1 to first + count - 1. What arrived meanwhile acts at its own time all the same.
    virtual void on_idle(std::int64_t first, std::int64_t count) noexcept {
        for (std::int64_t tick = first; tick < first + count; ++tick) on_period(tick);
    }
    /// So many ticks of time will never be run; the next tick's number follows the last one's as always.
    virtual void on_gap(std::int64_t /*ticks*/) noexcept {}
};

/// Processor time that the calling thread has used.
class CpuClock {
  public:
    virtual ~CpuClock() = default;
    virtual double used_s() noexcept = 0;
};

/// CLOCK_THREAD_CPUTIME_ID: a system call.
class ThreadCpuClock final : public CpuClock {
  public:
    double used_s() noexcept override;
};

struct TickRecord {
    std::int64_t tick = 0;
    double lateness_s = 0;   // start after t_j
    double execution_s = 0;  // wall time in the work
    double cpu_s = 0;        // this thread's processor time since the record before
};

class PeriodicLoop {
  public:
    // A stop that long is heard as a break whatever is done; caught up at a quarter of a core's load it takes 13 ms,
    // and the sound that comes of it is still fresh.
    static constexpr double kMaxBacklog_s = 0.05;
    // Bounds what a forgotten wake can cost; 250 wake-ups a second are some 0.2 % of a core.
    static constexpr double kMaxIdle_s = 0.004;
    static constexpr std::size_t kRecords = 64;

    PeriodicLoop(Clock& clock, CpuClock& cpu, PeriodicWork& work, FaultCounters& faults) noexcept;

    /// Once, before the first step, by the thread that steps.
    void begin() noexcept;
    /// Waits for the next tick (or the end of an idle stretch) and runs what has become due.
    void step() noexcept;

    /// The work's tick 0 is this tick of the clock; grows by every gap.
    std::int64_t zero_tick() const noexcept { return zero_tick_.load(std::memory_order_acquire); }
    std::int64_t ticks() const noexcept { return ticks_.load(std::memory_order_relaxed); }
    std::int64_t idled_ticks() const noexcept { return idled_.load(std::memory_order_relaxed); }  // of ticks()
    std::int64_t skipped_ticks() const noexcept { return skipped_.load(std::memory_order_relaxed); }
    std::int64_t late_ours() const noexcept { return late_ours_.load(std::memory_order_relaxed); }
    std::int64_t late_hosts() const noexcept { return late_hosts_.load(std::memory_order_relaxed); }
    const Histogram& lateness() const noexcept { return lateness_; }
    const Histogram& period() const noexcept { return period_; }
    const Histogram& execution() const noexcept { return execution_; }
    const Histogram& cpu() const noexcept { return cpu_time_; }
    /// The ticks up to the first late one since the last thaw. For one reader.
    BlackBox<TickRecord, kRecords>& black_box() noexcept { return box_; }

  private:
    void judge(double lateness_s) noexcept;
    std::int64_t allowed_idle() noexcept;

    Clock& clock_;
    CpuClock& cpu_;
    PeriodicWork& work_;
    FaultCounters& faults_;
    const double period_s_;
    const std::int64_t max_backlog_ticks_, max_idle_ticks_;

    std::int64_t tick_ = 0;  // the last one run
    double last_start_s_ = 0;
    bool last_was_one_ = false;  // the step before ran exactly one tick
    double last_cpu_s_ = 0;
    double own_backlog_s_ = 0;  // b above
    bool late_ = false;

    std::atomic<std::int64_t> zero_tick_{0}, ticks_{0}, idled_{0}, skipped_{0}, late_ours_{0}, late_hosts_{0};
    Histogram lateness_, period_, execution_, cpu_time_;
    BlackBox<TickRecord, kRecords> box_;
};

}  // namespace letoff::core
