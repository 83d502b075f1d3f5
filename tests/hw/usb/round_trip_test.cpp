#include "hw/usb/round_trip.h"

#include <gtest/gtest.h>

namespace letoff::hw {
namespace {

using Verdict = RoundTrip::Verdict;

/// Two seconds of frames of 1 ms, each answered after `way_s`, every seventh 5 ms later.
RoundTrip answered_after(double way_s, std::uint32_t first = 0xFFFFFF00U) {
    RoundTrip trip;
    for (std::uint32_t i = 0; i < 2100; ++i) {
        trip.sent(first + i, i * 1e-3);
        if (i > 20) trip.answered(first + i - 20, (i - 20) * 1e-3 + way_s + (i % 7 == 0 ? 5e-3 : 0));
    }
    return trip;
}

TEST(RoundTrip, TheLeastOfASecondAgainstWhatIsStated) {
    EXPECT_NEAR(answered_after(1.4e-3).least_s(), 1.4e-3, 1e-9);  // over the end of the numbers
    EXPECT_EQ(answered_after(1.4e-3).verdict(0.1e-3, 1e-3), Verdict::kAsStated);
    EXPECT_EQ(answered_after(3.2e-3).verdict(0.1e-3, 1e-3), Verdict::kLater);
    EXPECT_EQ(answered_after(3.2e-3).verdict(2.5e-3, 1e-3), Verdict::kAsStated);
    EXPECT_EQ(answered_after(1.4e-3).verdict(2.5e-3, 1e-3), Verdict::kSooner);
}

TEST(RoundTrip, WithoutEnoughAnswersItKnowsNothing) {
    RoundTrip trip;
    EXPECT_EQ(trip.verdict(0, 1e-3), Verdict::kUnknown);
    for (std::uint32_t i = 1; i < 50; ++i) {
        trip.sent(i, i * 0.1);
        trip.answered(i, i * 0.1 + 5e-3);
    }
    EXPECT_EQ(trip.verdict(0, 1e-3), Verdict::kUnknown);
    trip.answered(7777, 6.0);  // a number that was never sent
    EXPECT_EQ(trip.least_s(), 0);
}

}  // namespace
}  // namespace letoff::hw
