// Hammer speed <-> MIDI velocity, and velocities finer than seven bits.
//
//   MV = 57.96 + 71.3 log10(v),   v = 10^((MV - 57.96) / 71.3)        v: hammer speed at the string, m/s
//
// measured on a Yamaha Disklavier, as quoted by cybrid's author (pianoclack thread 289), probably after Goebl & Bresin,
// J. Acoust. Soc. Am. 114, 2003. MV is a real number; velocity_14bit = clamp(round(128 MV), 128, 16383), its upper
// seven bits are the ordinary velocity (never below 1, which would be a note-off) and its lower seven travel before the
// note as controller 88 (MMA CA-031 High Resolution Velocity Prefix). Release velocity uses the same law on
// kHammerPerKey times the key's upward speed as its damper meets the string, so that a release as fast as a press gives
// the same number.
//
// Disklavier XP says ten bits: controller 16 before the note has the three bits below the note's seven, as its own bits
// 6 to 4 (10-bit velocity = 8 * note's + controller's / 16, 8..1023). So it is a prefix whose four lowest bits are 0.
// Its key sensor (polyphonic pressure with controller 81 after it) is not a hammer's speed. Sources: the controllers'
// numbers from Yamaha's MIDI implementation chart of the Disklavier PRO (1 June 1998, version 1.01: "16, 81 XP
// Control", and key aftertouch as the position of keys, silent notes included); three more bits in a message before the
// note, on and off, from Yamaha's description as M. Fontana retells it (Disklavier group, message 5461, 2006). Yamaha's
// own text of the bits' places was not found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/midi/message.h"

namespace letoff::core {

inline constexpr double kVelocityAt1mps = 57.96;    // MIDI velocity of a hammer at 1 m/s
inline constexpr double kVelocityPerDecade = 71.3;  // MIDI velocity steps for ten times the speed
inline constexpr double kHammerPerKey = 5;          // speed of the head to the key's front, about (design, section 5)
inline constexpr int kVelocity14bitMin = 128;       // velocity 1
inline constexpr int kVelocity14bitMax = 16383;     // velocity 127 and 127/128
inline constexpr int kVelocity14bitPerStep = 128;   // 14-bit steps in one step of MIDI velocity

/// The law itself, not rounded and not clamped. Speed must be positive.
double midi_velocity_of_speed(double speed_mps);
double speed_mps_of_midi_velocity(double midi_velocity);

/// Rounded and clamped; a speed that is zero, negative or not a number gives the softest note, 128.
int velocity_14bit_of_speed(double speed_mps);
double speed_mps_of_velocity_14bit(int velocity_14bit);

constexpr int velocity_7bit_of(int velocity_14bit) {
    return std::clamp(velocity_14bit, kVelocity14bitMin, kVelocity14bitMax) / kVelocity14bitPerStep;
}

/// Decoding side of the prefixes. Controller 88 belongs to the next note message of its own channel, whatever comes
/// between, and to that one only. Controller 16 is also a slider of other gear: it counts only if the very next message
/// of its channel is a note.
class VelocityPrefix {
  public:
    /// To be shown every message in order. For a note message that had a prefix: its 14-bit velocity (or release
    /// velocity).
    std::optional<int> see(const MidiMessage& message);

    void reset() {
        lsb_.fill(kNone);
        xp_.fill(kNone);
    }

  private:
    static constexpr std::uint8_t kNone = 255;

    static constexpr std::array<std::uint8_t, kMidiChannels> none() {
        std::array<std::uint8_t, kMidiChannels> all{};
        all.fill(kNone);
        return all;
    }

    std::array<std::uint8_t, kMidiChannels> lsb_ = none();
    std::array<std::uint8_t, kMidiChannels> xp_ = none();
};

/// How fine a velocity is written.
enum class VelocityForm : std::uint8_t { seven_bit, prefix_88, xp };

/// A note's message, with the prefix before it where the form has one.
class FineNote {
  public:
    /// `note` is a note-on or note-off; its velocity is replaced.
    FineNote(VelocityForm form, MidiMessage note, int velocity_14bit);
    std::span<const MidiMessage> messages() const { return {messages_.data(), count_}; }

  private:
    std::array<MidiMessage, 2> messages_;
    std::size_t count_ = 0;
};

/// A note-on as FineNote writes it: controller 88 and the note, to be sent in this order.
std::array<MidiMessage, 2> note_on_14bit(int channel, int note, int velocity_14bit);

}  // namespace letoff::core
