// The strings and hammer heads of the 88 notes as data.
//
// Rows C1-B7: the INRIA RT-0425 concert grand (Chabassier & Durufle 2012, appendix A): speaking length, core-like
// diameter and the density that gives that diameter the wound string's mass per length, rounded to the millimetre; felt
// K = 10^(0.053097 i + 7.6425), p = 2.4295e-4 i^2 - 0.007703 i + 2.337, i = MIDI - 20. Both were fitted to six strings
// up to G6; continued, p would grow so fast that C8's felt were softer than C6's (4 N against 47 N at 0.5 mm) and its
// contact twice the 0.5 ms measured. So above G6 p is held and K raised in even steps to 5 times the polynomial at C8:
// 7.6e11 at C7, where Chaigne & Askenfelt have 1e11-1e12 with p = 3.
//
// Rows the report lacks continue the design: A0 has the length 2.016 m and 0.1307 kg/m of Stulov 1995 table 1; A#0 and
// B0 lie between it and C1, geometric in mass per length; the three keep C1's core of 1.48 mm, since a core does not
// get thinner downwards. C8 has length 0.0495 m and wire 0.734 mm, the next of 0.058 0.055 0.052 m, 0.761 0.752 0.743
// mm.
//
// Strike ratio: Conklin 1996 fig. 11, 0.122 in the bass to 0.065 at C8 (RT-0425 keeps 0.120 all the way). Head mass:
// Conklin fig. 7 (3.6 g at C8; Stanwood's 1995 strike weights less the shank agree, RT-0425's 5.7 g does not).
// Aftersound loss of a mode: sigma = b1 + b3 1e6 (f / 1 kHz)^1.092, b1 in 1/s, b3 in s, fitted to recordings of a 2.1 m
// grand.
#pragma once

#include <array>

#include "core/unit/keys.h"

namespace letoff::core {

struct StringRow {
    const char* note;
    double length_m;
    double core_mm;        // effective diameter: gives mass (with the density) and bending stiffness
    double density_kgpm3;  // effective: 7850 for plain steel wire
    double strike_ratio;   // strike point from the agraffe / length
    double hammer_mass_g;  // head
    double hammer_p;
    double hammer_K_N_m_p;
    double loss_b1_1ps;
    double loss_b3_s;
};

/// Tuning and decay vary smoothly over the keyboard and are kept at ten anchors.
struct ToneAnchor {
    int key_index;
    double stretch_cents;  // of partial 1, re equal temperament
    // Amplitude rates that the bridge adds, and amplitude shares in the note's bridge force at the strike:
    double drain_1ps;          // while the strings of a note move together (prompt sound)
    double against_drain_1ps;  // while they move against each other: they are never quite alike
    double against_share;
    double sideways_share;  // nothing drains this one: the longest aftersound
};

inline constexpr double kSteelYoung_Pa = 2.02e11;  // of steel wire, RT-0425

/// The tension whose stiffness would be the wire's own: pi^3 E d^4 / (64 L^2). Over the string's tension it is B.
double bending_N(double diameter_m, double length_m, double young_Pa);

/// Lowest note first.
const std::array<StringRow, kKeyCount>& string_rows();
/// Linear between the anchors.
ToneAnchor tone_at(int key_index);

}  // namespace letoff::core
