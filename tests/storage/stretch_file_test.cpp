#include "storage/stretch_file.h"

#include <gtest/gtest.h>

namespace letoff::storage {
namespace {

std::string refusal_of(std::string_view text) {
    const auto curve = parse_stretch(text, "x.csv");
    return curve ? "accepted" : curve.error();
}

TEST(StretchFile, KeysBetweenLieOnAStraightLineAndKeysBeyondHaveTheEnds) {
    const auto curve = parse_stretch("# mine\nA1,-8\r\n\nA4,0\nmidi:93,12.5\n", "x.csv");
    ASSERT_TRUE(curve.ok()) << curve.error();
    EXPECT_EQ(curve.value()[0], -8);
    EXPECT_EQ(curve.value()[12], -8);
    EXPECT_NEAR(curve.value()[12 + 9], -6, 1e-12);
    EXPECT_EQ(curve.value()[48], 0);
    EXPECT_NEAR(curve.value()[60], 6.25, 1e-12);
    EXPECT_EQ(curve.value()[72], 12.5);
    EXPECT_EQ(curve.value()[87], 12.5);
}

TEST(StretchFile, RefusesWithOneSentence) {
    EXPECT_EQ(refusal_of("# nothing\n"), "'x.csv' has no line key,cents");
    EXPECT_EQ(refusal_of("A4 3\n"), "'x.csv' line 1: 'A4 3' is not key,cents");
    EXPECT_EQ(refusal_of("A4,sharp\n"), "'x.csv' line 1: 'sharp' is no stretch, -100 to 100 cents");
    EXPECT_EQ(refusal_of("A4,101\n"), "'x.csv' line 1: '101' is no stretch, -100 to 100 cents");
    EXPECT_EQ(refusal_of("A4,1\n\nA3,0\n"), "'x.csv' line 3: A3 comes after A4; keys must rise");
    EXPECT_NE(refusal_of("H4,1\n").find("'x.csv' line 1: "), std::string::npos);
    EXPECT_FALSE(read_stretch("/nowhere/x.csv").ok());
}

}  // namespace
}  // namespace letoff::storage
