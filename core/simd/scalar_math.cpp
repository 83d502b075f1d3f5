#include "core/simd/scalar_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/scalar_math.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

void sincos_of_one(double x, SinCos& out) {
    V s, c;
    sincos(set(x), s, c);
    out = {hn::GetLane(s), hn::GetLane(c)};
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::core {
HWY_EXPORT(sincos_of_one);

SinCos small_sincos(double x) noexcept {
    SinCos out;
    HWY_DYNAMIC_DISPATCH(sincos_of_one)(x, out);
    return out;
}
}  // namespace letoff::core
#endif
