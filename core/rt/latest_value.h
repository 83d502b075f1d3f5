// The latest value of something, from one writer thread to one reader thread: a triple buffer. The writer never waits
// and never fails, the reader always gets a whole value, and values between two reads are lost. For telemetry and the
// page's snapshot.
//
//   Three slots: the writer owns one, the reader owns one, the third is in the middle. write() fills the writer's slot
//   and swaps it with the middle one, marked fresh; update() swaps the reader's slot with the middle one if that is
//   fresh.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "core/rt/cache_line.h"

namespace letoff::core {

template <typename T>
class LatestValue {
    static_assert(std::is_trivially_copyable_v<T>, "a copy must never allocate, lock or throw");

  public:
    LatestValue() = default;
    explicit LatestValue(const T& first) {
        for (Slot& slot : slots_) slot.value = first;
    }
    LatestValue(const LatestValue&) = delete;
    LatestValue& operator=(const LatestValue&) = delete;

    /// Writer only: the slot to fill in place before publish(). Holds an old value, not the last one written.
    T& draft() noexcept { return slots_[writer_].value; }
    /// Writer only.
    void publish() noexcept {
        const unsigned was = middle_.exchange(writer_ | kFresh, std::memory_order_acq_rel);
        writer_ = was & kSlotMask;
    }
    /// Writer only.
    void write(const T& value) noexcept {
        draft() = value;
        publish();
    }

    /// Reader only: takes the newest value. False: nothing was written since the last call.
    bool update() noexcept {
        if ((middle_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
        reader_ = middle_.exchange(reader_, std::memory_order_acq_rel) & kSlotMask;
        return true;
    }
    /// Reader only: the value of the last update(), unchanged until the next.
    const T& value() const noexcept { return slots_[reader_].value; }

  private:
    static constexpr unsigned kFresh = 4;
    static constexpr unsigned kSlotMask = 3;
    struct alignas(kCacheLine) Slot {
        T value{};
    };

    std::array<Slot, 3> slots_{};
    alignas(kCacheLine) unsigned writer_ = 0;
    alignas(kCacheLine) std::atomic<unsigned> middle_{1};
    alignas(kCacheLine) unsigned reader_ = 2;
};

}  // namespace letoff::core
