// Vector powers, logarithms and circular functions for the state path: polynomials, fused only by mul_add, so every
// SIMD target gives the same bits. Error bounds are held by tests/core/simd/math_test.cpp.
#if defined(LETOFF_CORE_SIMD_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_SIMD_MATH_INL_H_
#undef LETOFF_CORE_SIMD_MATH_INL_H_
#else
#define LETOFF_CORE_SIMD_MATH_INL_H_
#endif

#include "core/simd/vec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

using DU = hn::RebindToUnsigned<D>;
inline constexpr double kRoundToInteger = 0x1.8p52;  // adding it leaves the nearest integer in the low mantissa bits

/// log2 x for normal x > 0. x = m 2^e with m in [sqrt(1/2), sqrt(2)); log2 m = 2/ln2 atanh(s), s = (m-1)/(m+1), |s| <=
/// 0.1716.
HWY_INLINE V log2(V x) {
    const DU du;
    const auto bits = hn::BitCast(du, x);
    const auto shifted = hn::Add(bits, hn::Set(du, 0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull));
    const auto biased = hn::ShiftRight<52>(shifted);  // e + 1023
    const V m = hn::BitCast(D(), hn::Sub(bits, hn::ShiftLeft<52>(hn::Sub(biased, hn::Set(du, 1023)))));
    // Integer to double through the mantissa: no 64-bit conversion exists below AVX-512.
    const V e = hn::BitCast(D(), hn::Add(biased, hn::Set(du, 0x4338000000000000ull))) - set(kRoundToInteger + 1023.0);
    const V s = (m - set(1.0)) / (m + set(1.0));
    const V z = s * s;
    constexpr double c = 2.0 * 1.4426950408889634074;  // 2 / ln 2
    // Even and odd halves in z^2: two chains of multiply-adds run side by side.
    const V w = z * z;
    V even = set(c / 21), odd = set(c / 19);
    even = mul_add(even, w, set(c / 17));
    odd = mul_add(odd, w, set(c / 15));
    even = mul_add(even, w, set(c / 13));
    odd = mul_add(odd, w, set(c / 11));
    even = mul_add(even, w, set(c / 9));
    odd = mul_add(odd, w, set(c / 7));
    even = mul_add(even, w, set(c / 5));
    odd = mul_add(odd, w, set(c / 3));
    even = mul_add(even, w, set(c));
    const V p = mul_add(odd, z, even);
    return mul_add(p, s, e);
}

/// 2^y for -1020 <= y <= 1020 (y is clamped to that). Taylor series of 2^f, |f| <= 1/2.
HWY_INLINE V exp2(V y) {
    const DU du;
    y = clamp(y, set(-1020.0), set(1020.0));
    const V t = y + set(kRoundToInteger);
    const V f = y - (t - set(kRoundToInteger));
    const V g = f * f;  // ln2^k / k!: even k and odd k side by side
    V even = set(2.5678435993488205e-11), odd = set(4.4455382718708115e-10);
    even = mul_add(even, g, set(7.054911620801123e-09));
    odd = mul_add(odd, g, set(1.01780860092396997e-07));
    even = mul_add(even, g, set(1.32154867901443095e-06));
    odd = mul_add(odd, g, set(1.5252733804059840e-05));
    even = mul_add(even, g, set(1.5403530393381609e-04));
    odd = mul_add(odd, g, set(1.3333558146428443e-03));
    even = mul_add(even, g, set(9.6181291076284770e-03));
    odd = mul_add(odd, g, set(5.5504108664821580e-02));
    even = mul_add(even, g, set(2.4022650695910072e-01));
    odd = mul_add(odd, g, set(6.9314718055994531e-01));
    even = mul_add(even, g, set(1.0));
    const V p = mul_add(odd, f, even);
    return hn::BitCast(D(), hn::Add(hn::BitCast(du, p), hn::ShiftLeft<52>(hn::BitCast(du, t))));
}

/// x^r for x > 0; 0 where x <= 0.
HWY_INLINE V pow_positive(V x, V r) {
    const M positive = x > zero();
    const V safe = select(positive, x, set(1.0));
    return select(positive, exp2(r * log2(safe)), zero());
}

/// sin and cos for |x| <= pi/2 (pivot angles): Taylor series, truncation below 1e-16 for |x| <= 1.
HWY_INLINE void sincos(V x, V& s, V& c) {
    const V z = x * x;
    V p = set(2.8114572543455208e-15);  // 1/17!
    p = neg_mul_add(p, z, set(7.6471637318198165e-13));
    p = neg_mul_add(p, z, set(1.6059043836821613e-10));
    p = neg_mul_add(p, z, set(2.5052108385441719e-08));
    p = neg_mul_add(p, z, set(2.7557319223985893e-06));
    p = neg_mul_add(p, z, set(1.9841269841269841e-04));
    p = neg_mul_add(p, z, set(8.3333333333333333e-03));
    p = neg_mul_add(p, z, set(1.6666666666666667e-01));
    p = neg_mul_add(p, z, set(1.0));
    s = p * x;
    V q = set(1.5619206968586225e-16);  // 1/18!
    q = neg_mul_add(q, z, set(4.7794773323873853e-14));
    q = neg_mul_add(q, z, set(1.1470745597729725e-11));
    q = neg_mul_add(q, z, set(2.0876756987868099e-09));
    q = neg_mul_add(q, z, set(2.7557319223985888e-07));
    q = neg_mul_add(q, z, set(2.4801587301587302e-05));
    q = neg_mul_add(q, z, set(1.3888888888888889e-03));
    q = neg_mul_add(q, z, set(4.1666666666666664e-02));
    q = neg_mul_add(q, z, set(0.5));
    c = neg_mul_add(q, z, set(1.0));
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
