// Open Sound Control 1.0: what a packet asks of the instrument, read by liblo.
//
//   /letoff/note KEY VELOCITY          key 1 to 88; velocity 0 to 127, parts of a step too; 0 lets the key go
//   /letoff/note_off KEY [VELOCITY]    release velocity, 64 where it is left out
//   /letoff/pedal/sustain DEPTH        0 up to 1 down; sostenuto, soft alike
//   /letoff/program N                  a profile, 1 to 128 in the order of `letoff profile list`
//   /letoff/local ON                   0 or 1: whether what is played sounds here
//   /letoff/panic                      lets go of everything
//   /letoff/param ID VALUE [KEY]       a row of the touch (`letoff profile rows`), of one key, 1 to 88, or of all
//
// Numbers are int32, int64, float or double, whichever. Each comes out as the MIDI that means it, on channel 1, fine
// velocities with controller 88 before; a row comes out as it is: whoever has the touch knows which there are. Bundles
// are played at once, whatever their time. A packet that is damaged, or an address or argument that is none of these,
// asks for nothing and is counted by whoever calls.
//
// Source: M. Wright, "The Open Sound Control 1.0 Specification" (2002). Threads: any; allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/midi/message.h"

namespace letoff::hw {

inline constexpr std::size_t kLargestOscPacket_bytes = 65507;  // of UDP over IPv4
inline constexpr int kDeepestOscBundle = 4;                    // bundles in bundles

struct OscParameter {
    std::string id;
    double value = 0;
    int key = 0;  // 1 to 88; 0: all of them
    friend bool operator==(const OscParameter&, const OscParameter&) = default;
};
inline constexpr std::size_t kLongestOscId_bytes = 64;

struct OscAsked {
    std::vector<core::MidiMessage> messages;
    std::vector<OscParameter> parameters;
};

/// What it means, in its order, added to `asked`; false: some part of it cannot be understood (what was before it is
/// there).
bool read_osc_packet(std::span<const std::uint8_t> packet, OscAsked& asked);

}  // namespace letoff::hw
