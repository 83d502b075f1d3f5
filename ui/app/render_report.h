// What a rendering tells about itself: its events as lines of JSON, its strikes as a performance for a MIDI file, and
// figures of how well the strikes fell on the notes. Nothing in it depends on the clock or the machine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/event/strike.h"
#include "core/midi/performance.h"
#include "keyboard/gesture/player.h"

namespace letoff::ui {

/// What became of the notes, and what else happened. Times as in the performance.
struct PlayedEvents {
    std::span<const keyboard::NoteOutcome> notes;
    std::span<const core::Strike> extra_strikes;  // that belong to no note: a hammer that bounced, say
    std::span<const core::Release> releases;
};

/// One line a note, and one with "note_time_s": null an extra strike; by time. A missed note has "strike_time_s": null.
std::string events_as_json_lines(const PlayedEvents& events);

/// The strikes as notes, with the speeds of hammers and keys as 14-bit velocities; the pedals are those of `from`.
core::Performance strikes_as_performance(const PlayedEvents& events, const core::Performance& from);

/// The value that `share` of the values do not exceed (nearest rank); 0 without values.
double percentile(std::vector<double> values, double share);

struct StrikeStatistics {
    int ordinary_notes = 0;  // key at rest for 120 ms before its finger started
    int repetitions = 0;
    int missed_ordinary = 0, missed_repetitions = 0;
    int shortened_notes = 0;
    double ordinary_within_quarter_ms_share = 1;  // of the ordinary notes; a missed one is not within
    // Of ordinary notes that were struck, all as absolute values:
    double strike_minus_note_p50_ms = 0, strike_minus_note_p99_ms = 0, strike_minus_note_max_ms = 0;
    double speed_error_p50_percent = 0, speed_error_p99_percent = 0, speed_error_max_percent = 0;
};
StrikeStatistics strike_statistics(std::span<const keyboard::NoteOutcome> notes);

}  // namespace letoff::ui
