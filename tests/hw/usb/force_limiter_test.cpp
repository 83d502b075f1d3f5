#include "hw/usb/force_limiter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace letoff::hw {
namespace {

constexpr double kDt_s = 250e-6;

double after(ForceLimiter& limiter, double asked_N, double seconds) {
    double force_N = 0;
    for (int i = 0; i < static_cast<int>(seconds / kDt_s + 0.5); ++i) force_N = limiter.limited(asked_N, kDt_s);
    return force_N;
}

TEST(ForceLimiter, SixtyFor20MsFifteenForASecondThenFive) {
    ForceLimiter limiter;
    EXPECT_NEAR(after(limiter, 100, 0.012), 60, 1e-9);  // 5 N/ms on the way
    after(limiter, 100, 0.020);
    EXPECT_NEAR(limiter.limited(100, kDt_s), 15, 1e-9);
    EXPECT_NEAR(after(limiter, 100, 0.9), 15, 1e-9);
    after(limiter, 100, 0.2);
    EXPECT_NEAR(limiter.limited(100, kDt_s), 5, 1e-9);
    EXPECT_NEAR(after(limiter, -100, 1), -5, 1e-9);
    EXPECT_TRUE(limiter.active());
}

TEST(ForceLimiter, AboveFifteenForNoMoreThan20Ms) {
    ForceLimiter limiter;
    double over_15_s = 0;
    double over_5_s = 0;
    for (int i = 0; i < 4000; ++i) {
        const double force_N = limiter.limited(1e9, kDt_s);
        EXPECT_LE(force_N, 60);
        if (force_N > 15) over_15_s += kDt_s;
        if (force_N > 5) over_5_s += kDt_s;
    }
    EXPECT_LE(over_15_s, 0.020 + 45 / 5e3 + 2 * kDt_s);  // and the way down at 5 N/ms
    EXPECT_GT(over_15_s, 0.0195);
    EXPECT_LE(over_5_s, 1.0 + kDt_s);
}

TEST(ForceLimiter, SlewIsFiveNewtonsAMillisecond) {
    ForceLimiter limiter;
    EXPECT_DOUBLE_EQ(limiter.limited(60, kDt_s), 1.25);
    EXPECT_DOUBLE_EQ(limiter.limited(-60, kDt_s), 0);
    limiter.limited(2, kDt_s);
    limiter.from_zero();
    EXPECT_DOUBLE_EQ(limiter.limited(60, kDt_s), 1.25);
}

TEST(ForceLimiter, WhatIsNoNumberIsZero) {
    ForceLimiter limiter;
    after(limiter, 4, 0.1);
    EXPECT_EQ(limiter.limited(std::numeric_limits<double>::quiet_NaN(), 1.0), 0);
    EXPECT_EQ(limiter.limited(std::numeric_limits<double>::infinity(), 1.0), 0);
}

TEST(ForceLimiter, ForcesBelowItPassUnchanged) {
    ForceLimiter limiter;
    for (int i = 0; i < 40000; ++i) {
        const double asked_N = 4.9 * std::sin(i * 0.01);
        ASSERT_EQ(limiter.limited(asked_N, kDt_s), asked_N);
        ASSERT_FALSE(limiter.active());
    }
}

TEST(ForceLimiter, RowsOnlyLowerIt) {
    KeyRow row{0, 20000, 0, 0, 65535, 65535, 65535, 65535, 65535, 1, 1, 1};
    const ForceLimits most = limits_of(row);
    EXPECT_EQ(most.peak_N, 60);
    EXPECT_EQ(most.peak_s, 0.020);
    EXPECT_EQ(most.second_N, 15);
    EXPECT_EQ(most.continuous_N, 5);
    EXPECT_EQ(most.slew_N_per_s, 5000);
    row.peak_force = 1000;
    EXPECT_EQ(limits_of(row).peak_N, 2);
    EXPECT_EQ(limits_of(row).continuous_N, 2);
    ForceLimiter limiter(limits_of(row));
    EXPECT_EQ(after(limiter, 50, 0.1), 2);
}

TEST(ForceLimiter, NeverAboveItsLimitsWhateverIsAsked) {
    ForceLimiter limiter;
    std::mt19937 random(3);
    std::normal_distribution<double> any(0, 40);
    double last_N = 0;
    double use_15_s = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        const double force_N = limiter.limited(any(random) * (i % 1000 < 300 ? 1 : 0.05), kDt_s);
        ASSERT_LE(std::abs(force_N), 60);
        ASSERT_LE(std::abs(force_N - last_N), 1.25 + 1e-12);
        use_15_s = std::abs(force_N) > 15 ? use_15_s + kDt_s : std::max(0.0, use_15_s - 0.1 * kDt_s);
        ASSERT_LE(use_15_s, 0.020 + 45 / 5e3 + 2 * kDt_s);
        last_N = force_N;
    }
}

}  // namespace
}  // namespace letoff::hw
