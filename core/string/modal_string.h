// Stiff strings as sums of modes (Masoudi & McPhee eqs 19-21; Fletcher 1964).
//
//   y(x,t) = sum_j phi_j(x) eta_j(t),  phi_j(x) = sqrt(2 / (mu L)) sin(j pi x / L)        (eq 21, mass-normalised)
//   eta_j'' + 2 sigma_j eta_j' + (omega_j^2 + sigma_j^2) eta_j = phi_j(x_strike) F / strings          (eqs 19, 20)
//   omega_j = 2 pi j f1 sqrt((1 + B j^2) / (1 + B)),  B = pi^3 E d^4 / (64 L^2 T)
//
// omega_j is the frequency heard (damped); sigma_j the decay rate of the amplitude in 1/s. Displacement is positive
// away from the hammer. Modes are stored in structure-of-arrays padded to a multiple of kModeBlock with silent modes
// (phi = 0), so that a kernel of any SIMD width runs over whole blocks and sums in the same order.
//
// Two or three strings of a note hang on one bridge, so their eigenmotions are not those of single strings but, mode by
// mode, one set in which all move together (fast decay: they drain through the bridge; "prompt sound"), sets in which
// they move against each other, and one in which they move sideways, along the bridge's top, which gives way least
// ("aftersound"; Weinreich 1977, who found it on single strings too). set[0] is the one in phase, then come n - 1
// against, and the sideways one last. Their phi_strike and bridge_N_per_m hold the weights sqrt(n w_k), sum w_k = 1, of
// an even blow in set k, so users need not know: force each set with F / n, take the sum of the sets' displacements
// sum_j phi_j eta_j over n as the contact point's, add up their bridge forces.
#pragma once

#include <array>
#include <vector>

#include "core/string/longitudinal.h"
#include "core/string/una_corda.h"
#include "core/unit/keys.h"

namespace letoff::core {

inline constexpr int kModeBlock = 16;

struct StringModes {
    int count = 0;                    // modes below the highest frequency asked for
    std::vector<double> omega_radps;  // all vectors have the padded length
    std::vector<double> sigma_1ps;
    std::vector<double> phi_strike;      // 1/sqrt(kg): mode shape at the strike point
    std::vector<double> bridge_N_per_m;  // force on the bridge per unit modal coordinate: T phi_j'(L), sign kept
    std::vector<double> damper_weight;   // share of the damper's loss that it takes, 0..1 (its shape over the felt)
    int padded() const { return static_cast<int>(omega_radps.size()); }
};

/// One note: 1, 2 or 3 strings struck by one hammer, and its felt on them (F = K delta^p + b delta^2 delta', Thorin
/// eq 2.6).
struct NoteStrings {
    int strings = 0;
    int sets = 0;
    std::array<StringModes, kMaxSets> set;  // the first `sets` are used
    UnaCorda una_corda;
    LongitudinalModes longitudinal;
    double f1_target_hz = 0;    // partial 1 of the tuned note (set[0] is exactly there)
    double inharmonicity = 0;   // B
    double tension_N = 0;       // of one string
    double impedance_kgps = 0;  // sqrt(T mu) of one string
    double drain_1ps = 0;       // what the bridge adds to the losses of set[0]
    double hammer_K_N_m_p = 0;  // felt of the hammer head
    double hammer_p = 0;
    double hammer_b_Ns_m3 = 0;
    double hammer_mass_kg = 0;  // head, string_table.h
    double volume = 1;          // how much of the hammer's force the sound takes; the hammer knows nothing of it
};

struct StringSet {
    std::array<NoteStrings, kKeyCount> notes;
};

}  // namespace letoff::core
