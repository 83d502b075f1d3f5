#include "audio/soundboard/lid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

/// Level of a sine behind the lid, dB.
double shaded_dB(double open, double hz) {
    Lid lid(open, 48000);
    std::vector<float> left(9600), right(9600, 0.0F);
    for (size_t i = 0; i < left.size(); ++i)
        left[i] = static_cast<float>(std::sin(2 * core::kPi * hz * static_cast<double>(i) / 48000));
    lid.shade(left, right);
    double sum = 0;
    for (size_t i = 4800; i < left.size(); ++i) sum += static_cast<double>(left[i]) * left[i];
    EXPECT_EQ(right.back(), 0);
    return 10 * std::log10(2 * sum / 4800);
}

TEST(Lid, ClosedItShadesTheTrebleByEightDecibelsAndNotTheBass) {
    EXPECT_NEAR(shaded_dB(0, 10000), -8, 0.5);
    EXPECT_NEAR(shaded_dB(0, 100), 0, 0.1);
    EXPECT_NEAR(shaded_dB(0.5, 10000), -4, 0.3);
}

TEST(Lid, OpenItLeavesEverySampleAsItIs) {
    Lid lid(1, 48000);
    std::vector<float> left{0.1F, -0.7F, 1e-8F, 0.3F}, right{0.2F, 0, 0.9F, -1e-7F};
    const auto left_before = left, right_before = right;
    lid.shade(left, right);
    EXPECT_EQ(left, left_before);
    EXPECT_EQ(right, right_before);
}

}  // namespace
}  // namespace letoff::audio
