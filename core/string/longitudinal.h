// Longitudinal motion u of a piano string, which its transverse motion y drives: the precursor that arrives before the
// note, and phantom partials at sums of two partials' frequencies (Conklin 1999). Equations: Bank & Sujbert 2005.
//
//   mu u_tt = E A d/dx (u_x + y_x^2 / 2),  u = 0 at both ends;  change of tension  E A (u_x + y_x^2 / 2)
//
// With the slope y_x = sum_j s_j cos(j pi x / L), the square y_x^2 has the cosine coefficients C_0 = sum_j s_j^2 / 2
// and C_k = sum_j s_j s_(j+k). Mode k of u follows C_k as r_k:
//
//   r_k'' + 2 sigma r_k' + (omega_k^2 + sigma^2) r_k = (omega_k^2 + sigma^2) C_k,   omega_k = (k pi / L) sqrt(E A / mu)
//   change of tension at the bridge = (E A / 2) (C_0 + sum_k (C_k - r_k))
//   energy = (E A L / 16) sum_k (r_k^2 + r_k'^2 / (omega_k^2 + sigma^2)),  work of y on u = (E A L / 8) sum_k C_k dr_k
//
// (signs (-1)^k at the bridge are in s_j, of which the strings' modes tell (-1)^j s_j; they cancel). Slow C_k are
// followed at once and pull nothing: only near its own frequency, fourteen times its partial's, does a mode sound, and
// mode k hears the pairs j, j + k alone, so odd modes give odd phantoms and even ones even. Left out: the products of j
// + l = k, at k f1, of which a half percent would pass; and what the tension does to the transverse motion beyond the
// energy that it takes from it (audio/modal/longitudinal.h).
#pragma once

#include <array>

namespace letoff::core {

inline constexpr int kMaxLongitudinal = 8;
/// Partials that drive. Their sums reach to twice this; modes of u above that are left out.
inline constexpr double kDrivingBelow_hz = 3000;
inline constexpr int kMaxDriving = 128;

struct LongitudinalModes {
    int count = 0;     // 0: none
    int partials = 0;  // of the set in phase, the first ones, that drive them
    std::array<double, kMaxLongitudinal> omega_radps{};
    double sigma_1ps = 0;
    double slope_per_N = 0;  // |s_j| of one string to a newton of mode j of the set in phase on the bridge
    double stiffness_N = 0;  // E A of one string's core
    double length_m = 0;     // L
};

/// Of a note of `strings` such strings, whose set in phase has the share `in_phase` of an even blow and its partials
/// there. None above the B below middle C: that little is driven there, a dozen partials, that phantoms drown (our
/// choice). Set-up code.
LongitudinalModes longitudinal_modes(int midi_note, double length_m, double core_diameter_m, double mass_kgpm,
                                     double tension_N, double young_Pa, int strings, double in_phase,
                                     int partials_below_limit);

}  // namespace letoff::core
