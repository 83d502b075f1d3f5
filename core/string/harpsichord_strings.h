// A harpsichord's strings, one a note (8 foot): lengths, gauges and plucking points, for the keys of a grand.
//
// No source that we have gives a whole string list; chosen are the usual proportions of a Franco-Flemish instrument: C5
// 350 mm, half of it an octave higher and twice of it an octave lower, ever shorter than that below; iron, and brass
// from F2 down. Length and pitch alone decide how near to breaking a string is: 0.94 kN/mm2 in the iron at 415 Hz, as
// near as harpsichords are strung. Gauges so that a string pulls 50-80 N (less in the top octaves); plucked at a tenth
// of the length in the bass to nearly half in the treble. F1 to F6 are what such an instrument has; the keys beyond
// continue it.
//
// Losses are those of the grand's string of the same pitch, that is, it decays alike. For that, a string that pulls so
// little needs a soundboard that gives way more, by n Z_grand / Z (n strings, impedances Z): a harpsichord's thin
// board. Our board is the grand's, so what reaches it is made louder by the root of that ratio, which gives the power
// that the lighter board would have taken.
#pragma once

#include "core/string/string_table.h"

namespace letoff::core {

/// The strike ratio is the plucking point's; the hammer's columns are the grand's and stay unused.
StringRow harpsichord_row(int key_index);

}  // namespace letoff::core
