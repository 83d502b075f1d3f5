// The modes of the soundboard, sources in soundboard.h. Set-up only.
#pragma once

#include <cstdint>
#include <vector>

#include "audio/soundboard/board_kernel.h"

namespace letoff::audio {

/// Above it the modes overlap so much that the direct path says the same.
inline constexpr double kHighestBoardMode_hz = 10000;
inline constexpr double kRibs_hz = 1355;  // from here on waves run between two ribs (Steinway D)

struct BoardMode {
    double frequency_hz = 0;
    double sigma_1ps = 0;
    double shape_1_sqrtkg[kBridgePoints] = {};  // at the points of the bridge
    double left = 0;                            // how it is heard: sign, place and radiation
    double right = 0;
};

std::vector<BoardMode> make_board_modes(std::uint64_t seed);

/// Decay rate of the amplitude of a board mode.
double board_sigma_1ps(double frequency_hz);

/// What a newton at the bridge makes heard where modes overlap, root mean square over places, as BoardMode::left has
/// it: radiation shape^2 / 2 sqrt(density / (2 sigma)) with the modes' mean shape.
double heard_mps_per_N(double frequency_hz);

}  // namespace letoff::audio
