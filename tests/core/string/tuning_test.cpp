#include "core/string/tuning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "core/unit/key_name.h"

namespace letoff::core {
namespace {

constexpr int kA4 = 48;

double cents(double hz, double of_hz) {
    return 1200 * std::log2(hz / of_hz);
}
std::size_t key(int midi) {
    return static_cast<std::size_t>(key_of_midi_note(midi));
}

TEST(Tuning, WithoutWishesItIsTheMeasuredGrandsToTheBit) {
    const OfKeys hz = tuned_hz({});
    for (int k = 0; k < kKeyCount; ++k) {
        const double cents = 100.0 * (midi_note_of_key(k) - 69) + 1.0 * tone_at(k).stretch_cents;
        EXPECT_EQ(hz[static_cast<std::size_t>(k)], 440.0 * std::exp2(cents / 1200)) << k;
    }
}

TEST(Tuning, A4IsExactWhateverElseIsAskedFor) {
    for (const double a4_hz : {392.0, 415.0, 440.0, 442.0, 466.0}) {
        for (const StretchCurve curve : {StretchCurve::kMeasured, StretchCurve::kComputed}) {
            for (const double stretch : {0.0, 1.0, 2.5}) {
                const Tuning tuning{
                    .a4_hz = a4_hz, .temperament = Temperament::kYoung, .root = 4, .curve = curve, .stretch = stretch};
                EXPECT_NEAR(tuned_hz(tuning)[kA4], a4_hz, 1e-12 * a4_hz) << a4_hz << " " << stretch;
            }
        }
    }
    EXPECT_EQ(tuned_hz(Tuning{.stretch = 0})[kA4], 440.0);
    EXPECT_NEAR(tuned_hz(Tuning{.curve = StretchCurve::kComputed})[kA4], 440.0, 1e-9);
}

TEST(Tuning, OffOctavesAreTwoToOneAndTheJustThirdIsFiveToFour) {
    const OfKeys hz = tuned_hz({.temperament = Temperament::kJustMajor, .stretch = 0});
    EXPECT_NEAR(hz[key(64)] / hz[key(60)], 5.0 / 4, 1e-9);
    EXPECT_NEAR(hz[key(67)] / hz[key(60)], 3.0 / 2, 1e-9);
    EXPECT_NEAR(hz[key(72)] / hz[key(60)], 2.0, 1e-9);
    EXPECT_NEAR(hz[key(108)] / hz[key(24)], 128.0, 1e-7);
    const OfKeys in_E = tuned_hz({.temperament = Temperament::kJustMajor, .root = 4, .stretch = 0});
    EXPECT_NEAR(in_E[key(68)] / in_E[key(64)], 5.0 / 4, 1e-9);
}

TEST(Tuning, ComputedStretchMakesPartialsOfOctavesMeet) {
    // On the strings as they are then built, and with octaves that tuners name: 6:3 near E3, 2:1 nearly at the top.
    EXPECT_NEAR(octave_type(21), 4.4, 0.1);
    EXPECT_NEAR(octave_type(59), 3.1, 0.1);
    EXPECT_NEAR(octave_type(96), 1.2, 0.1);
    const auto strings = std::make_unique<StringSet>(design_strings({.tuning = {.curve = StretchCurve::kComputed}}));
    const auto partial_hz = [&](int key_index, double j) {
        const NoteStrings& note = strings->notes[static_cast<std::size_t>(key_index)];
        const double f1_hz = note.string[0].omega_radps[0] / (2 * kPi), b = note.inharmonicity;
        return j * f1_hz * std::sqrt((1 + b * j * j) / (1 + b));
    };
    for (int lower = 0; lower + 12 < kKeyCount; ++lower) {
        if (lower == 32) continue;  // F3-F4 has the stretch of A3-A4
        const double rho = octave_type(midi_note_of_key(lower));
        EXPECT_NEAR(cents(partial_hz(lower, 2 * rho), partial_hz(lower + 12, rho)), 0, 1e-6) << key_name(lower);
    }
}

TEST(Tuning, ComputedStretchGrowsTowardsBothEnds) {
    const OfKeys stretch = stretch_cents({.curve = StretchCurve::kComputed});
    std::printf("computed stretch in cents:");
    for (int k = 0; k < kKeyCount; k += 3)
        std::printf(" %s %.1f", key_name(k).c_str(), stretch[static_cast<std::size_t>(k)]);
    std::printf("\n");
    EXPECT_NEAR(stretch[kA4], 0, 1e-12);
    for (int k = 0; k + 12 < kKeyCount; ++k)
        EXPECT_LT(stretch[static_cast<std::size_t>(k)], stretch[static_cast<std::size_t>(k + 12)]) << key_name(k);
}

}  // namespace
}  // namespace letoff::core
