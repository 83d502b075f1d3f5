// From the string table to the modes of 88 tuned notes.
//
// Tuning: f1 from core/string/tuning.h; the tension is the one at which partial 1 of the stiff string (Masoudi & McPhee
// eq 21, inharmonicity B = pi^2 epsilon) is exactly f1:  T = mu (2 L f1)^2 - pi^3 E d^4 / (64 L^2). So tuning turns a
// pin, and B follows. Where a scale asks for more than kLowestTension_cents to kHighestTension_cents from what the
// string was made for, its length gives the rest, as if the piano were strung for it.
// Voicing: the hammer's K times a factor; keybed and sound have it alike, since the force comes from there.
// Losses: aftersound sets sigma = b1 + b3 1e6 (f/1 kHz)^1.092; the set in phase adds the bridge's drain, the same for
// every mode (a bridge admittance without resonances: drain = 2 f1 n Z Re Y, 2.6 1/s at C4 for Y = 1/1300 s/kg; fitted
// there: 2.5). One string alone has no partner set: its modes all take b1 + b3 + drain.
// Damper: felt over [centre - width/2, centre + width/2]; weight of mode j = mean of sin^2(j pi x / L) over it, times
// min(1, sqrt(string mass of C4 / string mass)), because a heavy bass note gives the same felt more to stop; at least
// 0.03.
// Hammer: RT-0425's dissipation R d(delta^p)/dt has R/K = 91 us at C4, taken for all notes below. Above, contacts get
// six times shorter and it falls evenly to a tenth at C8 (our choice: with 91 us the felt would take more than
// half of the blow and loud notes would not be brighter). b is that law's value at the compression delta of mezzoforte,
// 0.6 of what a rigid string would give at 2.8 m/s:  b = (R/K) K p delta^(p-3).
#pragma once

#include <array>
#include <cstdint>

#include "core/string/modal_string.h"
#include "core/string/string_table.h"
#include "core/string/tuning.h"

namespace letoff::core {

// Half to 1.4 times the pull it was made for: a4 from 392 to 466 Hz and notes 100 cents off stay within (our choice).
inline constexpr double kLowestTension_cents = -600, kHighestTension_cents = 300;

/// A note's own, beside its pitch.
struct Voice {
    double felt_hardness = 1;         // times the hammer's K
    double unison_cents = 0.4;        // the sets against each other lie +1 and -1.2 times this off the set in phase
    double volume_dB = 0;             // of the sound that its hammer makes
    double una_corda_hardness = 0.6;  // times K, where the una corda pedal puts felt without grooves on the strings

    bool operator==(const Voice&) const = default;
};
inline constexpr double kSilent_dB = -60;  // and below: not heard at all

/// Whose strings: a grand's, or one string a note as a harpsichord has it (harpsichord_strings.h).
enum class Stringing : std::uint8_t { kGrand, kHarpsichord };

struct StringDesign {
    Stringing stringing = Stringing::kGrand;
    Tuning tuning{};
    std::array<Voice, kKeyCount> voices{};
    double una_corda_shift_m = 3e-3;
    double highest_hz = 21600.0;  // 0.45 x 48 kHz: modes above are left out
    double young_Pa = kSteelYoung_Pa;
    double felt_time_s = 9.1e-5;  // R/K of the hammer felt: RT-0425 at C4, 5.3212e5 / 5.84e9

    bool operator==(const StringDesign&) const = default;
};

/// 1 string below MIDI 29, 2 to 46, 3 above (a concert grand's usual layout).
int strings_of_note(int midi_note);

/// Set-up code: allocates, uses the C library's functions.
StringSet design_strings(const StringDesign& design);

/// Decay rate (of the amplitude, 1/s) that a damper felt pressed in by compression_m adds to a mode of weight 1. 0 at
/// 0, half of its greatest at 0.15 mm (half pedal), saturating: C4 then falls by about 400 dB/s (measured on pianos:
/// 290 on average, 500 in firm contact).
constexpr double damper_loss_1ps(double compression_m) {
    constexpr double kGreatest_1ps = 290.0;  // with C4's partial 1 at weight about 0.2: 58 1/s = 500 dB/s, its start
    // Our choice: a seated felt (30-45 g) is pressed in by several tenths of a millimetre.
    constexpr double kHalf_m = 0.15e-3;
    if (!(compression_m > 0)) return 0;
    const double r = compression_m / kHalf_m;
    return kGreatest_1ps * r * r / (1.0 + r * r);
}

}  // namespace letoff::core
