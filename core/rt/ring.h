// Bounded ring for one producer thread and one consumer thread; neither ever waits, locks or allocates.
//
//   head_: next slot to write (producer), tail_: next slot to read (consumer); both count up for ever, slot = count mod
//   capacity. The producer's release store of head_ publishes the slot it wrote, the consumer's release store of tail_
//   gives the slot back. Each side keeps a copy of the other's count and reads the real one only when the copy says
//   full or empty, so a ring that is neither costs no cache miss.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "core/rt/cache_line.h"

namespace letoff::core {

template <typename T>
class Ring {
    static_assert(std::is_trivially_copyable_v<T>, "a copy in the ring must never allocate, lock or throw");
    static_assert(std::is_default_constructible_v<T>);

  public:
    /// Holds `least_capacity` values rounded up to a power of two. Allocates; not for a real-time thread.
    explicit Ring(std::size_t least_capacity)
        : mask_(std::bit_ceil(least_capacity < 1 ? std::size_t{1} : least_capacity) - 1),
          slots_(std::make_unique<T[]>(mask_ + 1)) {}
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    std::size_t capacity() const noexcept { return mask_ + 1; }

    /// Producer only. False: full, the value was not taken.
    bool try_push(const T& value) noexcept {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_seen_ > mask_) {
            tail_seen_ = tail_.load(std::memory_order_acquire);
            if (head - tail_seen_ > mask_) return false;
        }
        slots_[head & mask_] = value;
        head_.store(head + 1, std::memory_order_release);
        return true;
    }

    /// Consumer only. False: empty, `value` is untouched.
    bool try_pop(T& value) noexcept {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail == head_seen_) {
            head_seen_ = head_.load(std::memory_order_acquire);
            if (tail == head_seen_) return false;
        }
        value = slots_[tail & mask_];
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

  private:
    const std::size_t mask_;
    const std::unique_ptr<T[]> slots_;
    alignas(kCacheLine) std::atomic<std::size_t> head_{0};
    std::size_t tail_seen_ = 0;  // the producer's copy, on the producer's line
    alignas(kCacheLine) std::atomic<std::size_t> tail_{0};
    std::size_t head_seen_ = 0;  // the consumer's copy
};

}  // namespace letoff::core
