// Live play on virtual time: the same player, keybed and finger tables as in time, one tick after the other as fast as
// the machine can. For a piece that is taken in off line, and for a recording that is played again.
//
// A replay gives the mechanics what they had, each thing before the tick that it had it: messages at their times,
// touches, finger tables with and without catch-up. With the same build it comes out the same to the bit, whatever
// the number of threads; the states that a recording holds, one a second, and every strike are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/event/take_tap.h"
#include "core/midi/message.h"
#include "core/result.h"
#include "storage/recording_store.h"
#include "ui/app/instrument.h"

namespace letoff::ui {

/// Where the sound goes; empty: none is made.
struct TakeSound {
    OfflineSound::Out out{};
    double tail_s = 30;  // after the last event, if it has not died away before
};

struct ReplayReport {
    double duration_s = 0;
    int states = 0, same_states = 0;          // of those in the recording that were reached
    int strikes = 0, same_strikes = 0;        // of the recording; same: key, time and speed to the bit
    int extra_strikes = 0;                    // that the recording has not
    std::optional<double> differs_after_s{};  // the first state that is another one; from the recording's begin
    std::uint64_t state_hash = 0;             // after its last event
    double max_abs_sample = 0;

    bool same() const { return states == same_states && strikes == same_strikes && extra_strikes == 0; }
};

/// `instrument` is fresh, made of the recording's head (instrument_of).
core::Result<ReplayReport> replay(Instrument& instrument, const storage::Recording& recording, const TakeSound& sound,
                                  const Progress& progress = {});

struct TakenIn {
    double duration_s = 0;
    std::int64_t notes = 0, strikes = 0, silent = 0;
};
/// Plays messages (by time) as if they came live, and tells `tap` all of it, from the keybed's present time on: time 0
/// of the piece. The tap is emptied by `drain`, called once a second of the piece and at the end.
TakenIn take_in(Instrument& instrument, const std::vector<core::TimedMidiMessage>& messages, double end_s,
                core::TakeTap& tap, const std::function<void()>& drain, const Progress& progress = {});

}  // namespace letoff::ui
