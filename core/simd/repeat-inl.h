// Loops that unroll where their length is a constant. Include inside a foreach_target file, after hwy/highway.h.
#if defined(LETOFF_CORE_SIMD_REPEAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_SIMD_REPEAT_INL_H_
#undef LETOFF_CORE_SIMD_REPEAT_INL_H_
#else
#define LETOFF_CORE_SIMD_REPEAT_INL_H_
#endif

#include <type_traits>
#include <utility>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// f(0) ... f(count - 1); where the count is a constant the indices are, too.
template <class F>
HWY_INLINE void repeat(int count, F&& f) {
    for (int i = 0; i < count; ++i) f(i);
}
template <int kCount, class F>
HWY_INLINE void repeat(std::integral_constant<int, kCount>, F&& f) {
    [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
        (f(std::integral_constant<int, kIndex>()), ...);
    }(std::make_integer_sequence<int, kCount>());
}
/// The same from the last one down.
template <class F>
HWY_INLINE void repeat_down(int count, F&& f) {
    for (int i = count - 1; i >= 0; --i) f(i);
}
template <int kCount, class F>
HWY_INLINE void repeat_down(std::integral_constant<int, kCount> count, F&& f) {
    repeat(count, [&](auto i) { f(std::integral_constant<int, kCount - 1 - i>()); });
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
