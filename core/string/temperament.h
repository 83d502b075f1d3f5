// Temperaments: where the twelve notes of an octave lie.
//
// Eight are chains of eleven fifths Eb-Bb-F-C-G-D-A-E-B-F#-C#-G#, each 3/2 less a part of a comma, P = (3/2)^12 / 2^7
// (Pythagorean, 23.460 cents) or S = 81/80 (syntonic, 21.506 cents); the twelfth fifth G#-Eb is what is left:
//   Pythagorean   all pure                         meantone       all less S/4
//   Werckmeister III (1691)  C-G, G-D, D-A, B-F# less P/4
//   Kirnberger II (1771)     D-A, A-E less S/2, F#-C# less the schisma P/S
//   Kirnberger III (1779)    C-G, G-D, D-A, A-E less S/4, F#-C# less the schisma
//   Vallotti                 F-C, C-G, G-D, D-A, A-E, E-B less P/6
//   Young (his second, 1799) C-G, G-D, D-A, A-E, E-B, B-F# less P/6
// The two just ones are ratios to the root. Among the several sets in use these are the ones of Yamaha's Harmony
// Director HD-300 (owner's manual, p. 39, "Pure (Major)", "Pure (minor)").
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace letoff::core {

enum class Temperament : std::uint8_t {
    kEqual,
    kJustMajor,
    kJustMinor,
    kPythagorean,
    kMeantone,
    kWerckmeister3,
    kKirnberger2,
    kKirnberger3,
    kVallotti,
    kYoung,
};
/// In the order above.
inline constexpr std::array<std::string_view, 10> kTemperamentNames{
    "equal",         "just-major",  "just-minor",  "pythagorean", "meantone",
    "werckmeister3", "kirnberger2", "kirnberger3", "vallotti",    "young"};
inline constexpr std::array<std::string_view, 12> kPitchClassNames{"C",  "C#", "D",  "Eb", "E",  "F",
                                                                   "F#", "G",  "G#", "A",  "Bb", "B"};
inline constexpr int kPitchClassA = 9;

/// Cents above the root, of the root and the eleven semitones above it; the root is 0.
std::array<double, 12> temperament_scale(Temperament temperament);

/// By pitch class (C is 0), cents above equal temperament, A being 0 whatever the root.
std::array<double, 12> temperament_cents(Temperament temperament, int root);

}  // namespace letoff::core
