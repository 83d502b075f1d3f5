// What is played: notes with the times their key goes down and up, and three pedals, all channels of the MIDI merged
// onto one piano.
//
// Pairing of on and off, per key:
//   - a note-on while the key is down strikes again; the earlier note ends there;
//   - every note-on is owed a note-off on its channel. While offs are owed, a later off moves the end of the sounding
//     note, so two overlapping notes of one pitch (two voices, two tracks) hold the key until the last lets go, and a
//     missing off hangs nothing;
//   - a note that never ends is ended with the piece, at the latest `longest_hang_s` after it began;
//   - "all notes off" and "all sound off" end what their channel holds.
// Several channels with a pedal: the deepest counts, as one foot on one pedal.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/midi/message.h"
#include "core/midi/velocity.h"

namespace letoff::core {

struct PerformedNote {
    int key_index = 0;  // 0..87
    double on_time_s = 0;
    double off_time_s = 0;                             // >= on_time_s
    int velocity = 64;                                 // 1..127
    std::optional<int> velocity_14bit = std::nullopt;  // 128..16383 where the source had it
    int release_velocity = kDefaultReleaseVelocity;
    std::optional<int> release_velocity_14bit = std::nullopt;

    /// The finest velocity known, in steps of MIDI velocity: what core/midi/velocity.h turns into a hammer speed.
    double midi_velocity() const;
    double midi_release_velocity() const;
};

struct PedalMove {
    double time_s = 0;
    double position = 0;  // 0 up .. 1 down, continuous
};

struct Performance {
    std::vector<PerformedNote> notes;  // by on time; notes of one moment in the order they came
    std::vector<PedalMove> sustain;    // each by time; up before the first move
    std::vector<PedalMove> sostenuto;
    std::vector<PedalMove> soft;
    double end_s = 0;  // last release or pedal move

    std::size_t notes_outside_keys = 0;  // pitches that 88 keys do not have: left out
    std::size_t notes_restruck = 0;      // ended by the next strike of their key
    std::size_t notes_never_ended = 0;   // ended with the piece or after longest_hang_s
    std::size_t notes_percussion = 0;    // on General MIDI's drum channel: kept, but the file may not be a piano's
    std::size_t stray_note_offs = 0;     // nothing to end
};

struct PerformanceOptions {
    double longest_hang_s = 60;      // a bass string has died away by then
    unsigned channel_mask = 0xFFFF;  // bit 0: channel 1
};

/// Messages by time (equal times in their order); `end_s`: when the piece ends, if later than its last message.
Performance performance_of(std::span<const TimedMidiMessage> messages, double end_s,
                           const PerformanceOptions& options = {});

/// Back to messages by time, on channel 1, with the form's prefix before each note that has 14 bits.
std::vector<TimedMidiMessage> messages_of(const Performance& performance, VelocityForm form = VelocityForm::prefix_88);

/// How much time the keys have between a release and the next strike.
struct RestStatistics {
    double smallest_gap_s = 0;  // between an off and the next on of the same key; infinite where no key is played twice
    std::size_t rested_notes = 0;  // key up for at least rest_s before the on; a key's first note has rested
};
RestStatistics rest_statistics(const Performance& performance, double rest_s);

}  // namespace letoff::core
