// Catch-up, for live notes only: when a note-on arrives, the player's own key has already travelled, so the key here
// takes the state of its calibrated stroke just before the strings at once, and strikes at the note's time.
//
// State test: a key may be moved so when no finger presses or holds it, it has come up as far as its mechanics need to
// strike anew (kRepeats_m), and its hammer rests or falls: neither on the strings nor touched by its check, and not
// going up (beyond kRising_mps at the crown, more than it rocks on its lever before it rests). All other notes are
// played with real travel; so are a harpsichord's, whose strings take the plectrum's whole pull, and an organ's whose
// pallet is still open.
//
// The damper: where it already stands above what the stroke would lift it to (pedal), it stays as it is, and the stroke
// of the lifted tray is taken; else it is where the stroke has lifted it. So it never goes down in a jump. The strings
// are never moved: where a ringing string has come down to meet the hammer, the jump begins farther from it.
// Energy given by a jump: kinetic, gravity and springs after less before; what felts hold is left out (some mJ in the
// knuckle of a loud blow).
// Real-time safe, on the keybed's thread.
#pragma once

#include "core/param/row.h"
#include "keyboard/gesture/catch_up_table.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {

inline constexpr core::Row kCatchUpRows[] = {
    {"catch_up", "%", 100, 0, 100, core::Live::kPlayer,
     "How much of a live note's travel is taken at once, so that it sounds when its message comes: 0 plays all of it."},
};
static_assert(core::table_is_sound(kCatchUpRows));

/// A key deeper than this cannot be struck anew: jack and knuckle meet again above it.
inline constexpr double kRepeats_m = 0.005;
inline constexpr double kRising_mps = 0.20;  // 0.12 measured when it rocks on its lever, twice that if thrown

/// The state test.
bool may_catch_up(const Keybed& keybed, int key_index);

struct CatchUpStroke {
    double note_s = 0;  // keybed time: the hammer is to be at the strings then, or (100 - percent) % of a travel later
    double speed_mps = 0;
    double percent = 100;
};
struct CatchUpDone {
    double strike_s = 0;  // expected
    double energy_J = 0;  // given
};
/// Moves the key; its finger goes on with the stroke. note_s may lie in the coming tick; an earlier one strikes at
/// once. The table has to be playable.
CatchUpDone catch_up(Keybed& keybed, int key_index, const CatchUpTable& table, const CatchUpStroke& stroke) noexcept;

/// Kinetic energy, gravity and springs of one key and its finger, without felts; the hand carries the finger's weight.
double mechanical_energy_J(const core::LaneModel& model, const KeyState& key, int lane);

}  // namespace letoff::keyboard
