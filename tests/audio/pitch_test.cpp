// The pitch that comes out of the audio strings, measured on the sound and not read from a table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "tests/support/spectrum.h"

namespace letoff::audio {
namespace {

constexpr int kTick_hz = 4000;
constexpr int kRate_hz = 48000;

/// One string of each note, pushed for a millisecond and left alone: its force on the bridge for so long.
std::array<std::vector<float>, core::kKeyCount> single_strings(double seconds, const core::StringDesign& design = {}) {
    core::StringSet set = core::design_strings(design);
    for (core::NoteStrings& note : set.notes) note.strings = note.sets = 1;
    auto bank = StringBank::create(set, {.sample_rate_hz = kRate_hz, .tick_hz = kTick_hz});
    EXPECT_TRUE(bank.ok());
    std::array<std::vector<float>, core::kKeyCount> sound;
    core::StringForce force;
    force.count = core::kStrikeGrid_hz / kTick_hz;
    force.force_N.fill(10);
    for (int tick = 0; tick < static_cast<int>(seconds * kTick_hz); ++tick) {
        for (int key = 0; key < core::kKeyCount; ++key) {
            const auto bridge_N = bank.value().render_note(key, tick == 0 ? &force : nullptr, 0);
            auto& out = sound[static_cast<std::size_t>(key)];
            out.resize(out.size() + static_cast<std::size_t>(bank.value().samples_per_tick()));
            std::copy(bridge_N.begin(), bridge_N.end(), out.end() - bank.value().samples_per_tick());
        }
    }
    return sound;
}

TEST(Pitch, PartialOneOfEveryNoteSoundsWithinTwoCents) {
    const auto sound = single_strings(1.1);
    double worst_cents = 0;
    for (int key = 0; key < core::kKeyCount; ++key) {
        const double target_hz = core::tuned_hz({}, key);
        // Long enough to tell partial 1 from its neighbours; the treble dies away within it.
        const double window_s = std::clamp(12 / target_hz, 0.03, 0.5);
        const auto window = static_cast<std::size_t>(window_s * kRate_hz);
        const double heard_hz =
            test::partial_hz(sound[static_cast<std::size_t>(key)], kRate_hz, target_hz, window, window);
        const double cents = 1200 * std::log2(heard_hz / target_hz);
        worst_cents = std::max(worst_cents, std::abs(cents));
        EXPECT_LT(std::abs(cents), 2) << core::key_name(key) << " sounds at " << heard_hz << " Hz, not " << target_hz;
    }
    RecordProperty("worst_cents", fmt::format("{:.4f}", worst_cents));
}

// f_n = n f_0 sqrt(1 + B n^2), so (f_n / n)^2 is straight over n^2: its start is the pitch, its slope the
// inharmonicity.
TEST(Pitch, PartialsOfOneStringLieWhereItsStiffnessPutsThem) {
    const auto sound = single_strings(1.1);
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    const auto& notes = strings->notes;
    for (const int key : {15, 27, 39, 48, 51, 63}) {  // C2, C3, C4, A4, C5, C6
        const double B = notes[static_cast<std::size_t>(key)].inharmonicity, f1_hz = core::tuned_hz({}, key);
        const auto fitted = [&](int partials) {
            double x = 0, y = 0, xy = 0, xx = 0;
            for (int n = 1; n <= partials; ++n) {
                const double guess_hz = n * f1_hz * std::sqrt((1 + B * n * n) / (1 + B));
                const auto window = static_cast<std::size_t>(0.3 * kRate_hz);
                const double f_hz =
                    test::partial_hz(sound[static_cast<std::size_t>(key)], kRate_hz, guess_hz, window, window / 4);
                const double square = f_hz / n * f_hz / n;
                x += n * n;
                y += square;
                xy += n * n * square;
                xx += std::pow(n, 4);
            }
            const double slope = (partials * xy - x * y) / (partials * xx - x * x);
            const double f0_squared = (y - slope * x) / partials;
            return std::pair(std::sqrt(f0_squared + slope), slope / f0_squared);  // partial 1, B
        };
        EXPECT_LT(std::abs(1200 * std::log2(fitted(8).first / f1_hz)), 1) << core::key_name(key);
        EXPECT_NEAR(fitted(10).second, B, 0.03 * B) << core::key_name(key);
    }
}

TEST(Pitch, WithoutStretchA4Is440HzAndOctavesAreTwoToOne) {
    core::StringDesign equal;
    equal.tuning.stretch = 0;
    const auto sound = single_strings(0.2, equal);
    for (const int midi : {57, 69, 81, 93}) {
        const double target_hz = 440 * std::exp2((midi - 69) / 12.0);
        const auto key = static_cast<std::size_t>(core::key_of_midi_note(midi));
        const double heard_hz = test::partial_hz(sound[key], kRate_hz, target_hz, 4000, 4000);
        EXPECT_NEAR(1200 * std::log2(heard_hz / target_hz), 0, 0.1) << midi;
    }
}

}  // namespace
}  // namespace letoff::audio
