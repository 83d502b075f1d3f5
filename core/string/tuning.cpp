#include "core/string/tuning.h"

#include <algorithm>
#include <cmath>

#include "core/string/string_table.h"
#include "core/unit/constants.h"

namespace letoff::core {
namespace {

constexpr int kA4 = 48, kA3 = 36;
constexpr int kFirstOfMiddle = 32, kLastOfMiddle = 44;  // F3, F4: the octave in which tuners set the temperament
constexpr int kOctave = 12;
// A string's B depends on its tension and so on the stretch that is sought: a hundredth of it comes back each round.
constexpr int kRounds = 12;

double inharmonicity_at(int key, double f1_hz) {
    const StringRow& row = string_rows()[static_cast<std::size_t>(key)];
    const double diameter_m = row.core_mm * 1e-3;
    const double mass_kgpm = row.density_kgpm3 * kPi * diameter_m * diameter_m / 4;
    const double stiffness_N = bending_N(diameter_m, row.length_m, kSteelYoung_Pa);
    return stiffness_N / (mass_kgpm * std::pow(2 * row.length_m * f1_hz, 2) - stiffness_N);
}

/// How many cents partial j lies above j times partial 1.
double partial_cents(double inharmonicity, double j) {
    return 600 * std::log2((1 + inharmonicity * j * j) / (1 + inharmonicity));
}

/// By how much the octave above a key is wider than 2:1, where the two partials meet.
double octave_cents(const OfKeys& inharmonicity, int lower) {
    const double rho = octave_type(midi_note_of_key(lower));
    return partial_cents(inharmonicity[static_cast<std::size_t>(lower)], 2 * rho) -
           partial_cents(inharmonicity[static_cast<std::size_t>(lower + kOctave)], rho);
}

OfKeys computed_stretch_cents(double a4_hz) {
    OfKeys stretch{};
    for (int round = 0; round < kRounds; ++round) {
        OfKeys b{};
        for (int key = 0; key < kKeyCount; ++key) {
            const auto k = static_cast<std::size_t>(key);
            b[k] = inharmonicity_at(key, a4_hz * std::exp2((100.0 * (key - kA4) + stretch[k]) / 1200));
        }
        const double middle_cents = octave_cents(b, kA3);
        for (int key = kFirstOfMiddle; key <= kLastOfMiddle; ++key)
            stretch[static_cast<std::size_t>(key)] = middle_cents * (key - kA4) / kOctave;
        for (int key = kLastOfMiddle + 1; key < kKeyCount; ++key) {
            const int lower = key - kOctave;
            stretch[static_cast<std::size_t>(key)] = stretch[static_cast<std::size_t>(lower)] + octave_cents(b, lower);
        }
        for (int key = kFirstOfMiddle - 1; key >= 0; --key) {
            const int upper = key + kOctave;
            stretch[static_cast<std::size_t>(key)] = stretch[static_cast<std::size_t>(upper)] - octave_cents(b, key);
        }
    }
    return stretch;
}

/// Between two keys, straight; beyond the keyboard that of its end.
double at_place(const OfKeys& values, double key) {
    const double place = std::clamp(key, 0.0, static_cast<double>(kKeyCount - 1));
    const auto below = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(below);
    if (share <= 0) return values[below];
    return values[below] + share * (values[below + 1] - values[below]);
}

}  // namespace

double octave_type(int midi_note) {
    return 1 + (1 - std::tanh((midi_note - 64) / 24.0)) * 3.51 / 2;
}

OfKeys stretch_cents(const Tuning& tuning) {
    switch (tuning.curve) {
        case StretchCurve::kComputed:
            return computed_stretch_cents(tuning.a4_hz.value_or(kFork_hz));
        case StretchCurve::kOwn:
            return tuning.own_stretch_cents;
        case StretchCurve::kMeasured:
            break;
    }
    OfKeys measured{};
    for (int key = 0; key < kKeyCount; ++key) measured[static_cast<std::size_t>(key)] = tone_at(key).stretch_cents;
    return measured;
}

OfKeys tuned_hz(const Tuning& tuning) {
    const OfKeys curve = stretch_cents(tuning);
    const std::array<double, 12> temperament = temperament_cents(tuning.temperament, tuning.root);
    const double at_A4 = tuning.a4_hz ? tuning.stretch * curve[kA4] : 0.0;
    OfKeys hz{};
    for (int key = 0; key < kKeyCount; ++key) {
        const auto k = static_cast<std::size_t>(key);
        const auto pitch_class = static_cast<std::size_t>(midi_note_of_key(key) % 12);
        // A note of a scale of another kind is stretched as the key is that has its pitch.
        const double stretched = tuning.stretch * at_place(curve, key + tuning.scale_cents[k] / 100);
        const double moved = temperament[pitch_class] + tuning.pitch_class_cents[pitch_class] + tuning.scale_cents[k] +
                             tuning.note_cents[k] - at_A4;
        const double cents = 100.0 * (midi_note_of_key(key) - 69) + stretched + moved;
        hz[k] = tuning.a4_hz.value_or(kFork_hz) * std::exp2(cents / 1200);
    }
    return hz;
}

double tuned_hz(const Tuning& tuning, int key_index) {
    return tuned_hz(tuning)[static_cast<std::size_t>(key_index)];
}

}  // namespace letoff::core
