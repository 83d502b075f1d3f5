// Scales laid on the keys; those of files, and the examples of their format, are in tests/storage/scala_test.cpp.
#include "core/string/scale.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

namespace letoff::core {
namespace {

TEST(Scale, KeysBeyondTheMapKeepTheirPitchWhateverTheyWereTunedTo) {
    Scale scale{"equal", {}};
    for (int i = 1; i <= 12; ++i) scale.cents.push_back(100.0 * i);
    const KeyMap map{.first_midi = 60, .last_midi = 71, .reference_hz = 415, .degree = {}};
    // Where no A4 is asked for the measured stretch puts it 3.1 cents high; the scale's A4 is exact.
    for (const std::optional<double> a4_hz : std::array<std::optional<double>, 3>{std::nullopt, 440.0, 430.0}) {
        Tuning before{.a4_hz = a4_hz, .temperament = Temperament::kVallotti};
        before.pitch_class_cents[2] = 5;
        before.note_cents[80] = -7;
        const auto with = with_scale(scale, map, before, "x");
        ASSERT_TRUE(with.ok()) << with.error();
        const OfKeys was_hz = tuned_hz(before), hz = tuned_hz(with.value());
        for (int key = 0; key < kKeyCount; ++key) {
            const auto k = static_cast<std::size_t>(key);
            const int midi = midi_note_of_key(key);
            if (midi >= map.first_midi && midi <= map.last_midi) continue;
            EXPECT_NEAR(1200 * std::log2(hz[k] / was_hz[k]), 0, 1e-5) << key;
        }
        EXPECT_NEAR(hz[static_cast<std::size_t>(key_of_midi_note(69))], 415, 1e-9);
    }
}

}  // namespace
}  // namespace letoff::core
