#include "audio/soundboard/board_modes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/unit/constants.h"
#include "core/unit/piecewise.h"
#include "core/unit/split_mix.h"

namespace letoff::audio {
namespace {

constexpr std::array<double, 8> kFirstModes_hz = {62, 90, 105, 127, 187, 222, 245, 325};
constexpr double kDensity_per_hz = 0.07;

// Bending half-waves along the bridge at 1 kHz (a 1.4 m bridge, bending waves about 0.35 m long there); they grow as
// sqrt(f).
constexpr double kHalfWavesAt1kHz = 8;
// Below this frequency both ears hear a mode alike; from ten times it on their signs are independent (size of the board
// against the wavelength in air). Chosen.
constexpr double kTogetherBelow_hz = 150;
// Radiation: speed counts with f / (f + corner), chosen between the first modes and the coincidence region near 1 kHz;
// and as 1 / sqrt(1 + (f / ribs)^2), since above the transition of a Steinway D's ribs the waves run between two of
// them, and what moves grows narrower against the air's wavelength. A first order is our choice; with it notes lose
// with each octave of their partials what they lose on a Steinway B (tests/system/measured_piano_test.cpp).
constexpr double kRadiationCorner_hz = 400;
// How much a mode that lies at one end of the board prefers the strings and the ear of that end. Chosen: the bass
// then lies 1 dB to the left and the treble 2.5 dB to the right.
constexpr double kSideOfShape = 0.35;
constexpr double kSideOfEar = 0.70;

double bridge_impedance_kgps(double frequency_hz) {
    constexpr double kLow_hz = 500, kHigh_hz = 3000, kLow_kgps = 1350, kHigh_kgps = 2600;
    const double t = std::clamp(std::log(frequency_hz / kLow_hz) / std::log(kHigh_hz / kLow_hz), 0.0, 1.0);
    return kLow_kgps + t * (kHigh_kgps - kLow_kgps);
}

/// Squared, of the mean mode: soundboard.h.
double mean_shape2_1kg(double frequency_hz) {
    const double per_radps = kDensity_per_hz / (2 * core::kPi);
    return 2 / (core::kPi * per_radps * bridge_impedance_kgps(frequency_hz));
}

double radiation(double frequency_hz) {
    const double ribs = frequency_hz / kRibs_hz;
    return frequency_hz / (frequency_hz + kRadiationCorner_hz) / std::sqrt(1 + ribs * ribs);
}

BoardMode make_mode(double frequency_hz, core::SplitMix& random) {
    BoardMode mode;
    mode.frequency_hz = frequency_hz;
    mode.sigma_1ps = board_sigma_1ps(frequency_hz);
    const double shape = std::sqrt(mean_shape2_1kg(frequency_hz));
    const double waves = kHalfWavesAt1kHz * std::sqrt(frequency_hz / 1000) * random.unit();
    const double phase = core::kPi * random.unit();
    const double side = 2 * random.unit() - 1;  // -1: bass end, 1: treble end
    for (int k = 0; k < kBridgePoints; ++k) {
        const double x = static_cast<double>(k) / (kBridgePoints - 1);
        mode.shape_1_sqrtkg[k] =
            shape * std::sqrt(2) * std::cos(core::kPi * waves * x + phase) * (1 + kSideOfShape * side * (2 * x - 1));
    }
    const double angle = core::kPi / 4 + kSideOfEar * side;  // the pianist's left is the bass
    const double apart = std::clamp(std::log10(frequency_hz / kTogetherBelow_hz), 0.0, 1.0);
    const double sign = random.unit() < 0.5 ? -1 : 1;
    const double other_sign = random.unit() < 0.5 * apart ? -sign : sign;
    mode.left = radiation(frequency_hz) * sign * std::cos(angle);
    mode.right = radiation(frequency_hz) * other_sign * std::sin(angle);
    return mode;
}

}  // namespace

double board_sigma_1ps(double frequency_hz) {
    if (frequency_hz < 261) {
        constexpr std::array<core::Knot, 6> kZeta = {
            {{75, .040}, {118.8, .034}, {145.3, .019}, {182.8, .024}, {242.2, .025}, {260.9, .018}}};
        return core::piecewise_linear(kZeta, frequency_hz) * 2 * core::kPi * frequency_hz;
    }
    constexpr std::array<core::Knot, 4> kSigma = {{{260.9, 29.5}, {1200, 80}, {1350, 130}, {2069, 130}}};
    return std::max(core::piecewise_linear(kSigma, frequency_hz),
                    frequency_hz > 1500 ? 0.01 * 2 * core::kPi * frequency_hz : 0);
}

double heard_mps_per_N(double frequency_hz) {
    return radiation(frequency_hz) * 0.5 * mean_shape2_1kg(frequency_hz) *
           std::sqrt(kDensity_per_hz / (2 * board_sigma_1ps(frequency_hz)));
}

std::vector<BoardMode> make_board_modes(std::uint64_t seed) {
    core::SplitMix random(seed);
    // One mode somewhere in each cell of 1 / density: neighbouring modes of a plate keep apart.
    constexpr double kCell_hz = 1 / kDensity_per_hz;
    std::vector<BoardMode> modes;
    modes.reserve(kFirstModes_hz.size() + static_cast<size_t>(kHighestBoardMode_hz / kCell_hz) + 1);
    for (const double frequency_hz : kFirstModes_hz) modes.push_back(make_mode(frequency_hz, random));
    for (double cell = kFirstModes_hz.back() + kCell_hz / 2; cell + kCell_hz < kHighestBoardMode_hz; cell += kCell_hz)
        modes.push_back(make_mode(cell + kCell_hz * random.unit(), random));
    return modes;
}

}  // namespace letoff::audio
