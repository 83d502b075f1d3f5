#include "core/rt/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace letoff::core {
namespace {

constexpr double kHalfBin = 0.032;  // a bin is at most a sixteenth wide, its middle at most half of that away

/// The smallest value that at least share of all do not exceed.
double exact_quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    return values.at(static_cast<std::size_t>(std::max(rank, 1.0)) - 1);
}

TEST(HistogramTest, QuantilesAreTheExactOnesToHalfABin) {
    std::mt19937_64 random(1);
    // A tick's lateness: most are short, some are long, over all seven decades.
    std::lognormal_distribution<double> usual(3, 1), stray(9, 2);
    for (const int count : {1, 2, 3, 10, 1000, 30'000}) {
        Histogram histogram;
        std::vector<double> times_us;
        for (int i = 0; i < count; ++i) {
            const double time_us = std::clamp(i % 97 == 0 ? stray(random) : usual(random), 0.2, 9e5);
            histogram.add_us(time_us);
            times_us.push_back(time_us);
        }
        EXPECT_EQ(histogram.count(), static_cast<std::uint64_t>(count));
        EXPECT_EQ(histogram.max_us(), *std::max_element(times_us.begin(), times_us.end()));
        for (const double share : {0.0, 0.01, 0.5, 0.95, 0.99, 0.999, 1.0}) {
            const double exact_us = exact_quantile(times_us, share);
            EXPECT_NEAR(histogram.quantile_us(share), exact_us, kHalfBin * exact_us) << share << " of " << count;
        }
        EXPECT_EQ(histogram.quantile_us(1), histogram.max_us());
    }
}

TEST(HistogramTest, EveryTimeFallsIntoABinOfItsOwnSize) {
    double time_us = 0.1;
    for (int i = 0; i < 1248; ++i, time_us *= 1.013) {
        Histogram histogram;
        histogram.add_us(time_us);
        histogram.add_us(2e6);
        histogram.add_us(3e6);
        ASSERT_NEAR(histogram.quantile_us(0.3), time_us, kHalfBin * time_us);
    }
    EXPECT_GT(time_us, 0.99e6);  // all seven decades
    EXPECT_LT(time_us, 1.02e6);
}

TEST(HistogramTest, ThreeTimesApartByABinAreToldApart) {
    Histogram histogram;
    for (const double time_us : {100.0, 107.0, 114.0}) histogram.add_us(time_us);
    EXPECT_LT(histogram.quantile_us(0.3), histogram.quantile_us(0.6));
    EXPECT_LT(histogram.quantile_us(0.6), histogram.quantile_us(1));
}

TEST(HistogramTest, EndsHoldWhatIsShorterOrLonger) {
    Histogram histogram;
    EXPECT_EQ(histogram.count(), 0u);
    EXPECT_EQ(histogram.quantile_us(0.5), 0);
    EXPECT_EQ(histogram.max_us(), 0);
    for (const double time_us : {-5.0, 0.0, 0.03, std::numeric_limits<double>::quiet_NaN()}) histogram.add_us(time_us);
    EXPECT_EQ(histogram.count(), 4u);
    EXPECT_EQ(histogram.max_us(), 0.03);
    EXPECT_LE(histogram.quantile_us(0.5), 0.03);
    for (const double time_us : {1e6, 3e6, 5e6, std::numeric_limits<double>::infinity(), 1e300}) {
        Histogram longest;
        longest.add_us(time_us);
        longest.add_us(time_us);
        EXPECT_EQ(longest.quantile_us(0.5), time_us);
    }
}

TEST(HistogramTest, ReadersOnOtherThreadsSeeCountsThatOnlyGrow) {
    Histogram histogram;
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (int i = 1; i <= 200'000; ++i) histogram.add_us(i % 1000);
        done.store(true);
    });
    std::uint64_t before = 0;
    int shrunk = 0, outside = 0;
    for (bool end = false; !end;) {
        end = done.load();
        const std::uint64_t now = histogram.count();
        shrunk += now < before;
        before = now;
        const double median_us = histogram.quantile_us(0.5);
        outside += median_us < 0 || median_us > 999;
    }
    writer.join();
    EXPECT_EQ(shrunk, 0);
    EXPECT_EQ(outside, 0);
    EXPECT_EQ(histogram.count(), 200'000u);
}

TEST(Histogram, QuartersOfDoublingsCountEveryTimeOnce) {
    Histogram histogram;
    EXPECT_TRUE(histogram.quarters().empty());
    for (const double time_us : {10.0, 10.5, 40.0}) histogram.add_us(time_us);
    const auto bins = histogram.quarters();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        sum += bins[i].count;
        EXPECT_EQ(bins[i].from_us, i > 0 ? bins[i - 1].to_us : bins[0].from_us);
        EXPECT_LT(bins[i].to_us, 1.3 * bins[i].from_us);
    }
    EXPECT_EQ(sum, 3u);
    EXPECT_LE(bins.front().from_us, 10.0);
    EXPECT_GE(bins.front().count, 1u);
    EXPECT_GT(bins.back().to_us, 40.0);
    EXPECT_EQ(bins.back().count, 1u);
}

}  // namespace
}  // namespace letoff::core
