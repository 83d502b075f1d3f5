// The ring between the keybed's thread, which tells what it plays, and the thread that keeps it. It is switched on and
// off while it is played; each telling has a number, which its first event (TakeKind::begin) carries, so that what is
// left in the ring of an earlier one is known.
//
// Threads: push() and telling() on the keybed's thread, real-time safe; pop() on one other, which also switches. lost()
// anywhere.
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
    /// From the keybed's next tick on, also where it is told already: then that telling ends. The number of the new
    /// one.
    std::uint32_t switch_on() noexcept {
        const std::uint32_t before = telling_.load(std::memory_order_relaxed);
        const std::uint32_t next = before + (is_on(before) ? 2 : 1);
        telling_.store(next, std::memory_order_release);
        return next;
    }
    void switch_off() noexcept {
        const std::uint32_t before = telling_.load(std::memory_order_relaxed);
        if (is_on(before)) telling_.store(before + 1, std::memory_order_release);
    }
    /// The number of the telling that is asked for, or after the last one a number that is none.
    std::uint32_t telling() const noexcept { return telling_.load(std::memory_order_acquire); }
    static constexpr bool is_on(std::uint32_t telling) { return (telling & 1U) != 0; }

    bool pop(TakeEvent& event) noexcept { return ring_.try_pop(event); }
    std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  private:
    FaultCounters& faults_;
    Ring<TakeEvent> ring_;
    std::atomic<std::uint64_t> lost_{0};
    std::atomic<std::uint32_t> telling_{0};  // odd: on
};

}  // namespace letoff::core
