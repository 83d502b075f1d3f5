#include "audio/device/callback_gate.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/rt/monotonic_clock.h"
#include "core/rt/periodic_loop.h"

namespace letoff::audio {
namespace {

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
    const std::int64_t begin_ns = core::monotonic_now_ns();
    core::ThreadCpuClock thread;
    const double thread_begin_s = measure_thread_time_ ? thread.used_s() : 0;
    source->render(left, right, frames, request_ns);
    const double period_us = 1e6 * frames / rate_hz;
    if (measure_thread_time_) {
        const double us = 1e6 * (thread.used_s() - thread_begin_s);
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

}  // namespace letoff::audio
