// The ring between the keybed's thread, which tells what it plays, and the thread that keeps it.
//
// Threads: push() on the keybed's thread, real-time safe; pop() on one other. lost() anywhere.
// Errors: Fault::kStorageQueueFull for every event that found the ring full.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/event/take_event.h"
#include "core/fault/fault.h"
#include "core/rt/ring.h"

namespace letoff::core {

class TakeTap {
  public:
    /// 1 s of 40 messages in every millisecond: a disk that stands still for so long loses nothing.
    static constexpr std::size_t kEvents = 1 << 16;

    explicit TakeTap(FaultCounters& faults, std::size_t events = kEvents) : faults_(faults), ring_(events) {}

    void push(const TakeEvent& event) noexcept {
        if (ring_.try_push(event)) return;
        faults_.raise(Fault::kStorageQueueFull);
        lost_.fetch_add(1, std::memory_order_relaxed);
    }
    bool pop(TakeEvent& event) noexcept { return ring_.try_pop(event); }
    std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  private:
    FaultCounters& faults_;
    Ring<TakeEvent> ring_;
    std::atomic<std::uint64_t> lost_{0};
};

}  // namespace letoff::core
