// Controllers of 14 bits: numbers 0 to 31 carry the upper seven, 32 to 63 the lower seven of the same controller; and
// registered and other parameters (RPN, NRPN), whose value is the pair 6 and 38. Source: MIDI 1.0 Detailed
// Specification, "Control change", table 3 and "Registered parameter numbers".
//
// An upper half alone is a whole value: its lower half is then 0, as the specification says. A lower half refines the
// upper one that came before it. No allocation; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/midi/message.h"

namespace letoff::core {

struct WideControl {
    enum class Kind : std::uint8_t { controller, registered, other };

    Kind kind = Kind::controller;
    int channel = 0;
    int number = 0;  // controller 0..31, or the parameter's 14 bits
    int value = 0;   // 14 bits
};

class ControllerPairs {
  public:
    static constexpr int kMost = 16383;
    static constexpr int kNoParameter = kMost;  // selected by 127 and 127: nothing

    /// What the message says in 14 bits, if it is one of a pair or of a selected parameter.
    std::optional<WideControl> see(const MidiMessage& message) noexcept;

  private:
    struct Channel {
        std::array<std::uint8_t, 32> upper{};
        std::array<bool, 32> known{};  // an upper half has come
        int parameter = kNoParameter;
        int parameter_value = 0;
        bool registered = true;
    };
    std::optional<WideControl> data(Channel& channel, int number, int value) noexcept;

    std::array<Channel, kMidiChannels> channels_{};
};

}  // namespace letoff::core
