// Between a device's real-time thread and what it plays: the one thing that both the device's thread and the control
// thread touch. The source can be taken away at any time, also from a device whose thread hangs or is still running
// after it was given up: then the device gets silence. Counts and times every block.
//
//   block() marks itself busy, then reads the source; shut() clears the source, then waits until not busy: whichever
//   comes first in the single order of these four, no block runs on the source after shut() has returned.
//
// Threads: block() on the device's thread, real-time safe: no system call but the clock, which is none (vDSO), unless
// measure_thread_time is asked for. The rest on the control thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "audio/live/block_source.h"
#include "core/rt/histogram.h"

namespace letoff::audio {

/// Of one AudioOut, over all the devices that it has had.
struct CallbackCounters {
    core::Histogram wall_us;    // a block's time on the wall, and ...
    core::Histogram thread_us;  // ... of the thread's processor, where it is measured
    std::atomic<std::int64_t> blocks{0};
    std::atomic<std::int64_t> xruns{0};             // that the host reported
    std::atomic<std::int64_t> over_period{0};       // blocks that took longer than they last, on the wall: ...
    std::atomic<std::int64_t> ours_over_period{0};  // ... and on the processor: not the host's doing, but ours
};

class CallbackGate {
  public:
    CallbackGate(CallbackCounters& counters, bool measure_thread_time)
        : counters_(counters), measure_thread_time_(measure_thread_time) {}

    /// Device's thread. False: there is no source, `left` and `right` are silence.
    bool block(float* left, float* right, int frames, int rate_hz, std::int64_t request_ns, bool xrun) noexcept;

    void open(BlockSource& source) noexcept;
    /// False: a block has been running for more than a second; the source must not be touched before it is done.
    bool shut() noexcept;

    std::int64_t last_block_ns() const noexcept { return last_ns_.load(std::memory_order_acquire); }
    std::int64_t blocks() const noexcept { return blocks_.load(std::memory_order_acquire); }

  private:
    CallbackCounters& counters_;
    const bool measure_thread_time_;
    std::atomic<BlockSource*> source_{nullptr};
    std::atomic<bool> busy_{false};
    std::atomic<std::int64_t> last_ns_{0};
    std::atomic<std::int64_t> blocks_{0};
};

}  // namespace letoff::audio
