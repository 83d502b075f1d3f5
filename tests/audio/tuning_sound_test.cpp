// Tuning, unison width and volume as they are heard, measured on the sound.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "core/unit/key_name.h"
#include "tests/support/spectrum.h"

namespace letoff::audio {
namespace {

constexpr int kTick_hz = 4000;
constexpr int kRate_hz = 48000;

/// A note pushed for 0.25 ms and left alone: its force on the bridge for so long. No mode is put to rest.
std::vector<float> pushed(const core::StringSet& strings, int key, double seconds) {
    auto bank = StringBank::create(strings, {.sample_rate_hz = kRate_hz, .tick_hz = kTick_hz, .rest_force_N = 0});
    EXPECT_TRUE(bank.ok());
    const auto per_tick = static_cast<std::size_t>(bank.value().samples_per_tick());
    core::StringForce force;
    force.count = core::kStrikeGrid_hz / kTick_hz;
    force.force_N.fill(10);
    std::vector<float> sound;
    for (int tick = 0; tick < static_cast<int>(seconds * kTick_hz); ++tick) {
        const auto bridge_N = bank.value().render_note(key, tick == 0 ? &force : nullptr, 0);
        sound.insert(sound.end(), bridge_N.begin(), bridge_N.end());
        sound.resize((static_cast<std::size_t>(tick) + 1) * per_tick, 0.0F);
    }
    return sound;
}

std::unique_ptr<core::StringSet> strings_of(const core::StringDesign& design, bool single) {
    auto strings = std::make_unique<core::StringSet>(core::design_strings(design));
    for (core::NoteStrings& note : strings->notes) note.strings = single ? 1 : note.strings;
    return strings;
}

/// Partial 1 of one string by the fit (f_j / j)^2 = a + b j^2 of partials 1 to 8 that are heard.
double fitted_hz(const core::StringSet& strings, int key) {
    const core::NoteStrings& note = strings.notes[static_cast<std::size_t>(key)];
    const auto sound = pushed(strings, key, 1.1);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int j = 1; j <= 8; ++j) {
        const double b = note.inharmonicity;
        const double guess_hz = j * note.f1_target_hz * std::sqrt((1 + b * j * j) / (1 + b));
        if (guess_hz > 10000) break;
        const auto window = static_cast<std::size_t>(std::clamp(12 / note.f1_target_hz, 0.03, 0.5) * kRate_hz);
        const double heard = test::partial_hz(sound, kRate_hz, guess_hz, window, window) / j;
        n += 1;
        x += j * j;
        y += heard * heard;
        xx += static_cast<double>(j) * j * j * j;
        xy += j * j * heard * heard;
    }
    if (n < 2) return std::sqrt(y);
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    return std::sqrt((y - slope * x) / n + slope);
}

double cents(double hz, double of_hz) {
    return 1200 * std::log2(hz / of_hz);
}

TEST(TuningSound, RetunedNotesSoundWithinOneCent) {
    core::StringDesign historical;
    historical.tuning = {.a4_hz = 415.3,
                         .temperament = core::Temperament::kWerckmeister3,
                         .root = 2,
                         .curve = core::StretchCurve::kComputed,
                         .stretch = 1.5};
    historical.tuning.note_cents[39] = -100;
    historical.tuning.note_cents[60] = 37.5;
    core::StringDesign high;
    high.tuning = {.a4_hz = 466, .temperament = core::Temperament::kMeantone, .stretch = 0};
    core::StringDesign quarter;  // 24 keys to the octave: strings are given other lengths
    quarter.tuning.stretch = 0;
    for (int k = 0; k < core::kKeyCount; ++k)
        quarter.tuning.scale_cents[static_cast<std::size_t>(k)] = -50.0 * (k - 48);
    for (const core::StringDesign* design : {&historical, &high, &quarter}) {
        const auto strings = strings_of(*design, true);
        const core::OfKeys target_hz = core::tuned_hz(design->tuning);
        for (const int key : {3, 15, 27, 39, 48, 60, 75}) {
            EXPECT_NEAR(cents(fitted_hz(*strings, key), target_hz[static_cast<std::size_t>(key)]), 0, 1.0)
                << core::key_name(key) << " of " << target_hz[static_cast<std::size_t>(key)] << " Hz";
        }
    }
}

TEST(TuningSound, TheJustThirdIsHeardAsFiveToFourAndTheEqualOneAsFourteenCentsMore) {
    core::StringDesign just, equal;
    just.tuning = {.temperament = core::Temperament::kJustMajor, .stretch = 0};
    equal.tuning.stretch = 0;
    const auto third_cents = [](const core::StringDesign& design) {
        const auto strings = strings_of(design, true);
        return cents(fitted_hz(*strings, 43), fitted_hz(*strings, 39));
    };
    EXPECT_NEAR(third_cents(just), 1200 * std::log2(5.0 / 4), 0.1);
    EXPECT_NEAR(third_cents(equal), 400, 0.1);
}

TEST(TuningSound, ATwiceAsLoudNoteIsExactlyTwiceTheSamplesAndItsNeighbourTheSame) {
    core::StringDesign louder;
    louder.voices[39].volume_dB = 20 * std::log10(2.0);
    louder.voices[41].volume_dB = core::kSilent_dB;
    const auto normal_strings = strings_of({}, false), louder_strings = strings_of(louder, false);
    const auto normal = pushed(*normal_strings, 39, 0.5), loud = pushed(*louder_strings, 39, 0.5);
    ASSERT_EQ(normal.size(), loud.size());
    for (std::size_t i = 0; i < normal.size(); ++i) ASSERT_EQ(loud[i], 2 * normal[i]) << i;
    EXPECT_EQ(pushed(*normal_strings, 40, 0.1), pushed(*louder_strings, 40, 0.1));
    for (const float sample : pushed(*louder_strings, 41, 0.1)) ASSERT_EQ(sample, 0);
}

/// How often the envelope of partial 1 swells in `seconds`.
int swells(double unison_cents, double seconds) {
    constexpr int kA2 = 24;  // two strings
    core::StringDesign design;
    design.voices[kA2].unison_cents = unison_cents;
    const auto strings = strings_of(design, false);
    const double f1_hz = strings->notes[kA2].f1_target_hz;
    const auto sound = pushed(*strings, kA2, seconds + 0.6);
    const std::size_t window = kRate_hz / 10, hop = kRate_hz / 50;
    std::vector<double> level;
    for (std::size_t begin = kRate_hz / 2; begin + window < sound.size(); begin += hop) {
        std::complex<double> sum = 0;
        for (std::size_t i = 0; i < window; ++i) {
            const double hann =
                0.5 - 0.5 * std::cos(2 * core::kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(window));
            sum += hann * static_cast<double>(sound[begin + i]) *
                   std::polar(1.0, -2 * core::kPi * f1_hz * static_cast<double>(begin + i) / kRate_hz);
        }
        level.push_back(std::abs(sum));
    }
    int count = 0;
    for (std::size_t i = 1; i + 1 < level.size(); ++i) count += level[i] > level[i - 1] && level[i] > level[i + 1];
    return count;
}

TEST(TuningSound, AWiderUnisonBeatsAsMuchFasterAndNoneBeatsNot) {
    const double seconds = 6;
    EXPECT_EQ(swells(0, seconds), 0);
    for (const double unison_cents : {12.0, 24.0}) {
        const double beats = seconds * core::tuned_hz({}, 24) * (std::exp2(unison_cents / 1200) - 1);
        EXPECT_NEAR(swells(unison_cents, seconds), beats, 1.01) << unison_cents;
    }
}

}  // namespace
}  // namespace letoff::audio
