// Does the hammer block? A hammer blocks when the jack still drives it as it lies on the strings: the let-off is too
// close or too late, and the note is choked. Slow press: the key goes down at 2 mm/s; the crown must stop short of the
// strings. Hard press: a strong arm strikes the key and keeps pressing; the hammer must be off its strings again.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct Blocking {
    double slow_gap_m = 0;      // crown to strings at its highest in the slow press; <= 0: it lies on them
    double hard_contact_s = 0;  // how long hammer and strings touch in all, in 0.3 s of hard pressing
    double hard_gap_m = 0;      // crown to strings at the end of it, the key still pressed
    int hard_strikes = 0;
    bool slow() const { return slow_gap_m <= 0; }
    /// The longest string contact measured is 4.6 ms (Askenfelt & Jansson, C1 pp); 10 ms is no strike any more.
    bool hard() const { return hard_contact_s > 0.010 || hard_gap_m <= 0; }
};

/// An arm behind the finger: 100 N at the key is beyond ff (Kinoshita 2007: up to 60 N).
inline constexpr double kHardPress_N = 100.0;

Blocking test_blocking(const TestKey& key);

}  // namespace letoff::keyboard
