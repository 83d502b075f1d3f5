#include "core/string/string_design.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/string/harpsichord_strings.h"
#include "core/string/string_table.h"
#include "core/unit/constants.h"
#include "core/unit/piecewise.h"

namespace letoff::core {
namespace {

constexpr double kDamperFloor = 0.03;  // 9 1/s under a seated damper: no mode with a node there rings on (our choice)
constexpr double kDamperWidthBass_m = 0.025;     // A0
constexpr double kDamperWidthTreble_m = 0.010;   // C8, linear between
constexpr double kDamperBeyondHammer_m = 0.010;  // the felt starts this far beyond the hammer line
constexpr double kMassC4_kg = 3 * 4.1e-3;        // three strings of C4, the note whose damping is known
constexpr double kLossExponent = 1.092;          // of f in the fitted losses
constexpr double kTypicalCompression = 0.6;      // strings yield: measured on this model at mezzoforte, 0.5-0.8
constexpr int kKeyC4 = 39;
constexpr double kFeltTimeAtC8 = 0.1;  // of that at C4
constexpr double kMezzoforte_mps = 2.8;
// Unequal, so that beats of the aftersound never go to nothing.
constexpr std::array<double, 2> kAgainstShare{0.6, 0.4};
constexpr std::array<double, 2> kAgainstDetune{1.0, -1.2};  // times unison_cents
constexpr double kSideways_cents = 0.3;  // higher: the bridge gives way less (our choice, a third of a hertz at C7)
constexpr double kHighestSideways_hz = 3000;  // above, these modes die as fast as the others and are left out

struct Wire {
    int strings;
    double length_m, diameter_m, mass_kgpm, tension_N, inharmonicity, strike_m, damper_m, damper_width_m, damper_factor;
};

/// The length, of what it was made with, that a string is given where turning its pin is not enough.
double length_share(int key_index, double f1_hz) {
    const double made_for_hz =
        kFork_hz * std::exp2((100.0 * (midi_note_of_key(key_index) - 69) + tone_at(key_index).stretch_cents) / 1200);
    const double cents = 1200 * std::log2(f1_hz / made_for_hz);
    return std::exp2((std::clamp(cents, kLowestTension_cents, kHighestTension_cents) - cents) / 1200);
}

Wire wire_of(const StringRow& row, double f1_hz, double young_Pa, int key_index, int strings) {
    Wire w{};
    w.strings = strings;
    w.length_m = row.length_m * length_share(key_index, f1_hz);
    w.diameter_m = row.core_mm * 1e-3;
    w.mass_kgpm = row.density_kgpm3 * kPi * w.diameter_m * w.diameter_m / 4;
    const double stiffness_N = bending_N(w.diameter_m, w.length_m, young_Pa);
    w.tension_N = w.mass_kgpm * std::pow(2 * w.length_m * f1_hz, 2) - stiffness_N;
    w.inharmonicity = stiffness_N / w.tension_N;
    w.strike_m = row.strike_ratio * w.length_m;
    w.damper_width_m = kDamperWidthBass_m +
                       (kDamperWidthTreble_m - kDamperWidthBass_m) * key_index / static_cast<double>(kKeyCount - 1);
    w.damper_m = std::min(w.strike_m + kDamperBeyondHammer_m + w.damper_width_m / 2, w.length_m / 2);
    w.damper_factor = std::min(1.0, std::sqrt(kMassC4_kg / (strings * w.mass_kgpm * w.length_m)));
    return w;
}

/// Of the table's K. Up to C5 contacts with half of it last as measured within 8 % from 0.6 to 9.3 m/s (root mean
/// square), with all of it within 13 %: Askenfelt & Jansson, Five Lectures, contact durations. From C6 on the table's
/// own is right (C6 within 7 %; C8 a third too short, but with softer felt a treble string would get less than the few
/// hundredths of its hammer's energy that it gets).
double voicing_at(int key) {
    constexpr int kC5 = 51, kC6 = 63;
    constexpr std::array<Knot, 2> kVoicing = {{{kC5, 0.5}, {kC6, 1.0}}};
    return piecewise_linear(kVoicing, key);
}

/// Mean of sin^2(k x) over the felt.
double felt_mean(double k, double centre_m, double width_m) {
    const double half = k * width_m;
    return 0.5 * (1 - std::cos(2 * k * centre_m) * std::sin(half) / half);
}

StringModes modes_of(const Wire& w, const StringRow& row, double f1_hz, double drain_1ps, double blow_share,
                     double highest_hz, double sideways_share) {
    StringModes m;
    for (int j = 1;; ++j) {
        const double f_hz = j * f1_hz * std::sqrt((1 + w.inharmonicity * j * j) / (1 + w.inharmonicity));
        if (f_hz > highest_hz) break;
        // Where no sideways modes are, the set in phase takes their share of the blow.
        const double share = blow_share + (f_hz > kHighestSideways_hz ? sideways_share : 0.0);
        const double shape = std::sqrt(share * w.strings * 2 / (w.mass_kgpm * w.length_m));
        const double k = j * kPi / w.length_m;
        m.omega_radps.push_back(2 * kPi * f_hz);
        m.sigma_1ps.push_back(row.loss_b1_1ps + row.loss_b3_s * 1e6 * std::pow(f_hz / 1000, kLossExponent) + drain_1ps);
        m.phi_strike.push_back(shape * std::sin(k * w.strike_m));
        m.bridge_N_per_m.push_back(w.tension_N * shape * k * (j % 2 == 0 ? 1 : -1));
        const double damped = w.damper_factor * felt_mean(k, w.damper_m, w.damper_width_m);
        m.damper_weight.push_back(std::clamp(damped, kDamperFloor, 1.0));
    }
    m.count = static_cast<int>(m.omega_radps.size());
    const std::size_t padded = static_cast<std::size_t>((m.count + kModeBlock - 1) / kModeBlock * kModeBlock);
    m.omega_radps.resize(padded, 2 * kPi * f1_hz);  // a silent mode still divides by its frequency
    m.sigma_1ps.resize(padded, 1.0);
    m.phi_strike.resize(padded, 0.0);
    m.bridge_N_per_m.resize(padded, 0.0);
    m.damper_weight.resize(padded, 1.0);
    return m;
}

/// Of the hammer felt at mezzoforte.
double typical_compression_m(const StringRow& row) {
    const double energy_J = 0.5 * row.hammer_mass_g * 1e-3 * kMezzoforte_mps * kMezzoforte_mps;
    const double rigid_m = std::pow(energy_J * (row.hammer_p + 1) / row.hammer_K_N_m_p, 1 / (row.hammer_p + 1));
    return kTypicalCompression * rigid_m;
}

}  // namespace

int strings_of_note(int midi_note) {
    return midi_note < 29 ? 1 : midi_note <= 46 ? 2 : 3;
}

StringSet design_strings(const StringDesign& design) {
    StringSet set;
    const OfKeys tuned = tuned_hz(design.tuning);
    const bool plucked = design.stringing == Stringing::kHarpsichord;
    for (int key = 0; key < kKeyCount; ++key) {
        const Voice& voice = design.voices[static_cast<std::size_t>(key)];
        StringRow row = plucked ? harpsichord_row(key) : string_rows()[static_cast<std::size_t>(key)];
        row.hammer_K_N_m_p *= voicing_at(key) * voice.felt_hardness;
        const ToneAnchor tone = tone_at(key);
        NoteStrings& note = set.notes[static_cast<std::size_t>(key)];
        const int struck_strings = strings_of_note(midi_note_of_key(key));
        note.strings = plucked ? 1 : struck_strings;
        note.f1_target_hz = tuned[static_cast<std::size_t>(key)];
        const Wire wire = wire_of(row, note.f1_target_hz, design.young_Pa, key, note.strings);
        note.inharmonicity = wire.inharmonicity;
        note.tension_N = wire.tension_N;
        note.impedance_kgps = std::sqrt(wire.tension_N * wire.mass_kgpm);

        const double against = note.strings == 1 ? 0.0 : tone.against_share;
        const auto detuned_hz = [&](double cents) { return note.f1_target_hz * std::exp2(cents / 1200); };
        note.set[0] = modes_of(wire, row, note.f1_target_hz, tone.drain_1ps, 1 - against - tone.sideways_share,
                               design.highest_hz, tone.sideways_share);
        for (int k = 1; k < note.strings; ++k) {
            const auto i = static_cast<std::size_t>(k - 1);
            const double share = note.strings == 2 ? against : against * kAgainstShare[i];
            note.set[i + 1] = modes_of(wire, row, detuned_hz(voice.unison_cents * kAgainstDetune[i]),
                                       tone.against_drain_1ps, share, design.highest_hz, 0);
        }
        note.set[static_cast<std::size_t>(note.strings)] =
            modes_of(wire, row, detuned_hz(kSideways_cents), 0, tone.sideways_share,
                     std::min(design.highest_hz, kHighestSideways_hz), 0);
        note.sets = note.strings + 1;
        note.drain_1ps = tone.drain_1ps;
        const double upright = 1 - tone.sideways_share, of_first = note.strings == 3 ? kAgainstShare[0] : 1.0;
        note.una_corda = {note.strings, design.una_corda_shift_m, voice.una_corda_hardness,
                          motions_of_strings(note.strings, {1 - against / upright, against / upright * of_first,
                                                            against / upright * (1 - of_first)})};

        const auto& driving = note.set[0].omega_radps;
        const auto last = std::upper_bound(driving.begin(), driving.begin() + note.set[0].count,
                                           2 * kPi * std::min(kDrivingBelow_hz, kHighestSideways_hz));
        note.longitudinal = longitudinal_modes(
            midi_note_of_key(key), wire.length_m, wire.diameter_m, wire.mass_kgpm, wire.tension_N, design.young_Pa,
            note.strings, 1 - against - tone.sideways_share, static_cast<int>(last - driving.begin()));

        const bool heard = voice.volume_dB > kSilent_dB && !design.tuning.silent[static_cast<std::size_t>(key)];
        note.volume = heard ? std::pow(10.0, voice.volume_dB / 20) : 0.0;
        if (plucked) {
            const Wire of_grand = wire_of(string_rows()[static_cast<std::size_t>(key)], note.f1_target_hz,
                                          design.young_Pa, key, struck_strings);
            note.volume *=
                std::sqrt(struck_strings * std::sqrt(of_grand.tension_N * of_grand.mass_kgpm) / note.impedance_kgps);
        }
        note.hammer_mass_kg = row.hammer_mass_g * 1e-3;
        note.hammer_p = row.hammer_p;
        note.hammer_K_N_m_p = row.hammer_K_N_m_p;
        const double delta_m = typical_compression_m(row);
        const double above_C4 = std::max(0.0, (key - kKeyC4) / static_cast<double>(kKeyCount - 1 - kKeyC4));
        const double time_s = design.felt_time_s * std::pow(kFeltTimeAtC8, above_C4);
        note.hammer_b_Ns_m3 = time_s * row.hammer_K_N_m_p * row.hammer_p * std::pow(delta_m, row.hammer_p - 3);
    }
    return set;
}

}  // namespace letoff::core
