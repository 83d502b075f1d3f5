// How long a live note takes from its MIDI bytes to the first sample that it changes, beyond the device's own buffer.
//
// Two instruments on virtual time, wired as letoff play wires them (keyboard::LivePlayer, Keybed, LiveSoundOut with the
// margin that it sets), get the same ticks and blocks; one of them gets the note's bytes, at any moment within a tick
// and a block. Sample n of the block asked for at T leaves at T + n / rate. The first one that is not bit for bit the
// other instrument's is the note's. Nothing in it depends on the machine's speed.
//
// The keys rest in silence, which is the strictest: under ringing strings a note is heard as soon as its damper lifts.
#pragma once

#include <functional>
#include <vector>

#include "core/result.h"
#include "ui/app/instrument.h"

namespace letoff::ui {

struct NoteLatency {
    std::vector<double> latency_s;  // one a note
    double tick_s = 0, block_s = 0;
    double margin_s = 0;  // that live play adds to them, as its sound says
    int keys = 0;         // how many different ones
};

inline constexpr int kLatencyFrames = 128;  // a block

/// `show` is told how many notes are done. Error: a note that no sample came of.
core::Result<NoteLatency> measure_note_latency(Instrument& instrument, int notes, const std::function<void(int)>& show);

}  // namespace letoff::ui
