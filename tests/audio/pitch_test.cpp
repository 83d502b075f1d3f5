// The pitch that comes out of the audio strings, measured on the sound and not read from a table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "tests/system/spectrum.h"

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
