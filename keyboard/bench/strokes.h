// Strokes of the finger (core/finger) on one key: speed, timing, how long hammer and strings touch, and how the check
// holds the hammer. Which acceleration of the finger's path gives a wanted hammer speed is found by playing the action:
// eight trials at a time, then a secant on the logarithms within the bracket.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

/// Design, section 5.
struct Touch {
    std::string_view name;
    double hammer_speed_mps;
};
inline constexpr std::array<Touch, 5> kTouches{{{"pp", 0.4}, {"p", 1.0}, {"mf", 2.8}, {"f", 5.0}, {"ff", 9.0}}};

/// One stroke; times count from the finger's start. Times that never came are NaN.
struct PlayedStroke {
    double acceleration_mps2 = 0;
    int strikes = 0;  // 0: the hammer missed its strings; 2: it bobbled
    double hammer_speed_mps = 0;
    double strike_s = core::kNotYet_s, key_bottom_s = core::kNotYet_s;
    // The jack's force on the knuckle ends. Not where felt and jack part: a felt that was pressed hard rises slower
    // than the knuckle leaves it.
    double escapement_s = core::kNotYet_s;
    double string_contact_s = 0;            // from first to last touch of the first strike
    double damper_off_s = core::kNotYet_s;  // the damper leaves the strings; never without a damper
    double key_peak_mps = 0;                // the key's fastest, at its front
    bool check_before_string = false;       // the tail touched the backcheck on its way up
    // Only where the stroke was watched for longer (watch_check).
    bool held = false;            // the tail was in the check, and still there half a second later
    double check_distance_m = 0;  // crown to strings when first looked at
    double check_drift_m = 0;     // how much lower half a second later
};

/// Plays each acceleration on its own copy of the key, from rest. With watch_check the finger keeps the key down for
/// another 0.8 s after the strike and the check is looked at 0.3 s after it and half a second later.
std::vector<PlayedStroke> play_strokes(const TestKey& key, std::span<const double> accelerations_mps2,
                                       bool watch_check = false);

/// The same with one stroke on each of at most core::kLanes keys, side by side.
std::vector<PlayedStroke> play_each(std::span<const TestKey> keys, std::span<const double> accelerations_mps2,
                                    bool watch_check = false);

/// The acceleration that gives each hammer speed, within `tolerance` of it where the finger can reach it; in the order
/// asked.
std::vector<PlayedStroke> find_strokes(const TestKey& key, std::span<const double> hammer_speeds_mps,
                                       double tolerance = 1e-3);

}  // namespace letoff::keyboard
