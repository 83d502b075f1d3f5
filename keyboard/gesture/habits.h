// What a player's hands and foot do alike off line (player.h) and live (live_player.h).
#pragma once

#include <algorithm>
#include <cmath>

#include "core/midi/velocity.h"

namespace letoff::keyboard {

/// Speed at which a finger leaves its key; release velocity says a hammer's speed.
inline constexpr double kLiftPerReleaseSpeed = 1 / core::kHammerPerKey;

/// A hammer has to be in check before its key goes up: 10-20 ms after contact (Askenfelt & Jansson).
inline constexpr double kChecked_s = 0.020;

/// A pedal moved by a step of the controller takes this long for its whole travel, as a foot does.
inline constexpr double kPedalTravel_s = 0.040;

/// A pedal's controller that trembles by one of its 127 steps is a sensor at the edge of two; no foot is so quick and
/// so fine. What is taken for the pedal's place (0..1), from what was and what the controller says; its ends are meant.
inline double pedal_meant(double before, double said) {
    constexpr double kTremble = 1.5 / 127;
    return said <= 0 || said >= 1 || std::abs(said - before) > kTremble ? said : before;
}

/// Where a pedal is after h_s on its way from `share` to `wanted`, both 0 (up) to 1 (down).
inline double pedal_moved(double share, double wanted, double h_s) {
    const double most = h_s / kPedalTravel_s;
    return share + std::clamp(wanted - share, -most, most);
}

/// Where the jack lets go: the path on which a stroke can speed up the hammer.
inline constexpr double kStrokePath_m = 0.009;
inline constexpr double kLeastPath = 0.25;  // share of it: from deeper, no finger makes up for what is missing

/// What is left of a stroke's path, as a share, from where the key is: the same speed asks for a stroke 1 / share as
/// hard, which takes a share of the time.
inline double path_left(double dip_m) {
    return std::clamp((kStrokePath_m - dip_m) / kStrokePath_m, kLeastPath, 1.0);
}

}  // namespace letoff::keyboard
