#include "hw/usb/device_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace letoff::hw {
namespace {

/// A frame each ms for `seconds`; delays 100 us and, `busy`, up to 3 ms more. The worst error after `from_s`.
double worst_error_s(DeviceClock& clock, double ppm, bool busy, double seconds, double from_s) {
    std::mt19937 random(7);
    std::exponential_distribution<double> wait(1 / 0.4e-3);
    double worst_s = 0;
    double last_s = 0;
    for (int i = 0; i < static_cast<int>(seconds * 1000); ++i) {
        const double true_s = 10 + i * 1e-3;
        const auto device_us = static_cast<std::uint64_t>(std::llround(i * 1e3 * (1 + ppm * 1e-6))) + 123'456'789;
        clock.observe(device_us, true_s + 100e-6 + (busy ? std::min(wait(random), 3e-3) : 0));
        const double mapped_s = clock.host_s(device_us);
        if (clock.locked()) {
            EXPECT_GT(mapped_s, last_s);
            last_s = mapped_s;
        }
        if (i > from_s * 1000) worst_s = std::max(worst_s, std::abs(mapped_s - true_s - 100e-6));
    }
    return worst_s;
}

TEST(DeviceClock, FollowsAClock200PpmOff) {
    for (const double ppm : {-200.0, 0.0, 200.0}) {
        DeviceClock clock;
        EXPECT_LT(worst_error_s(clock, ppm, false, 6, 4), 5e-6) << ppm;
        EXPECT_NEAR(clock.rate_ppm(), ppm, 2) << ppm;
        EXPECT_TRUE(clock.locked());
    }
}

TEST(DeviceClock, IsRightEnoughAsSoonAsItIsLocked) {
    // 0.1 ms at the 0.3 m/s of a loud stroke is 30 um.
    for (const double ppm : {-200.0, 200.0}) {
        DeviceClock clock;
        EXPECT_LT(worst_error_s(clock, ppm, false, 3, 0.6), 100e-6) << ppm;
    }
}

TEST(DeviceClock, LateFramesDoNotPullIt) {
    DeviceClock clock;
    EXPECT_LT(worst_error_s(clock, 200, true, 10, 4), 40e-6);
    EXPECT_NEAR(clock.rate_ppm(), 200, 30);
}

TEST(DeviceClock, AVeryLateFirstFrameIsForgotten) {
    DeviceClock clock;
    clock.observe(0, 1.015);
    for (int i = 1; i < 1000; ++i) clock.observe(static_cast<std::uint64_t>(i) * 1000, 1 + i * 1e-3);
    EXPECT_NEAR(clock.host_s(1'000'000), 2.0, 5e-6);
}

TEST(DeviceClock, AnotherTimeLineBeginsAnew) {
    DeviceClock clock;
    for (int i = 0; i < 1000; ++i) clock.observe(static_cast<std::uint64_t>(i) * 1000, 1 + i * 1e-3);
    for (int i = 0; i < 1500; ++i) clock.observe(static_cast<std::uint64_t>(i) * 1000 + 1'000'000, 7 + i * 1e-3);
    EXPECT_EQ(clock.restarts(), 1);
    EXPECT_NEAR(clock.host_s(2'500'000), 8.5, 5e-6);
}

}  // namespace
}  // namespace letoff::hw
