// What the 88 notes are tuned to: the one home of pitch. core/string/string_design.h gives the strings the tension for
// it, keybed and sound both have their strings from there.
//
//   cents above A4 = 100 (midi - 69) + temperament + pitch class's own + scale + stretch + key's own
//   f1 = a4 2^(cents / 1200),  f1: partial 1 of the stiff string
//
// Stretch, in cents over equal temperament, times `stretch`:
//   measured: that of the grand whose tone the string table has (string_table.h). Its A4 lies 3.1 cents high: 440.79 Hz
//     from a fork of 440 Hz. So it does here as long as no a4_hz is asked for; one that is asked for is exact.
//   computed: as a tuner does by ear. From F3-F4 outwards octaves are set so that partial 2 rho of the lower note (MIDI
//     m) and partial rho of the upper do not beat; partial j is at j f1 sqrt((1 + B j^2) / (1 + B)), with the B that
//     each string has at its own tension there. rho(m) = 1 + (1 - tanh((m - 64) / 24)) 3.51 / 2: octaves of 9:4.5 in
//     the lowest bass, 6:3 at middle C and 2:1 at the top (form and numbers: Rigaud, David & Daudet 2011, "A parametric
//     model of piano tuning", DAFx-11, as DDSP-Piano has them). F3-F4 itself gets the stretch of A3-A4, evenly. A4 is
//     exact.
//   own: what each key has of it (from a file).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/string/temperament.h"
#include "core/unit/keys.h"

namespace letoff::core {

enum class StretchCurve : std::uint8_t { kMeasured, kComputed, kOwn };
inline constexpr std::array<std::string_view, 3> kStretchCurveNames{"measured", "computed", "own"};

using OfKeys = std::array<double, kKeyCount>;

inline constexpr double kFork_hz = 440;                           // A4 where none is asked for
inline constexpr double kLowestA4_hz = 392, kHighestA4_hz = 466;  // what one may ask for

struct Tuning {
    std::optional<double> a4_hz{};  // none: 440, and the measured curve's A4 lies where it was measured
    Temperament temperament = Temperament::kEqual;
    int root = 0;                                // pitch class, C is 0
    std::array<double, 12> pitch_class_cents{};  // on top of the temperament, C first
    StretchCurve curve = StretchCurve::kMeasured;
    double stretch = 1.0;  // how much of the curve; 0: none
    OfKeys own_stretch_cents{};
    OfKeys scale_cents{};  // what a scale of another kind adds to equal temperament
    OfKeys note_cents{};
    std::array<bool, kKeyCount> silent{};  // a scale has no pitch for the key: its string is not heard

    bool operator==(const Tuning&) const = default;
};

/// rho of the octave above a MIDI note.
double octave_type(int midi_note);

/// Of the tuning's curve, before its amount.
OfKeys stretch_cents(const Tuning& tuning);

/// Frequency of every note's partial 1. Set-up code: uses the C library's functions.
OfKeys tuned_hz(const Tuning& tuning);
double tuned_hz(const Tuning& tuning, int key_index);

}  // namespace letoff::core
