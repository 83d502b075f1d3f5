// Error bounds of the vector functions against long double, on every SIMD target of this machine.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/core/simd/math_test.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// f of pairs of numbers: which 0 log2(x), 1 exp2(x), 2 pow_positive(x, y), 3 sin(x), 4 cos(x).
void evaluate(int which, const double* x, const double* y, double* out, size_t count) {
    HWY_ALIGN double a[kLanes], b[kLanes], r[kLanes];
    for (size_t i = 0; i < count; i += width()) {
        for (size_t l = 0; l < width(); ++l) {
            const size_t from = i + l < count ? i + l : count - 1;
            a[l] = x[from];
            b[l] = y[from];
        }
        const V va = load(a), vb = load(b);
        V s = zero(), c = zero();
        switch (which) {
            case 0:
                s = log2(va);
                break;
            case 1:
                s = exp2(va);
                break;
            case 2:
                s = pow_positive(va, vb);
                break;
            case 3:
                sincos(va, s, c);
                break;
            default:
                sincos(va, c, s);
                break;
        }
        store(s, r);
        for (size_t l = 0; l < width() && i + l < count; ++l) out[i + l] = r[l];
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/simd/scalar_math.h"
#include "core/simd/target.h"

namespace letoff::core {
HWY_EXPORT(evaluate);

namespace {

constexpr size_t kCount = 100003;  // not a multiple of any width

std::vector<double> uniform(double from, double to, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<double> x(kCount);
    for (double& v : x) v = from + (to - from) * (static_cast<double>(random() >> 11) * 0x1p-53);
    return x;
}

std::vector<double> run(int which, const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> out(x.size());
    HWY_DYNAMIC_DISPATCH(evaluate)(which, x.data(), y.data(), out.data(), x.size());
    return out;
}

class VectorMath : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (!choose_simd(GetParam())) GTEST_SKIP() << "this machine has no " << GetParam();
    }
    void TearDown() override { (void)choose_simd("auto").ok(); }
};

/// Largest |ours - exact|, in units of the last place of exact, but of at least `floor`.
template <typename Exact>
double worst_ulps(const std::vector<double>& ours, Exact&& exact, double floor) {
    double worst = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
        const long double e = exact(i);
        const double scale = std::max(std::abs(static_cast<double>(e)), floor);
        const double ulp = std::nextafter(scale, 1e308) - scale;
        worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(ours[i]) - e)) / ulp);
    }
    return worst;
}

TEST_P(VectorMath, Log2) {
    std::vector<double> x = uniform(-60, 60, 1);
    for (double& v : x) v = std::exp2(v);
    x[0] = 1.0;
    const auto near_one = uniform(0.7, 1.42, 2);
    EXPECT_EQ(run(0, x, x)[0], 0.0);
    EXPECT_LE(worst_ulps(run(0, x, x), [&](size_t i) { return std::log2(static_cast<long double>(x[i])); }, 1.0), 3.0);
    EXPECT_LE(worst_ulps(
                  run(0, near_one, x), [&](size_t i) { return std::log2(static_cast<long double>(near_one[i])); }, 0.0),
              6.0);
}

TEST_P(VectorMath, Exp2) {
    const auto x = uniform(-1000, 1000, 3);
    EXPECT_LE(worst_ulps(run(1, x, x), [&](size_t i) { return std::exp2(static_cast<long double>(x[i])); }, 0.0), 4.0);
    const std::vector<double> whole{-1020, -3, -1, 0, 1, 10, 1020, 5000};
    const std::vector<double> expected{0x1p-1020, 0.125, 0.5, 1, 2, 1024, 0x1p1020, 0x1p1020};
    EXPECT_EQ(run(1, whole, whole), expected);
}

TEST_P(VectorMath, PowOfCompressions) {
    // A felt: compressions of a nanometre to a centimetre, exponents 1.5 to 4.
    std::vector<double> x = uniform(std::log(1e-9), std::log(1e-2), 4), r = uniform(1.5, 4.0, 5);
    for (double& v : x) v = std::exp(v);
    const auto ours = run(2, x, r);
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const long double exact = std::pow(static_cast<long double>(x[i]), static_cast<long double>(r[i]));
        worst = std::max(worst, static_cast<double>(std::abs(ours[i] - exact) / exact));
    }
    EXPECT_LE(worst, 5e-14);  // the product r log2 x has up to 100 bits' magnitude: its rounding is multiplied by ln 2
    EXPECT_EQ(run(2, {0.0, -1.0, 1.0}, {2.5, 2.5, 2.5}), (std::vector<double>{0, 0, 1}));
}

TEST_P(VectorMath, SinAndCos) {
    const auto x = uniform(-1, 1, 6), wide = uniform(-1.5707, 1.5707, 7);
    EXPECT_LE(worst_ulps(run(3, x, x), [&](size_t i) { return std::sin(static_cast<long double>(x[i])); }, 0.0), 2.0);
    EXPECT_LE(worst_ulps(run(4, x, x), [&](size_t i) { return std::cos(static_cast<long double>(x[i])); }, 0.5), 2.0);
    double worst = 0;
    const auto s = run(3, wide, wide), c = run(4, wide, wide);
    for (size_t i = 0; i < wide.size(); ++i) {
        worst = std::max(worst, std::abs(s[i] - std::sin(wide[i])));
        worst = std::max(worst, std::abs(c[i] - std::cos(wide[i])));
        const SinCos twin = small_sincos(wide[i]);
        ASSERT_EQ(twin.sin, s[i]);
        ASSERT_EQ(twin.cos, c[i]);
    }
    EXPECT_LE(worst, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Targets, VectorMath, ::testing::Values("scalar", "avx2", "avx512"));

}  // namespace
}  // namespace letoff::core
#endif
