// Byte stream -> messages, one byte at a time: running status, real-time bytes anywhere (also inside a message or a
// System Exclusive, which they do not disturb), System Exclusive in pieces of any size. Source: MIDI 1.0 Detailed
// Specification, "Data format".
//
// The one allocation is the System Exclusive buffer, in the constructor; push() neither allocates, locks nor throws.
// What the stream gets wrong is dropped and counted, never guessed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/midi/message.h"

namespace letoff::core {

class MidiStreamDecoder {
  public:
    /// 128 KiB: the largest dumps seen in the field are about 70 kB; a longer message is dropped whole and counted.
    static constexpr std::size_t kDefaultSysExBytes = 131072;

    struct Counts {
        std::uint64_t stray_data_bytes = 0;    // data without a status before it
        std::uint64_t broken_messages = 0;     // cut short by another status byte
        std::uint64_t undefined_statuses = 0;  // F4, F5, F9, FD, or F7 outside a System Exclusive
        std::uint64_t broken_sysex = 0;        // ended by a status byte other than F7
        std::uint64_t oversized_sysex = 0;     // longer than the buffer
    };

    explicit MidiStreamDecoder(std::size_t sysex_capacity_bytes = kDefaultSysExBytes);

    /// True when this byte completed a message, which is then in `message`. For system_exclusive see sysex().
    bool push(std::uint8_t byte, MidiMessage& message);

    /// The payload between F0 and F7 of the System Exclusive that push() reported last; valid until the next push().
    std::span<const std::uint8_t> sysex() const { return {sysex_.data(), sysex_size_}; }

    const Counts& counts() const { return counts_; }

    /// Forgets running status and half a message, e.g. after a port was lost and found again.
    void reset();

  private:
    bool push_status(std::uint8_t status, MidiMessage& message);
    bool push_data(std::uint8_t data, MidiMessage& message);

    std::vector<std::uint8_t> sysex_;
    std::size_t sysex_size_ = 0;
    bool in_sysex_ = false;
    bool sysex_overflow_ = false;
    std::uint8_t status_ = 0;  // 0: none
    std::uint8_t first_data_ = 0;
    int data_seen_ = 0;
    Counts counts_;
};

}  // namespace letoff::core
