// A harpsichord's strings: lengths as chosen, pulls that iron and brass bear, one string a note, sound for its board.
#include "core/string/harpsichord_strings.h"

#include <gtest/gtest.h>

#include "core/string/string_design.h"

namespace letoff::core {
namespace {

const StringSet& plucked() {
    static const StringSet set = design_strings({.stringing = Stringing::kHarpsichord});
    return set;
}

TEST(HarpsichordStrings, HalveTheirLengthAboveC5AndAreShorterBelow) {
    const auto length_m = [](int midi) { return harpsichord_row(midi - 21).length_m; };
    EXPECT_NEAR(length_m(72), 0.350, 1e-12);
    EXPECT_NEAR(length_m(84), 0.175, 1e-12);
    EXPECT_LT(length_m(36), 4 * length_m(60));
    for (int midi = 22; midi <= 108; ++midi) EXPECT_LT(length_m(midi), length_m(midi - 1)) << midi;
}

// At 415 Hz. Drawn iron bears some 1000 N/mm2, brass wire some 700: usual values, and harpsichords are strung near
// them.
TEST(HarpsichordStrings, AreNotPulledTooHard) {
    const StringSet low =
        design_strings({.stringing = Stringing::kHarpsichord, .tuning = {.a4_hz = 415, .stretch = 0}});
    for (int key = 0; key < kKeyCount; ++key) {
        const StringRow row = harpsichord_row(key);
        const double tension_N = low.notes[static_cast<std::size_t>(key)].tension_N;
        EXPECT_GT(tension_N, 15) << key;
        EXPECT_LT(tension_N, 80) << key;
        const double stress_N_per_mm2 = tension_N / (3.14159265 / 4 * row.core_mm * row.core_mm);
        EXPECT_LT(stress_N_per_mm2, row.density_kgpm3 > 8000 ? 700 : 1000) << key;
    }
}

// What reaches our board is louder by the root of the ratio of impedances; the grand's strings are as they were.
TEST(HarpsichordStrings, SoundThroughABoardThatGivesWayMore) {
    static const StringSet grand = design_strings({});
    for (const std::size_t key : {0U, 39U, 48U, 87U}) {
        const NoteStrings &mine = plucked().notes[key], &its = grand.notes[key];
        EXPECT_EQ(mine.strings, 1);
        EXPECT_EQ(mine.sets, 2);
        EXPECT_NEAR(mine.volume * mine.volume, its.strings * its.impedance_kgps / mine.impedance_kgps,
                    1e-9 * mine.volume * mine.volume);
        EXPECT_EQ(its.volume, 1);
        EXPECT_EQ(mine.f1_target_hz, its.f1_target_hz);
    }
}

}  // namespace
}  // namespace letoff::core
