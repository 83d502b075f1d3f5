// How fast a key repeats: its front is driven up and down between some 9.5 mm of dip and a lift above that, half a
// cosine each way, and every one of 20 cycles has to strike with at least 0.5 m/s. The fastest rate is looked for on a
// grid of a quarter hertz, from the fastest down.
#pragma once

#include <array>

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

inline constexpr int kRepetitionCycles = 20;
inline constexpr double kRepetitionLift_m = 0.006;
inline constexpr double kSmallLift_m = 0.004;  // asked: 13 strikes a second with this lift
inline constexpr double kRepetitionSpeed_mps = 0.5;

/// How a repeating finger shares out a cycle; what is left goes upwards.
struct RepetitionFinger {
    double down_share = 0.5;  // of the cycle, going down
    double wait_share = 0;    // waiting at the bottom
    double deep_m = 0.0095;   // dip from rest at the bottom
};

struct Repetition {
    bool strikes = false;  // every cycle struck fast enough
    bool caught = false;   // and after every strike the check or the lever on its screw had the hammer
};

/// One answer for each rate.
std::array<Repetition, core::kLanes> repeats(const TestKey& key, const RepetitionFinger& finger, double lift_m,
                                             const std::array<double, core::kLanes>& rates_hz);

struct RepetitionRate {
    double strikes_hz = 0, caught_hz = 0;  // 0 where at no rate from 20 Hz down to 4.25 Hz every cycle does
};
RepetitionRate max_repetition_hz(const TestKey& key, double lift_m = kRepetitionLift_m,
                                 const RepetitionFinger& finger = {});

/// The 18 repetition fingers: three ways to share the cycle between down and up, three waits at the bottom, two depths.
std::array<RepetitionFinger, 18> repetition_fingers();

/// How many of them repeat at this rate.
int fingers_that_repeat(const TestKey& key, double lift_m, double rate_hz);

}  // namespace letoff::keyboard
