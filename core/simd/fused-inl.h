// Multiply-add that rounds once on every target: Highway's scalar target rounds twice, so it takes std::fma. For any
// Highway vector; include inside a foreach_target file, after hwy/highway.h.
#if defined(LETOFF_CORE_SIMD_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_SIMD_FUSED_INL_H_
#undef LETOFF_CORE_SIMD_FUSED_INL_H_
#else
#define LETOFF_CORE_SIMD_FUSED_INL_H_
#endif

#include <cmath>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// a * b + c.
template <class Vector>
HWY_INLINE Vector mul_add(Vector a, Vector b, Vector c) {
#if HWY_TARGET == HWY_SCALAR
    return Vector(std::fma(a.raw, b.raw, c.raw));
#else
    return hwy::HWY_NAMESPACE::MulAdd(a, b, c);
#endif
}
/// c - a * b.
template <class Vector>
HWY_INLINE Vector neg_mul_add(Vector a, Vector b, Vector c) {
#if HWY_TARGET == HWY_SCALAR
    return Vector(std::fma(-a.raw, b.raw, c.raw));
#else
    return hwy::HWY_NAMESPACE::NegMulAdd(a, b, c);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
