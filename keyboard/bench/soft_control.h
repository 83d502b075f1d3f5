// Control at ppp: a scripted finger plays the softest notes. It is asked for 20 hammer speeds from 0.15 to 0.5 m/s,
// once with whole strokes from rest and once from the escapement point, where the jack already touches its button (a
// pianist's way to play softest). The finger knows its key: for each speed it takes the acceleration that it practised.
// Then it plays each speed five times with a hand's inaccuracy, and what comes out is how well the key can be
// controlled.
#pragma once

#include <array>
#include <vector>

#include "keyboard/bench/regulation.h"

namespace letoff::keyboard {

inline constexpr int kSoftSpeeds = 20;
inline constexpr double kSoftest_mps = 0.15, kSoftLoudest_mps = 0.5;
/// Of the acceleration, either way, in five steps: our choice for a practised hand.
inline constexpr double kHandSpread = 0.02;
inline constexpr int kTries = 5;

struct SoftNote {
    double asked_mps = 0;
    double acceleration_mps2 = 0;
    std::array<double, kTries> got_mps{};  // 0: no strike
    double mean_mps() const;               // of those that struck
};

struct SoftControl {
    std::vector<SoftNote> notes;
    double softest_mps = 0;  // the softest strike of all tries
    int silent = 0;          // tries without a strike, of kSoftSpeeds * kTries
    /// Root mean square over the tries that struck: of the played speed from the asked one, and from the note's own
    /// mean, both as parts of the asked.
    double off() const;
    double spread() const;
};

SoftControl play_softly(const TestKey& key, const Regulation& regulation, bool from_escapement);

}  // namespace letoff::keyboard
