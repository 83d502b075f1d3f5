#include "core/string/string_design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "core/string/string_table.h"
#include "core/unit/constants.h"

namespace letoff::core {
namespace {

const StringSet& strings() {
    static const StringSet set = design_strings(StringDesign{});
    return set;
}
const NoteStrings& note_of(int midi) {
    return strings().notes[static_cast<std::size_t>(key_of_midi_note(midi))];
}

/// Level of the note's bridge force re its start, dB, every mode given the power that an impulse puts into it up to 5
/// kHz.
double level_dB(const NoteStrings& note, double time_s) {
    double now = 0, start = 0;
    for (int j = 0; j < note.set[0].count; ++j) {
        const auto i = static_cast<std::size_t>(j);
        if (note.set[0].omega_radps[i] > 2 * kPi * 5000) break;
        double amplitude_0 = 0, power = 0;
        for (int s = 0; s < note.sets; ++s) {
            const StringModes& m = note.set[static_cast<std::size_t>(s)];
            if (j >= m.count) continue;
            // A hammer longer in contact than a period excites partials falling about as 1/j^2 (force), here in the
            // bridge force.
            const double a = m.phi_strike[i] * m.bridge_N_per_m[i] / m.omega_radps[i] / ((j + 1) * (j + 1));
            amplitude_0 += a;
            power += std::pow(a * std::exp(-m.sigma_1ps[i] * time_s), 2);
        }
        start += amplitude_0 * amplitude_0;
        now += power;
    }
    return 10 * std::log10(now / start);
}

TEST(StringDesign, PartialOneOfEveryNoteIsOnItsTarget) {
    const StringDesign design;
    for (int key = 0; key < kKeyCount; ++key) {
        const StringRow& row = string_rows()[static_cast<std::size_t>(key)];
        const NoteStrings& note = strings().notes[static_cast<std::size_t>(key)];
        // From the physical string again: eq 21 with epsilon, nothing shared with the design but the tension.
        const double d_m = row.core_mm * 1e-3;
        const double mu = row.density_kgpm3 * kPi * d_m * d_m / 4;
        const double epsilon =
            kPi * std::pow(d_m, 4) * design.young_Pa / (64 * row.length_m * row.length_m * note.tension_N);
        const double f1 = 0.5 / row.length_m * std::sqrt(note.tension_N / mu * (1 + epsilon * kPi * kPi));
        const double target = 440 * std::exp2((key + 21 - 69) / 12.0) * std::exp2(tone_at(key).stretch_cents / 1200);
        EXPECT_NEAR(1200 * std::log2(f1 / target), 0.0, 0.01) << row.note;
        EXPECT_NEAR(1200 * std::log2(note.set[0].omega_radps[0] / (2 * kPi * target)), 0.0, 0.01) << row.note;
    }
}

TEST(StringDesign, StretchFollowsTheMeasuredInstrument) {
    EXPECT_NEAR(tone_at(0).stretch_cents, -13.2, 1e-9);
    EXPECT_NEAR(tone_at(48).stretch_cents, 3.1, 1e-9);
    EXPECT_NEAR(tone_at(87).stretch_cents, 11.1, 1e-9);
    EXPECT_NEAR(tone_at(9).stretch_cents, -12.8 + 11.6 / 2, 1e-9);  // half way from C1 to C2
}

TEST(StringDesign, TensionsAndInharmonicitiesAreThoseOfAConcertGrand) {
    double total_N = 0;
    for (int key = 0; key < kKeyCount; ++key) {
        const NoteStrings& note = strings().notes[static_cast<std::size_t>(key)];
        EXPECT_GT(note.tension_N, key < 25 ? 700 : 480) << key;
        EXPECT_LT(note.tension_N, key < 15 ? 1900 : 950) << key;
        EXPECT_GT(note.inharmonicity, 4e-5) << key;
        EXPECT_LT(note.inharmonicity, 0.025) << key;
        total_N += note.strings * note.tension_N;
    }
    EXPECT_NEAR(note_of(60).inharmonicity, 3.26e-4, 0.2 * 3.26e-4);  // measured on a 2.1 m grand
    EXPECT_NEAR(note_of(69).inharmonicity, 7.57e-4, 0.2 * 7.57e-4);
    EXPECT_NEAR(total_N, 210e3, 0.2 * 210e3);  // Conklin: 210 kN
}

TEST(StringDesign, NotesHaveOneTwoAndThreeStrings) {
    EXPECT_EQ(note_of(28).strings, 1);
    EXPECT_EQ(note_of(29).strings, 2);
    EXPECT_EQ(note_of(46).strings, 2);
    EXPECT_EQ(note_of(47).strings, 3);
    EXPECT_EQ(note_of(108).strings, 3);
}

TEST(StringDesign, ModesReachTheHighestFrequencyAndArePaddedSilently) {
    int one_set = 0, all = 0, padded = 0;
    for (const NoteStrings& note : strings().notes) {
        one_set += note.set[0].count * note.strings;
        for (int s = 0; s < note.strings; ++s) {
            const StringModes& m = note.set[static_cast<std::size_t>(s)];
            all += m.count;
            padded += m.padded();
            ASSERT_EQ(m.padded() % kModeBlock, 0);
            ASSERT_GE(m.count, 3);
            const auto last = static_cast<std::size_t>(m.count - 1);
            EXPECT_LE(m.omega_radps[last], 2 * kPi * 21600);
            EXPECT_GT(m.omega_radps[last] + 2 * (m.omega_radps[last] - m.omega_radps[last - 1]), 2 * kPi * 21600);
            for (std::size_t j = last + 1; j < static_cast<std::size_t>(m.padded()); ++j) {
                EXPECT_EQ(m.phi_strike[j], 0);
                EXPECT_EQ(m.bridge_N_per_m[j], 0);
                EXPECT_GT(m.omega_radps[j], 0);
            }
        }
    }
    std::printf("modes to 21.6 kHz: %d (%d padded)\n", all, padded);
    EXPECT_NEAR(all, 14600, 0.1 * 14600);
    EXPECT_NEAR(one_set, all, 20);
}

TEST(StringDesign, SetsOfANoteHaveTheAdmittanceOfItsStrings) {
    // An even blow F / n on n equal strings moves each by phi^2 / n F: the weights of the sets must add up to that.
    for (int midi : {21, 40, 60, 100}) {
        const NoteStrings& note = note_of(midi);
        const StringRow& row = string_rows()[static_cast<std::size_t>(key_of_midi_note(midi))];
        const double mass_kg = row.density_kgpm3 * kPi * row.core_mm * row.core_mm * 1e-6 / 4 * row.length_m;
        const double phi = std::sqrt(2 / mass_kg) * std::sin(kPi * row.strike_ratio);
        double sum = 0;
        for (int s = 0; s < note.sets; ++s)
            sum += std::pow(note.set[static_cast<std::size_t>(s)].phi_strike[0] / note.strings, 2);
        EXPECT_NEAR(sum, phi * phi / note.strings, 1e-12 * sum) << midi;
    }
}

TEST(StringDesign, TrebleDecaysFasterThanBass) {
    for (int midi = 21; midi + 24 <= 108; midi += 1)
        EXPECT_LT(level_dB(note_of(midi + 24), 4), level_dB(note_of(midi), 4) + 1.0) << midi;
    EXPECT_LT(level_dB(note_of(108), 1), level_dB(note_of(21), 1) - 30);
}

TEST(StringDesign, UnisonsAreCloseButNotEqual) {
    for (const NoteStrings& note : strings().notes) {
        for (int s = 1; s < note.strings; ++s) {
            const double cents =
                1200 * std::log2(note.set[static_cast<std::size_t>(s)].omega_radps[0] / note.set[0].omega_radps[0]);
            EXPECT_GT(std::abs(cents), 0.3);
            EXPECT_LT(std::abs(cents), 0.6);
        }
    }
}

TEST(StringDesign, DamperStopsEveryModeOfEveryNote) {
    EXPECT_EQ(damper_loss_1ps(0), 0);
    EXPECT_EQ(damper_loss_1ps(-1e-3), 0);
    EXPECT_NEAR(damper_loss_1ps(0.15e-3), damper_loss_1ps(1) / 2, 1e-3);
    const double seated = damper_loss_1ps(0.6e-3);
    for (const NoteStrings& note : strings().notes)
        for (int j = 0; j < note.set[0].count; ++j)
            EXPECT_GT(seated * note.set[0].damper_weight[static_cast<std::size_t>(j)], 6.9 / 1.0);
    const double c4_dBps = 20 * std::log10(std::exp(1.0)) * seated * note_of(60).set[0].damper_weight[0];
    std::printf("C4 under a seated damper: %.0f dB/s\n", c4_dBps);
    EXPECT_GT(c4_dBps, 290);
    EXPECT_LT(c4_dBps, 550);
}

TEST(StringDesign, PitchAndRangeFollowTheDesign) {
    const StringSet low = design_strings({.tuning = {.a4_hz = 415.0, .stretch = 0.0}, .highest_hz = 10000.0});
    EXPECT_NEAR(low.notes[48].set[0].omega_radps[0], 2 * kPi * 415.0, 1e-9);
    EXPECT_LE(low.notes[0].set[0].omega_radps[static_cast<std::size_t>(low.notes[0].set[0].count - 1)],
              2 * kPi * 10000.0);
}

}  // namespace
}  // namespace letoff::core
