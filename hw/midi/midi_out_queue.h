// Messages from the real-time thread to the thread that sends them.
//
// Threads: push() on one real-time thread, no system call, lock or allocation; pop() and take_overflow() on the sender.
// Errors: Fault::kMidiOutputOverflow for every message that found the ring full.
#pragma once

#include <atomic>
#include <cstddef>

#include "core/fault/fault.h"
#include "core/midi/message.h"
#include "core/rt/ring.h"

namespace letoff::hw {

class MidiOutQueue {
  public:
    static constexpr std::size_t kRingMessages = 4096;  // all 88 keys struck and released eleven times, with prefixes

    explicit MidiOutQueue(core::FaultCounters& faults, std::size_t messages = kRingMessages)
        : faults_(faults), ring_(messages) {}

    /// time_s: when it happened, of the keybed's clock.
    bool push(const core::MidiMessage& message, double time_s) noexcept {
        if (closed_.load(std::memory_order_relaxed)) return true;
        if (ring_.try_push({time_s, message})) return true;
        faults_.raise(core::Fault::kMidiOutputOverflow);
        overflow_.store(true, std::memory_order_release);
        return false;
    }

    bool pop(core::TimedMidiMessage& message) noexcept { return ring_.try_pop(message); }
    /// True once after messages were lost: a note-off may be among them.
    bool take_overflow() noexcept { return overflow_.exchange(false, std::memory_order_acq_rel); }
    /// Nobody listens: what is pushed is forgotten, until it is opened again.
    void close() noexcept { closed_.store(true, std::memory_order_relaxed); }
    void open() noexcept { closed_.store(false, std::memory_order_relaxed); }

  private:
    core::FaultCounters& faults_;
    core::Ring<core::TimedMidiMessage> ring_;
    std::atomic<bool> overflow_{false};
    std::atomic<bool> closed_{false};
};

}  // namespace letoff::hw
