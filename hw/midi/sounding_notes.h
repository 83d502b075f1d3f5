// What a synthesizer still sounds, from the messages it was sent: notes that were not ended and pedals that are down.
//
// Threads: whoever owns it, one at a time. No allocation.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "core/midi/message.h"

namespace letoff::hw {

class SoundingNotes {
  public:
    void see(const core::MidiMessage& message) noexcept {
        const std::size_t at = place(message.channel, message.data1);
        if (message.kind == core::MidiKind::note_on) notes_.set(at);
        if (message.kind == core::MidiKind::note_off) notes_.reset(at);
        if (message.kind != core::MidiKind::control_change) return;
        for (const auto pedal : kPedals) {
            if (message.data1 == pedal) pedals_.set(at, message.data2 != 0);
        }
    }
    void add(const SoundingNotes& others) noexcept {
        notes_ |= others.notes_;
        pedals_ |= others.pedals_;
    }
    void remove(const SoundingNotes& others) noexcept {
        notes_ &= ~others.notes_;
        pedals_ &= ~others.pedals_;
    }
    bool any() const noexcept { return notes_.any() || pedals_.any(); }

    /// Calls send(message) for the messages that end everything: note-offs, then pedals up.
    template <typename Send>
    void release(Send&& send) const {
        for (int channel = 0; channel < core::kMidiChannels; ++channel) {
            for (int data = 0; data < core::kMidiNotes; ++data) {
                if (notes_.test(place(channel, data))) send(core::note_off(channel, data));
            }
        }
        for (int channel = 0; channel < core::kMidiChannels; ++channel) {
            for (const auto pedal : kPedals) {
                if (pedals_.test(place(channel, pedal))) send(core::control_change(channel, pedal, 0));
            }
        }
    }

  private:
    static constexpr std::array<std::uint8_t, 3> kPedals = {core::kSustainPedal, core::kSostenutoPedal,
                                                            core::kSoftPedal};
    static std::size_t place(int channel, int data) noexcept {
        return static_cast<std::size_t>((channel & 15) * core::kMidiNotes + (data & 127));
    }

    std::bitset<std::size_t{core::kMidiChannels} * core::kMidiNotes> notes_;
    std::bitset<std::size_t{core::kMidiChannels} * core::kMidiNotes> pedals_;
};

}  // namespace letoff::hw
