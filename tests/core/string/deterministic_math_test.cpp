#include "core/string/deterministic_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace letoff::core {
namespace {

TEST(DeterministicMath, PowMatchesExtendedPrecisionOverTheFeltsRange) {
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
        const double x = std::exp2(-40.0 + 41.0 * i / 200000.0);
        const double p = 1.0 + 4.0 * ((i * 7919) % 1000) / 1000.0;
        const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(p));
        worst = std::max(worst, static_cast<double>(std::abs((pow_positive(x, p) - exact) / exact)));
    }
    EXPECT_LT(worst, 1e-13);
}

TEST(DeterministicMath, PowOfNothingOrLessIsNothing) {
    EXPECT_EQ(pow_positive(0.0, 2.3), 0.0);
    EXPECT_EQ(pow_positive(-1e-3, 2.3), 0.0);
    EXPECT_EQ(pow_positive(std::nan(""), 2.3), 0.0);
    EXPECT_EQ(pow_positive(1.0, 2.3), 1.0);
}

TEST(DeterministicMath, ExpMatchesExtendedPrecision) {
    double worst = 0;
    for (int i = 0; i <= 100000; ++i) {
        const double x = 700.0 * i / 100000.0;
        const long double exact = std::exp(-static_cast<long double>(x));
        worst = std::max(worst, static_cast<double>(std::abs((exp_neg(x) - exact) / exact)));
    }
    EXPECT_LT(worst, 1e-13);
    EXPECT_EQ(exp_neg(0.0), 1.0);
    EXPECT_EQ(exp_neg(1e6), 0.0);
}

}  // namespace
}  // namespace letoff::core
