// The foot of whoever plays live. Each of the three pedals is where the deepest of the channels has it, and is moved
// there no faster than by a foot.
//
// Threads: the keybed's. No allocation.
#pragma once

#include <array>

#include "core/midi/message.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {

class LivePedals {
  public:
    /// A control_change of a channel below 16; others than the pedals' and the reset of all change nothing.
    void control(const core::MidiMessage& message) noexcept;
    /// All up, on all channels.
    void let_go() noexcept;
    /// Towards where they are wanted, for the tick of h_s that comes.
    void move(Keybed& keybed, double h_s) noexcept;
    /// After the last move() one was not yet where it is wanted.
    bool on_their_way() const { return on_their_way_; }

  private:
    enum Pedal : std::size_t { kSustain, kSostenuto, kSoft, kPedals };

    std::array<std::array<double, core::kMidiChannels>, kPedals> meant_{};  // 0..1
    bool on_their_way_ = false;
};

}  // namespace letoff::keyboard
