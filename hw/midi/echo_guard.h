// Keeps our MIDI output from playing us, should someone connect it to our input: without it one note would strike, be
// sent, come back, strike again, for ever.
//
//   An echo is a message equal, byte for byte, to one that we sent in the last kWindow_ns. That alone happens to honest
//   players too, so:
//     - the velocity prefix (controller 88 or XP's 16) is dropped when it equals one sent in the window, and so is the
//       note that follows it when it equals one, too;
//     - three notes running that equal sent ones, without a prefix: something between takes the prefix away. Then, and
//       after an echo of the first kind, and while the port is seen to be connected to our output, the source is
//       suspect for kSuspect_ns: every message equal to one sent in the window is dropped.
//
//   Limits: what comes back later than the window or changed (transposed, other channel, scaled velocity) is not
//   known again. An honest note is lost only if its prefix and velocity, one of 16,384, come out equal to what its own
//   key sent less than 50 ms ago. Two JACK periods of 1024 frames at 44.1 kHz are 46 ms: longer ones pass the guard.
//
// Threads: sent() by the one sender thread, the rest by each source's own thread with its own EchoState; relaxed
// atomics, real-time safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/midi/message.h"

namespace letoff::hw {

struct EchoState {
    std::atomic<bool> connected_to_us{false};  // set by the control thread
    bool prefix_was_echo = false;
    int equal_notes = 0;
    std::int64_t suspect_until_ns = 0;
};

class EchoGuard {
  public:
    static constexpr std::int64_t kWindow_ns = 50'000'000;
    static constexpr std::int64_t kSuspect_ns = 5'000'000'000;
    static constexpr int kEqualNotes = 3;

    void sent(const core::MidiMessage& message, std::int64_t now_ns) noexcept {
        // The time in steps of 1 us and the message in one word, so that a reader never sees half an entry.
        const std::uint64_t entry = static_cast<std::uint64_t>(now_ns / 1000) << kMessageBits | bits_of(message);
        entries_[next_ % kEntries].store(entry, std::memory_order_relaxed);
        ++next_;
    }

    /// True: drop it.
    bool is_echo(EchoState& source, const core::MidiMessage& message, std::int64_t now_ns) const noexcept {
        const bool equal = was_sent(message, now_ns);
        const bool suspect = now_ns < source.suspect_until_ns || source.connected_to_us.load(std::memory_order_relaxed);
        bool drop = equal && suspect;
        if (core::is_velocity_prefix(message)) {
            source.prefix_was_echo = equal;
            return equal;
        }
        if (core::is_note(message)) {
            source.equal_notes = equal ? source.equal_notes + 1 : 0;
            drop = drop || (equal && (source.prefix_was_echo || source.equal_notes >= kEqualNotes));
            source.prefix_was_echo = false;
            if (drop) source.suspect_until_ns = now_ns + kSuspect_ns;
        }
        return drop;
    }

  private:
    static constexpr int kMessageBits = 24;
    static constexpr std::size_t kEntries = 256;  // 50 ms at 5,000 messages a second

    static std::uint64_t bits_of(const core::MidiMessage& message) noexcept {
        const auto status = static_cast<std::uint64_t>(message.kind) | (message.channel & 15U);
        return status << 16 | static_cast<std::uint64_t>(message.data1 & 127) << 8 | (message.data2 & 127U);
    }
    bool was_sent(const core::MidiMessage& message, std::int64_t now_ns) const noexcept {
        constexpr std::uint64_t kMessageMask = (std::uint64_t{1} << kMessageBits) - 1;
        constexpr std::uint64_t kTimeMask = (std::uint64_t{1} << (64 - kMessageBits)) - 1;
        const std::uint64_t now_us = static_cast<std::uint64_t>(now_ns / 1000);
        const std::uint64_t bits = bits_of(message);
        for (const auto& place : entries_) {
            const std::uint64_t entry = place.load(std::memory_order_relaxed);
            if ((entry & kMessageMask) != bits) continue;
            // 40 bits of microseconds come round after 12 days; the difference is right all the same. An entry may be
            // a little younger than the reader's stamp.
            const std::uint64_t age_us = (now_us - (entry >> kMessageBits) + kSlack_us) & kTimeMask;
            if (age_us <= static_cast<std::uint64_t>(kWindow_ns / 1000) + kSlack_us) return true;
        }
        return false;
    }
    static constexpr std::uint64_t kSlack_us = 1000;

    std::array<std::atomic<std::uint64_t>, kEntries> entries_{};
    std::size_t next_ = 0;
};

}  // namespace letoff::hw
