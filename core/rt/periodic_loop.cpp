#include "core/rt/periodic_loop.h"

#include <time.h>

#include <algorithm>

namespace letoff::core {

namespace {

constexpr double kUsPerSecond = 1e6;

/// One writer: no read-modify-write needed.
void add(std::atomic<std::int64_t>& count, std::int64_t more) noexcept {
    count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

double ThreadCpuClock::used_s() noexcept {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

PeriodicLoop::PeriodicLoop(Clock& clock, CpuClock& cpu, PeriodicWork& work, FaultCounters& faults) noexcept
    : clock_(clock),
      cpu_(cpu),
      work_(work),
      faults_(faults),
      period_s_(1.0 / clock.tick_hz()),
      max_backlog_ticks_(static_cast<std::int64_t>(kMaxBacklog_s * clock.tick_hz())),
      max_idle_ticks_(static_cast<std::int64_t>(kMaxIdle_s * clock.tick_hz())) {}

void PeriodicLoop::begin() noexcept {
    zero_tick_.store(clock_.now_ticks(), std::memory_order_release);
    last_cpu_s_ = cpu_.used_s();
}

std::int64_t PeriodicLoop::allowed_idle() noexcept {
    const std::int64_t wanted = std::min(work_.idle_ticks(), max_idle_ticks_);
    return wanted > 1 ? wanted : 0;
}

void PeriodicLoop::judge(double lateness_s) noexcept {
    late_ = lateness_s >= period_s_;
    if (!late_) return;
    faults_.raise(Fault::kTickLate);
    add(own_backlog_s_ > 0 ? late_ours_ : late_hosts_, 1);
}

void PeriodicLoop::step() noexcept {
    std::int64_t zero = zero_tick_.load(std::memory_order_relaxed);
    const std::int64_t idle = allowed_idle();
    const std::int64_t planned = std::max<std::int64_t>(1, idle);
    if (idle > 0) {
        clock_.wait_until_or_wake(zero + tick_ + planned);
    } else {
        clock_.wait_until(zero + tick_ + planned);
    }
    const std::int64_t due = clock_.now_ticks() - zero;  // the last tick whose time has come
    const double start_s = clock_.now_s();

    // Woken early: only the ticks that have passed, perhaps none.
    const std::int64_t count = idle > 0 ? std::min(due - tick_, planned) : 1;
    if (count <= 0) return;
    const bool in_time = count == planned;  // else nothing was to happen at this moment
    const std::int64_t last = tick_ + count;
    const double lateness_s = start_s - static_cast<double>(zero + last) * period_s_;
    late_ = false;
    if (in_time) {
        lateness_.add_us(lateness_s * kUsPerSecond);
        judge(lateness_s);
    }
    if (planned == 1 && last_was_one_) period_.add_us((start_s - last_start_s_) * kUsPerSecond);
    last_start_s_ = start_s;
    last_was_one_ = planned == 1;

    if (const std::int64_t behind = due - last; behind > max_backlog_ticks_) {
        zero += behind;
        zero_tick_.store(zero, std::memory_order_release);
        add(skipped_, behind);
        own_backlog_s_ = 0;
        work_.on_gap(behind);
    }
    if (idle > 0) {
        work_.on_idle(tick_ + 1, count);
        add(idled_, count);
    } else {
        work_.on_period(last);
    }
    tick_ = last;
    add(ticks_, count);

    const double execution_s = clock_.now_s() - start_s;
    const double cpu_now_s = cpu_.used_s();
    const double cpu_s = cpu_now_s - last_cpu_s_;
    last_cpu_s_ = cpu_now_s;
    own_backlog_s_ = std::max(0.0, own_backlog_s_ + cpu_s - static_cast<double>(count) * period_s_);
    execution_.add_us(execution_s * kUsPerSecond);
    cpu_time_.add_us(cpu_s * kUsPerSecond);
    box_.record({last, lateness_s, execution_s, cpu_s});
    if (late_) box_.freeze();
}

}  // namespace letoff::core
