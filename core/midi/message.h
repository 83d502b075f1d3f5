// The MIDI 1.0 vocabulary. A message is plain data of four bytes; System Exclusive payloads stay in the decoder's
// buffer.
//
// A note-on with velocity 0 is a note-off in MIDI; it is turned into one here, once, with release velocity 64 (the
// value MIDI 1.0 gives to instruments that do not sense it), so that nobody downstream has to know. Source: MIDI 1.0
// Detailed Specification 4.2.1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace letoff::core {

inline constexpr int kMidiChannels = 16;
inline constexpr int kMidiNotes = 128;
inline constexpr int kMidiDataMax = 127;
inline constexpr int kDefaultReleaseVelocity = 64;
inline constexpr int kPercussionChannel = 9;  // "channel 10" of General MIDI, counted from 0

/// Controllers that a piano listens to (MIDI 1.0 table 3; 88: CA-031 High Resolution Velocity Prefix; 16: Yamaha's
/// Disklavier in its XP format, see velocity.h).
enum MidiController : std::uint8_t {
    kXpExtension = 16,
    kSustainPedal = 64,
    kSostenutoPedal = 66,
    kSoftPedal = 67,
    kVelocityPrefix = 88,
    kAllSoundOff = 120,
    kResetAllControllers = 121,
    kLocalControl = 122,  // 0 off, 127 on: whether what is played sounds here
    kAllNotesOff = 123,   // 124..127 change the mode and switch all notes off too
};

/// The value is the status byte (channel bits cleared), so that encoding needs no table.
enum class MidiKind : std::uint8_t {
    note_off = 0x80,
    note_on = 0x90,
    poly_pressure = 0xA0,
    control_change = 0xB0,
    program_change = 0xC0,
    channel_pressure = 0xD0,
    pitch_bend = 0xE0,
    system_exclusive = 0xF0,
    time_code = 0xF1,
    song_position = 0xF2,
    song_select = 0xF3,
    tune_request = 0xF6,
    clock = 0xF8,
    start = 0xFA,
    resume = 0xFB,
    stop = 0xFC,
    active_sensing = 0xFE,
    system_reset = 0xFF,
};

struct MidiMessage {
    MidiKind kind = MidiKind::active_sensing;
    std::uint8_t channel = 0;  // 0..15
    std::uint8_t data1 = 0;    // note, controller, program, pressure, or the low seven bits
    std::uint8_t data2 = 0;    // velocity, value, pressure, or the high seven bits

    friend bool operator==(const MidiMessage&, const MidiMessage&) = default;
};

/// A message of a file or of a recording, at its time from the start.
struct TimedMidiMessage {
    double time_s = 0;
    MidiMessage message;
};

/// A number as MIDI data: outside 0..127 it is clamped, never wrapped.
constexpr std::uint8_t midi_data(int value) {
    return static_cast<std::uint8_t>(std::clamp(value, 0, kMidiDataMax));
}

constexpr MidiMessage note_off(int channel, int note, int release_velocity = kDefaultReleaseVelocity) {
    return {MidiKind::note_off, static_cast<std::uint8_t>(channel & 15), midi_data(note), midi_data(release_velocity)};
}
constexpr MidiMessage note_on(int channel, int note, int velocity) {
    if (velocity <= 0) return note_off(channel, note);
    return {MidiKind::note_on, static_cast<std::uint8_t>(channel & 15), midi_data(note), midi_data(velocity)};
}
constexpr MidiMessage control_change(int channel, int controller, int value) {
    return {MidiKind::control_change, static_cast<std::uint8_t>(channel & 15), midi_data(controller), midi_data(value)};
}
constexpr MidiMessage pitch_bend(int channel, int bend) {  // -8192..8191, 0: no bend
    const int raw = std::clamp(bend + 8192, 0, 16383);
    return {MidiKind::pitch_bend, static_cast<std::uint8_t>(channel & 15), midi_data(raw & 127), midi_data(raw >> 7)};
}

constexpr bool is_channel_message(MidiKind kind) {
    return static_cast<std::uint8_t>(kind) < 0xF0;
}
/// A sharp's or a flat's.
constexpr bool is_black_note(int note) {
    constexpr unsigned kBlack = 0b0101'0100'1010;  // C# D# F# G# A#, bit 0 is C
    return (kBlack >> (note % 12) & 1U) != 0;
}
constexpr bool is_note(const MidiMessage& message) {
    return message.kind == MidiKind::note_on || message.kind == MidiKind::note_off;
}
constexpr bool is_controller(const MidiMessage& message, int controller) {
    return message.kind == MidiKind::control_change && message.data1 == controller;
}

/// A message that makes the next note's velocity finer.
constexpr bool is_velocity_prefix(const MidiMessage& message) {
    return is_controller(message, kVelocityPrefix) || is_controller(message, kXpExtension);
}

/// How many data bytes follow a status byte; -1 where MIDI leaves the status undefined or the length open (F0, F4, F5,
/// F7, F9, FD).
int data_bytes_after(std::uint8_t status);

struct MidiBytes {
    std::array<std::uint8_t, 3> bytes{};
    std::size_t size = 0;
    std::span<const std::uint8_t> span() const { return {bytes.data(), size}; }
};

/// The bytes of a message with its status byte. System Exclusive has no fixed bytes: size 0.
MidiBytes encode(const MidiMessage& message);

/// Builds a message from a status byte other than F0/F4/F5/F7/F9/FD and its data.
MidiMessage message_of(std::uint8_t status, std::uint8_t data1, std::uint8_t data2);

}  // namespace letoff::core
