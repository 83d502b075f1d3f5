#include "core/string/longitudinal.h"

#include <algorithm>
#include <cmath>

#include "core/unit/constants.h"

namespace letoff::core {
namespace {

constexpr int kHighestNote = 59;  // B3
// A free longitudinal mode is over after 0.15 s (reference/physics_data.md, 4.6; taken as 60 dB), whatever its number.
constexpr double kSigma_1ps = 6.9078 / 0.15;

}  // namespace

LongitudinalModes longitudinal_modes(int midi_note, double length_m, double core_diameter_m, double mass_kgpm,
                                     double tension_N, double young_Pa, int strings, double in_phase,
                                     int partials_below_limit) {
    LongitudinalModes modes;
    if (midi_note > kHighestNote || partials_below_limit < 2 || !(in_phase > 0)) return modes;
    modes.partials = std::min(partials_below_limit, kMaxDriving);
    modes.sigma_1ps = kSigma_1ps;
    modes.stiffness_N = young_Pa * kPi * core_diameter_m * core_diameter_m / 4;
    modes.length_m = length_m;
    modes.slope_per_N = 1 / (tension_N * strings * std::sqrt(in_phase));
    const double first_radps = kPi / length_m * std::sqrt(modes.stiffness_N / mass_kgpm);
    const double above_radps = 2 * (2 * kPi * kDrivingBelow_hz);
    while (modes.count < std::min(kMaxLongitudinal, modes.partials - 1)) {
        const double omega_radps = (modes.count + 1) * first_radps;
        if (omega_radps >= above_radps) break;
        modes.omega_radps[static_cast<std::size_t>(modes.count++)] = omega_radps;
    }
    return modes;
}

}  // namespace letoff::core
