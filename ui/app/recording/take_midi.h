// A recording as MIDI messages: as they came in, or what hammers, keys and dampers made of them.
#pragma once

#include "core/midi/performance.h"
#include "storage/recording_store.h"

namespace letoff::ui {

/// What came in, from the recording's begin; gaps, in which nothing was run, keep their length. Sources that were lost
/// end their notes and lift their pedals.
core::Performance asked_performance(const storage::Recording& recording);
/// The strikes as notes, with the speeds of hammers and keys as 14-bit velocities; the pedals as they came in.
core::Performance struck_performance(const storage::Recording& recording);

}  // namespace letoff::ui
