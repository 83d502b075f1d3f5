#include "audio/device/callback_gate.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/rt/monotonic_clock.h"

namespace letoff::audio {
namespace {

std::int64_t read_ns(clockid_t clock) noexcept {
    timespec time{};
    if (clock_gettime(clock, &time) != 0) return -1;
    return std::int64_t{1000000000} * time.tv_sec + time.tv_nsec;
}

void add_one(std::atomic<std::int64_t>& count) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

bool CallbackGate::block(float* left, float* right, int frames, int rate_hz, std::int64_t request_ns,
                         bool xrun) noexcept {
    busy_.store(true, std::memory_order_seq_cst);
    BlockSource* source = source_.load(std::memory_order_seq_cst);
    if (source == nullptr) {
        std::fill_n(left, frames, 0.0F);
        std::fill_n(right, frames, 0.0F);
        busy_.store(false, std::memory_order_release);
        return false;
    }
    if (thread_clock_.load(std::memory_order_relaxed) == kNoClock) {
        clockid_t clock{};
        if (pthread_getcpuclockid(pthread_self(), &clock) == 0) thread_clock_.store(clock, std::memory_order_release);
    }
    const std::int64_t begin_ns = core::monotonic_now_ns();
    const std::int64_t thread_begin_ns = measure_thread_time_ ? read_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    source->render(left, right, frames, request_ns);
    const double period_us = 1e6 * frames / rate_hz;
    if (measure_thread_time_) {
        const double us = 1e-3 * static_cast<double>(read_ns(CLOCK_THREAD_CPUTIME_ID) - thread_begin_ns);
        counters_.thread_us.add_us(us);
        if (us > period_us) add_one(counters_.ours_over_period);
    }
    const double us = 1e-3 * static_cast<double>(core::monotonic_now_ns() - begin_ns);
    counters_.wall_us.add_us(us);
    if (us > period_us) add_one(counters_.over_period);
    if (xrun) add_one(counters_.xruns);
    add_one(counters_.blocks);
    last_ns_.store(begin_ns, std::memory_order_release);
    add_one(blocks_);
    busy_.store(false, std::memory_order_release);
    return true;
}

void CallbackGate::open(BlockSource& source) noexcept {
    last_ns_.store(core::monotonic_now_ns(), std::memory_order_release);
    source_.store(&source, std::memory_order_seq_cst);
}

bool CallbackGate::shut() noexcept {
    source_.store(nullptr, std::memory_order_seq_cst);
    const std::int64_t until_ns = core::monotonic_now_ns() + 1000000000;
    while (busy_.load(std::memory_order_seq_cst)) {
        if (core::monotonic_now_ns() > until_ns) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
}

double CallbackGate::thread_share() noexcept {
    const clockid_t clock = thread_clock_.load(std::memory_order_acquire);
    const std::int64_t thread_ns = clock == kNoClock ? -1 : read_ns(clock);
    const std::int64_t wall_ns = core::monotonic_now_ns();
    double share = -1;
    if (thread_ns >= 0 && share_wall_ns_ > 0 && wall_ns > share_wall_ns_)
        share = static_cast<double>(thread_ns - share_thread_ns_) / static_cast<double>(wall_ns - share_wall_ns_);
    share_wall_ns_ = thread_ns >= 0 ? wall_ns : 0;
    share_thread_ns_ = thread_ns;
    return share;
}

}  // namespace letoff::audio
