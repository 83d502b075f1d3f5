// Universal MIDI Packets (MIDI 2.0) -> MIDI 1.0 messages, so that a source that speaks only packets plays all the same.
// Source: UMP Format and MIDI 2.0 Protocol (M2-104-UM) 4 and 7; translation as M2-115-U has it, but a 16-bit velocity
// keeps 14 bits by the prefix that the rest of the program knows (velocity.h): v14 = v16 / 4, and a note-on of velocity
// 0, in MIDI 2.0 a real and very soft note, is one of velocity 1.
//
// Stepped over and counted: System Exclusive and data packets, controllers of single notes, relative controllers.
// No allocation, no exception; any words are accepted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/midi/message.h"

namespace letoff::core {

class UmpDecoder {
  public:
    struct Counts {
        std::uint64_t stepped_over = 0;  // packets that have nothing for a piano
        std::uint64_t other_groups = 0;
        std::uint64_t malformed = 0;  // a MIDI 1.0 message inside a packet that cannot be one
    };

    /// Bit 0: the first of the sixteen groups.
    explicit UmpDecoder(unsigned group_mask = 0xFFFF) : groups_(group_mask) {}

    /// The messages that this 32-bit word completes, none to four; valid until the next call.
    std::span<const MidiMessage> push(std::uint32_t word);

    const Counts& counts() const { return counts_; }
    /// Forgets half a packet.
    void reset() { have_ = 0; }

  private:
    void decode();
    void midi_1(std::uint32_t word);
    void midi_2();
    void note(MidiKind kind, int channel, int note_number, int velocity_14bit);
    void parameter(int channel, int select_msb, int select_lsb);
    void give(const MidiMessage& message) { out_[given_++] = message; }

    unsigned groups_;
    std::array<std::uint32_t, 4> words_{};
    std::size_t have_ = 0;
    std::array<MidiMessage, 4> out_{};
    std::size_t given_ = 0;
    Counts counts_;
};

}  // namespace letoff::core
