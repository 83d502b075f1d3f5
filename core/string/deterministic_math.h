// x^p and e^-x for the state path: the same bits on every compiler and processor, unlike the C library's.
//
//   log2 x = e + (2 / ln 2) (s + s^3/3 + ... + s^21/21),  x = m 2^e, m in [sqrt(1/2), sqrt(2)), s = (m - 1)/(m + 1)
//   2^y = 2^n sum_k f^k (ln 2)^k / k!,  n = round(y), |f| <= 1/2, k <= 13
//
// Plain products and sums, rounded each (contraction is off). Relative error below 1e-13 for 1e-12 < x < 1, 1 < p < 5
// and for 0 < x < 700. core/simd/math-inl.h is the same idea for a vector of keys.
#pragma once

#include <bit>
#include <cstdint>

namespace letoff::core {

inline double log2_positive(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    constexpr std::uint64_t kShift =
        0x3ff0000000000000u - 0x3fe6a09e667f3bcdu;  // 1 - sqrt(1/2), as bits: m lands round 1
    const std::uint64_t biased = (bits + kShift) >> 52;
    const double e = static_cast<double>(static_cast<std::int64_t>(biased) - 1023);
    const double m = std::bit_cast<double>(bits - ((biased - 1023) << 52));
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    constexpr double c = 2.0 * 1.4426950408889634074;  // 2 / ln 2
    // Even and odd halves in z^2, here and below: two chains of operations run side by side.
    const double w = z * z;
    double even = c / 21, odd = c / 19;
    even = even * w + c / 17, odd = odd * w + c / 15;
    even = even * w + c / 13, odd = odd * w + c / 11;
    even = even * w + c / 9, odd = odd * w + c / 7;
    even = even * w + c / 5, odd = odd * w + c / 3;
    even = even * w + c;
    const double p = odd * z + even;
    return p * s + e;
}

inline double exp2_bounded(double y) {
    constexpr double kRound = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    if (y < -1020.0) return 0.0;
    if (y > 1020.0) y = 1020.0;
    const double t = y + kRound;
    const double f = y - (t - kRound), g = f * f;  // ln2^k / k!
    double even = 2.5678435993488206e-11, odd = 1.3691488853904128e-12;
    even = even * g + 7.054911620801123e-09, odd = odd * g + 4.4455382718708116e-10;
    even = even * g + 1.321548679014431e-06, odd = odd * g + 1.01780860092397e-07;
    even = even * g + 0.0001540353039338161, odd = odd * g + 1.5252733804059841e-05;
    even = even * g + 0.009618129107628477, odd = odd * g + 0.0013333558146428443;
    even = even * g + 0.24022650695910072, odd = odd * g + 0.05550410866482158;
    even = even * g + 1.0, odd = odd * g + 0.6931471805599453;
    const double p = odd * f + even;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + (std::bit_cast<std::uint64_t>(t) << 52));
}

/// x^p for normal x > 0; 0 where x <= 0.
inline double pow_positive(double x, double p) {
    if (!(x >= 1e-300)) return 0.0;
    return exp2_bounded(p * log2_positive(x));
}

/// e^-x.
inline double exp_neg(double x) {
    return exp2_bounded(x * -1.44269504088896340736);
}

}  // namespace letoff::core
