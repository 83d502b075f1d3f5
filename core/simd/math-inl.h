// Vector powers, logarithms and circular functions for the state path: polynomials, fused only by mul_add, so every
// SIMD target gives the same bits. Error bounds are held by tests/core/simd/math_test.cpp.
#if defined(LETOFF_CORE_SIMD_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_SIMD_MATH_INL_H_
#undef LETOFF_CORE_SIMD_MATH_INL_H_
#else
#define LETOFF_CORE_SIMD_MATH_INL_H_
#endif

#include "core/simd/repeat-inl.h"
#include "core/simd/vec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

using DU = hn::RebindToUnsigned<D>;
inline constexpr double kRoundToInteger = 0x1.8p52;  // adding it leaves the nearest integer in the low mantissa bits

/// f(0) ... f(kCount - 1): the same operation of several numbers, whose long chains of operations so run side by side.
template <int kCount, class F>
HWY_INLINE void each(F&& f) {
    repeat(std::integral_constant<int, kCount>(), f);
}

/// log2 x for normal x > 0, of kCount at once. x = m 2^e with m in [sqrt(1/2), sqrt(2)); log2 m = 2/ln2 atanh(s), s =
/// (m-1)/(m+1), |s| <= 0.1716.
template <int kCount>
HWY_INLINE void log2(const V* x, V* y) {
    const DU du;
    V e[kCount], s[kCount], z[kCount], w[kCount], even[kCount], odd[kCount];
    each<kCount>([&](int i) {
        const auto bits = hn::BitCast(du, x[i]);
        const auto shifted = hn::Add(bits, hn::Set(du, 0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull));
        const auto biased = hn::ShiftRight<52>(shifted);  // e + 1023
        const V m = hn::BitCast(D(), hn::Sub(bits, hn::ShiftLeft<52>(hn::Sub(biased, hn::Set(du, 1023)))));
        // Integer to double through the mantissa: no 64-bit conversion exists below AVX-512.
        e[i] = hn::BitCast(D(), hn::Add(biased, hn::Set(du, 0x4338000000000000ull))) - set(kRoundToInteger + 1023.0);
        s[i] = (m - set(1.0)) / (m + set(1.0));
    });
    constexpr double c = 2.0 * 1.4426950408889634074;  // 2 / ln 2
    // Even and odd halves in z^2: two chains of multiply-adds run side by side.
    each<kCount>([&](int i) {
        z[i] = s[i] * s[i];
        w[i] = z[i] * z[i];
        even[i] = set(c / 21);
        odd[i] = set(c / 19);
    });
    const auto go_on = [&](double even_next, double odd_next) {
        each<kCount>([&](int i) {
            even[i] = mul_add(even[i], w[i], set(even_next));
            odd[i] = mul_add(odd[i], w[i], set(odd_next));
        });
    };
    go_on(c / 17, c / 15);
    go_on(c / 13, c / 11);
    go_on(c / 9, c / 7);
    go_on(c / 5, c / 3);
    each<kCount>([&](int i) {
        even[i] = mul_add(even[i], w[i], set(c));
        y[i] = mul_add(mul_add(odd[i], z[i], even[i]), s[i], e[i]);
    });
}

/// 2^y for -1020 <= y <= 1020 (y is clamped to that), of kCount at once. Taylor series of 2^f, |f| <= 1/2.
template <int kCount>
HWY_INLINE void exp2(const V* y, V* power) {
    const DU du;
    V t[kCount], f[kCount], g[kCount], even[kCount], odd[kCount];
    each<kCount>([&](int i) {
        const V bounded = clamp(y[i], set(-1020.0), set(1020.0));
        t[i] = bounded + set(kRoundToInteger);
        f[i] = bounded - (t[i] - set(kRoundToInteger));
        g[i] = f[i] * f[i];  // ln2^k / k!: even k and odd k side by side
        even[i] = set(2.5678435993488205e-11);
        odd[i] = set(4.4455382718708115e-10);
    });
    const auto go_on = [&](double even_next, double odd_next) {
        each<kCount>([&](int i) {
            even[i] = mul_add(even[i], g[i], set(even_next));
            odd[i] = mul_add(odd[i], g[i], set(odd_next));
        });
    };
    go_on(7.054911620801123e-09, 1.01780860092396997e-07);
    go_on(1.32154867901443095e-06, 1.5252733804059840e-05);
    go_on(1.5403530393381609e-04, 1.3333558146428443e-03);
    go_on(9.6181291076284770e-03, 5.5504108664821580e-02);
    go_on(2.4022650695910072e-01, 6.9314718055994531e-01);
    each<kCount>([&](int i) {
        even[i] = mul_add(even[i], g[i], set(1.0));
        const V p = mul_add(odd[i], f[i], even[i]);
        power[i] = hn::BitCast(D(), hn::Add(hn::BitCast(du, p), hn::ShiftLeft<52>(hn::BitCast(du, t[i]))));
    });
}

/// x^r for x > 0; 0 where x <= 0. Of kCount at once.
template <int kCount>
HWY_INLINE void pow_positive(const V* x, const V* r, V* power) {
    M positive[kCount];
    V y[kCount];
    each<kCount>([&](int i) {
        positive[i] = x[i] > zero();
        y[i] = select(positive[i], x[i], set(1.0));
    });
    log2<kCount>(y, y);
    each<kCount>([&](int i) { y[i] = r[i] * y[i]; });
    exp2<kCount>(y, y);
    each<kCount>([&](int i) { power[i] = select(positive[i], y[i], zero()); });
}

HWY_INLINE V log2(V x) {
    log2<1>(&x, &x);
    return x;
}
HWY_INLINE V exp2(V y) {
    exp2<1>(&y, &y);
    return y;
}
HWY_INLINE V pow_positive(V x, V r) {
    pow_positive<1>(&x, &r, &x);
    return x;
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
