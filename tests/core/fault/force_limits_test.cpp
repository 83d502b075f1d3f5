#include "core/fault/force_limits.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace letoff::core {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the limits say, watched from outside: the longest times above a force, and the most it grew in a tick.
struct Watch {
    double h_s;
    double last_N = 0, most_N = 0, most_step_N = 0;
    double above_15_s = 0, above_5_s = 0, longest_15_s = 0, longest_5_s = 0;
    void see(double force_N) {
        const double size_N = std::abs(force_N);
        most_N = std::max(most_N, size_N);
        // A force that changes its sign stops at nothing first.
        if (force_N * last_N < 0) most_step_N = 1e9;
        most_step_N = std::max(most_step_N, size_N - std::abs(last_N));
        above_15_s = size_N > 15 ? above_15_s + h_s : 0;
        above_5_s = size_N > 5 ? above_5_s + h_s : 0;
        longest_15_s = std::max(longest_15_s, above_15_s);
        longest_5_s = std::max(longest_5_s, above_5_s);
        last_N = force_N;
    }
};

TEST(ForceLimits, AForceBelowAllLimitsPassesAsItIs) {
    ForceLimits limits({}, 1.0 / 4000);
    for (const double wanted : {0.5, 1.7, 2.0, 1.0, 0.0, -0.1}) {
        EXPECT_EQ(limits.next_N(wanted), wanted);
        EXPECT_FALSE(limits.limited());
    }
}

TEST(ForceLimits, ASteadyWishComesDownThroughItsThreeBounds) {
    for (const int hz : {1000, 2000, 4000, 8000}) {
        ForceLimits limits({}, 1.0 / hz);
        Watch watch{1.0 / hz};
        double at_10_ms = 0, at_500_ms = 0, most_after_1100_ms = 0;
        for (int i = 1; i <= 3 * hz; ++i) {
            watch.see(limits.next_N(1e6));
            if (i == hz / 100) at_10_ms = watch.last_N;
            if (i == hz / 2) at_500_ms = watch.last_N;
            if (i > hz * 11 / 10) most_after_1100_ms = std::max(most_after_1100_ms, watch.last_N);
        }
        EXPECT_NEAR(at_10_ms, 50, 1e-9) << "still rising at 5 N/ms";
        EXPECT_EQ(at_500_ms, 15);
        EXPECT_EQ(watch.last_N, 5);
        EXPECT_EQ(most_after_1100_ms, 5) << "no budget comes back while more is asked for";
        EXPECT_LE(watch.most_N, 60);
        EXPECT_GT(watch.most_N, 50) << hz;
        EXPECT_LE(watch.longest_15_s, 0.020 + 1e-9) << hz;
        EXPECT_LE(watch.longest_5_s, 1.0 + 1e-9) << hz;
        EXPECT_LE(watch.most_step_N, 5000.0 / hz + 1e-9) << hz;
    }
}

TEST(ForceLimits, AForceMayFallAtOnceAndChangesItsSignByWayOfNothing) {
    ForceLimits limits({}, 1.0 / 4000);
    for (int i = 0; i < 40; ++i) limits.next_N(30);
    EXPECT_EQ(limits.last_N(), 30);
    EXPECT_EQ(limits.next_N(2), 2);
    EXPECT_FALSE(limits.limited());
    EXPECT_EQ(limits.next_N(-4), 0);
    EXPECT_EQ(limits.next_N(-4), -1.25);
    EXPECT_EQ(limits.next_N(-4), -2.5);
}

TEST(ForceLimits, PulsesDoNotGoRoundTheBudgets) {
    ForceLimits limits({}, 1.0 / 4000);
    double above_15_s = 0, above_5_s = 0;
    constexpr int kSeconds = 20;
    for (int i = 0; i < 4000 * kSeconds; ++i) {
        const double force_N = limits.next_N(i % 80 < 40 ? 60 : 0);  // 10 ms on, 10 ms off
        above_15_s += force_N > 15 ? 1.0 / 4000 : 0;
        above_5_s += force_N > 5 ? 1.0 / 4000 : 0;
    }
    EXPECT_LE(above_15_s, 0.020 + 0.02 * kSeconds);
    EXPECT_LE(above_5_s, 1.0 + 0.2 * kSeconds);
}

TEST(ForceLimits, WhatIsNoNumberIsZeroAtOnceAndAFault) {
    for (const double wish : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
        ForceLimits limits({}, 1.0 / 4000);
        for (int i = 0; i < 10; ++i) limits.next_N(4);
        EXPECT_EQ(limits.next_N(wish), 0.0);
        EXPECT_TRUE(limits.faulty());
        EXPECT_EQ(limits.next_N(4), 1.25) << "and rises again from nothing";
        EXPECT_FALSE(limits.faulty());
    }
}

TEST(ForceLimits, SettingsLowerAndNeverRaise) {
    for (const double wish : {1e9, kInfinity}) {
        ForceLimits raised({wish, wish, wish, wish}, 1.0 / 4000);
        Watch watch{1.0 / 4000};
        for (int i = 0; i < 8000; ++i) watch.see(raised.next_N(1e6));
        EXPECT_LE(watch.most_N, 60);
        EXPECT_LE(watch.longest_15_s, 0.020 + 1e-9);
        EXPECT_LE(watch.most_step_N, 1.25 + 1e-9);
    }
    ForceLimits lower({20, 8, 3, 1000, 0.005}, 1.0 / 4000);
    Watch watch{1.0 / 4000};
    int above_8 = 0;
    for (int i = 0; i < 8000; ++i) {
        watch.see(lower.next_N(1e6));
        above_8 += watch.last_N > 8 + 1e-9 ? 1 : 0;
    }
    EXPECT_EQ(above_8, 20) << "5 ms";
    EXPECT_LE(watch.most_N, 20);
    EXPECT_LE(watch.most_step_N, 0.25 + 1e-9);
    EXPECT_EQ(watch.last_N, 3);
    for (const double no_limit : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        ForceLimits none({no_limit, 15, 5, 5000}, 1.0 / 4000);
        EXPECT_EQ(none.next_N(10), 0) << "a setting that says nothing commands nothing";
    }
}

TEST(ForceLimits, RandomWishesKeepThem) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> size(-80, 80), share(0, 1);
    for (const int hz : {1000, 4000, 8000}) {
        ForceLimits limits({}, 1.0 / hz);
        Watch watch{1.0 / hz};
        double wish = 0;
        for (int i = 0; i < 200'000; ++i) {
            if (share(random) < 0.05) wish = size(random);
            watch.see(limits.next_N(wish));
        }
        EXPECT_LE(watch.most_N, 60);
        EXPECT_LE(watch.longest_15_s, 0.020 + 1e-9);
        EXPECT_LE(watch.longest_5_s, 1.0 + 1e-9);
        EXPECT_LE(watch.most_step_N, 5000.0 / hz + 1e-9);
    }
}

}  // namespace
}  // namespace letoff::core
