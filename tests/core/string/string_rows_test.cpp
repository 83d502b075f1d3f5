#include "core/string/string_rows.h"

#include <gtest/gtest.h>

namespace letoff::core {
namespace {

TEST(StringRows, TheDefaultsAreTheStringsAsTheyAre) {
    EXPECT_TRUE(string_design(StringValues{}) == StringDesign{});
}

TEST(StringRows, EveryRowReachesTheStrings) {
    const StringDesign usual;
    for (std::size_t row = 0; row < kStringRowCount; ++row) {
        StringValues values;
        values.set_whole(row, kStringRows[row].maximum);
        EXPECT_FALSE(string_design(values) == usual) << kStringRows[row].id;
        if (row < kFirstKeyRow) continue;
        StringValues of_key;
        of_key.keys[48][row] = kStringRows[row].minimum;
        const StringDesign design = string_design(of_key);
        EXPECT_FALSE(design == usual) << kStringRows[row].id;
        EXPECT_TRUE(design.voices[47] == usual.voices[47]);
        EXPECT_EQ(design.tuning.note_cents[47], 0);
    }
}

TEST(StringRows, AnA4ThatIsAskedForIsExactEvenWhereItIsTheDefault) {
    StringValues values;
    EXPECT_NEAR(tuned_hz(string_design(values).tuning)[48], 440.789, 0.001);
    values.set_whole(string_row("a4_hz"), 440);
    EXPECT_NEAR(tuned_hz(string_design(values).tuning)[48], 440, 1e-9);
}

TEST(StringRows, ChoicesMeanWhatTheirNamesSay) {
    StringValues values;
    values.set_whole(string_row("temperament"),
                     validate(kStringRows[string_row("temperament")], "kirnberger3").value());
    values.set_whole(string_row("temperament_root"),
                     validate(kStringRows[string_row("temperament_root")], "Bb").value());
    values.set_whole(string_row("stretch_curve"), validate(kStringRows[string_row("stretch_curve")], "own").value());
    values.set_whole(string_row("temper_B_flat_cents"), -7);
    const Tuning tuning = string_design(values).tuning;
    EXPECT_EQ(tuning.temperament, Temperament::kKirnberger3);
    EXPECT_EQ(tuning.root, 10);
    EXPECT_EQ(tuning.curve, StretchCurve::kOwn);
    EXPECT_EQ(tuning.pitch_class_cents[10], -7);
}

}  // namespace
}  // namespace letoff::core
