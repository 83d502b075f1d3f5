// Wall time for the live instrument: CLOCK_MONOTONIC, cut into ticks from a chosen instant, time zero.
//
//   tick j begins at t0 + j / tick_hz; seconds and ticks count from t0, nanoseconds are CLOCK_MONOTONIC's own.
//
// Waits are absolute, so no error adds up from tick to tick, and a signal in the middle of a wait changes nothing.
// CLOCK_MONOTONIC is slewed by at most 500 ppm (adjtimex) and never steps; it stands still while the machine is
// suspended.
//
// Threads: wait_until and wait_until_or_wake belong to one thread; reading the time is allowed everywhere and is no
// system call (vDSO) where the machine's clock source allows it; wake() is for threads that may call the system.
#pragma once

#include <time.h>

#include <cstdint>

#include "core/port/clock.h"
#include "core/rt/wake_signal.h"

namespace letoff::core {

/// CLOCK_MONOTONIC now.
std::int64_t monotonic_now_ns() noexcept;
/// An instant of CLOCK_MONOTONIC as the system's calls have it.
timespec timespec_of(std::int64_t monotonic_ns) noexcept;
/// Until CLOCK_MONOTONIC is there, whatever signals come meanwhile. A system call.
void sleep_until_ns(std::int64_t monotonic_ns) noexcept;

class MonotonicClock final : public Clock {
  public:
    /// tick_hz >= 1. zero_ns may lie in the future: ticks and seconds are negative until then.
    explicit MonotonicClock(int tick_hz, std::int64_t zero_ns = monotonic_now_ns()) noexcept;

    int tick_hz() const noexcept override { return tick_hz_; }
    std::int64_t now_ticks() const noexcept override { return tick_at(monotonic_now_ns()); }
    double now_s() const noexcept override { return seconds_at(monotonic_now_ns()); }
    bool wait_until(std::int64_t tick) noexcept override;
    void wait_until_or_wake(std::int64_t tick) noexcept override { wake_.wait_until_ns(ns_of_tick(tick)); }
    void wake() noexcept override { wake_.wake(); }

    std::int64_t zero_ns() const noexcept { return zero_ns_; }
    /// The first nanosecond of a tick; exact for every rate that divides 1e9, else rounded up.
    std::int64_t ns_of_tick(std::int64_t tick) const noexcept;
    /// The tick that an instant lies in; tick_at(ns_of_tick(j)) is j.
    std::int64_t tick_at(std::int64_t monotonic_ns) const noexcept;
    double seconds_at(std::int64_t monotonic_ns) const noexcept;
    /// To the nearest nanosecond; the other way round gives the same number back for 50 days (2^52 ns).
    std::int64_t ns_at(double seconds) const noexcept;

  private:
    const int tick_hz_;
    const std::int64_t zero_ns_;
    WakeSignal wake_;
};

}  // namespace letoff::core
