// What the keybed tells the strings once a tick: contact forces of hammers that are on their strings, how deep each
// damper's felt is pressed into its strings, and how the actions push on the case. The audio side excites its strings
// with exactly these forces and returns nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/event/case_forces.h"
#include "core/string/una_corda.h"
#include "core/unit/constants.h"
#include "core/unit/keys.h"

namespace letoff::core {

/// Contact force of one hammer during one tick, on the strike grid (kStrikeGrid_hz). The force is constant over each
/// grid interval, so the work done on the strings is exact on both sides. It is the total over the note's strings.
struct StringForce {
    int key_index = 0;
    int count = 0;  // grid intervals in this tick = kStrikeGrid_hz / tick rate
    std::array<double, kMaxStrikeSamplesPerTick> force_N{};
    std::array<double, kMaxSets> set_gain{1, 1, 1, 1};  // 1 where the hammer strikes all strings alike (una_corda.h)
};

struct SoundFrame {
    std::int64_t tick = 0;
    int tick_hz = 4000;
    std::span<const StringForce> forces;  // only the hammers in contact
    /// Of each damper's felt on its strings; 0: lifted, or no damper.
    std::span<const double, kKeyCount> damper_compression_m;
    CaseForces case_forces{};
};

}  // namespace letoff::core
