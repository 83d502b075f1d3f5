// How fast a key repeats: its front is driven up and down between 9.5 mm of dip and 6 mm above that, half a cosine each
// way, and every one of 20 cycles has to strike with at least 0.5 m/s. The fastest rate is looked for on a grid of a
// quarter hertz, from the fastest down.
#pragma once

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

inline constexpr int kRepetitionCycles = 20;
inline constexpr double kRepetitionLift_m = 0.006;
inline constexpr double kRepetitionSpeed_mps = 0.5;

/// True for each rate at which every cycle strikes.
std::array<bool, core::kLanes> repeats(const TestKey& key, double lift_m,
                                       const std::array<double, core::kLanes>& rates_hz);

/// 0 where at no rate from 20 Hz down to 4 Hz every cycle strikes.
double max_repetition_hz(const TestKey& key, double lift_m = kRepetitionLift_m);

}  // namespace letoff::keyboard
