#include "core/rt/monotonic_clock.h"

#include <cerrno>

namespace letoff::core {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct Division {
    std::int64_t quotient, remainder;
};
/// Rounded down, so that the remainder is never negative: time before time zero is time too.
Division divide(std::int64_t a, std::int64_t b) noexcept {
    const std::int64_t quotient = a / b, remainder = a % b;
    return remainder < 0 ? Division{quotient - 1, remainder + b} : Division{quotient, remainder};
}

}  // namespace

timespec timespec_of(std::int64_t monotonic_ns) noexcept {
    return {static_cast<time_t>(monotonic_ns / kNsPerSecond), static_cast<long>(monotonic_ns % kNsPerSecond)};
}

std::int64_t monotonic_now_ns() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

void sleep_until_ns(std::int64_t monotonic_ns) noexcept {
    const timespec until = timespec_of(monotonic_ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

MonotonicClock::MonotonicClock(int tick_hz, std::int64_t zero_ns) noexcept : tick_hz_(tick_hz), zero_ns_(zero_ns) {}

// Whole seconds apart, in both: ticks times 1e9 would pass 2^63 within two weeks at 8 kHz.
std::int64_t MonotonicClock::ns_of_tick(std::int64_t tick) const noexcept {
    const Division second = divide(tick, tick_hz_);
    return zero_ns_ + second.quotient * kNsPerSecond + (second.remainder * kNsPerSecond + tick_hz_ - 1) / tick_hz_;
}

std::int64_t MonotonicClock::tick_at(std::int64_t monotonic_ns) const noexcept {
    const Division second = divide(monotonic_ns - zero_ns_, kNsPerSecond);
    return second.quotient * tick_hz_ + second.remainder * tick_hz_ / kNsPerSecond;
}

double MonotonicClock::seconds_at(std::int64_t monotonic_ns) const noexcept {
    return static_cast<double>(monotonic_ns - zero_ns_) / static_cast<double>(kNsPerSecond);
}

std::int64_t MonotonicClock::ns_at(double seconds) const noexcept {
    const double ns = seconds * static_cast<double>(kNsPerSecond);
    return zero_ns_ + static_cast<std::int64_t>(ns < 0 ? ns - 0.5 : ns + 0.5);
}

bool MonotonicClock::wait_until(std::int64_t tick) noexcept {
    const std::int64_t now_ns = monotonic_now_ns(), until_ns = ns_of_tick(tick);
    if (now_ns >= until_ns) return now_ns < ns_of_tick(tick + 1);
    sleep_until_ns(until_ns);
    return true;
}

}  // namespace letoff::core
