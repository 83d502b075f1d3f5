// Fingers of the library (core/finger/profile.h) on one key: how often and how fast its hammer strikes. A finger asks
// for as many strikes as it presses; one more while it presses, or as it leaves, is a double strike.
#pragma once

#include <span>
#include <vector>

#include "core/finger/profile.h"
#include "keyboard/bench/energy.h"

namespace letoff::keyboard {

struct FingerTrial {
    int asked = 1;          // presses
    int strikes = 0;        // while the finger is on the key
    int strikes_after = 0;  // in the 0.3 s after it left
    double first_mps = 0;   // hammer speeds of the first strike and of the first that nobody asked for
    double double_mps = 0;
    double double_after_s = 0;  // since the strike before it
    EnergyBalance energy;       // where asked for
    /// `above_mps`: only those whose own strike was faster than this.
    bool doubled(double above_mps = 0) const { return strikes + strikes_after > asked && first_mps > above_mps; }
};

/// Each finger on its own copy of the key, from rest.
std::vector<FingerTrial> try_fingers(const TestKey& key, std::span<const core::FingerProfile> fingers,
                                     bool with_energy = false);

inline constexpr double kDoubleAbove_mps = 0.3;  // asked: no double strike by any finger above it

struct DoubleStrikes {
    int fingers = 0, struck = 0;
    int doubled = 0;         // of fingers that struck faster than kDoubleAbove_mps
    int doubled_soft = 0;    // of the others
    double fastest_mps = 0;  // first strike of the fastest finger that doubled
};
DoubleStrikes count_double_strikes(std::span<const FingerTrial> trials);

}  // namespace letoff::keyboard
