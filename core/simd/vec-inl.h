// One SIMD vector type over Highway, with the rules that keep results bit-identical on every target:
//   - fused multiply-add only through mul_add / neg_mul_add, which fuse on every target (std::fma on the scalar one);
//   - no reciprocal estimates, no cross-lane sums; + - * / sqrt are IEEE.
// Data is laid out in blocks of kLanes doubles whatever the width; a kernel walks a block in steps of Lanes(D()).
// Include inside a Highway foreach_target file, after hwy/highway.h (see core/multibody/step.cpp for the pattern).
#if defined(LETOFF_CORE_SIMD_VEC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_SIMD_VEC_INL_H_
#undef LETOFF_CORE_SIMD_VEC_INL_H_
#else
#define LETOFF_CORE_SIMD_VEC_INL_H_
#endif

#include "core/simd/fused-inl.h"
#include "core/simd/lanes.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE size_t width() {
    return hn::Lanes(D());
}
HWY_INLINE V set(double x) {
    return hn::Set(D(), x);
}
HWY_INLINE V zero() {
    return hn::Zero(D());
}
HWY_INLINE V load(const double* p) {
    return hn::Load(D(), p);
}
HWY_INLINE void store(V v, double* p) {
    hn::Store(v, D(), p);
}

HWY_INLINE V select(M m, V yes, V no) {
    return hn::IfThenElse(m, yes, no);
}
HWY_INLINE V min(V a, V b) {
    return hn::Min(a, b);
}
HWY_INLINE V max(V a, V b) {
    return hn::Max(a, b);
}
HWY_INLINE V abs(V a) {
    return hn::Abs(a);
}
HWY_INLINE V sqrt(V a) {
    return hn::Sqrt(a);
}
HWY_INLINE V clamp(V x, V lo, V hi) {
    return hn::Min(hn::Max(x, lo), hi);
}
HWY_INLINE bool none(M m) {
    return hn::AllFalse(D(), m);
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
