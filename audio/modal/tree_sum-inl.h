// The one tree by which sixteen partial sums become one number, whatever the register width. Include inside a
// foreach_target file, after hwy/highway.h.
#if defined(LETOFF_AUDIO_MODAL_TREE_SUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_AUDIO_MODAL_TREE_SUM_INL_H_
#undef LETOFF_AUDIO_MODAL_TREE_SUM_INL_H_
#else
#define LETOFF_AUDIO_MODAL_TREE_SUM_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::audio {
namespace HWY_NAMESPACE {

/// Adds the upper kHalf of 2 kHalf aligned partial sums to the lower.
template <size_t kHalf>
HWY_INLINE void add_half(float* sum) {
    const hwy::HWY_NAMESPACE::CappedTag<float, kHalf> d;
    for (size_t i = 0; i < kHalf; i += hwy::HWY_NAMESPACE::Lanes(d)) {
        hwy::HWY_NAMESPACE::Store(
            hwy::HWY_NAMESPACE::Add(hwy::HWY_NAMESPACE::Load(d, sum + i), hwy::HWY_NAMESPACE::Load(d, sum + kHalf + i)),
            d, sum + i);
    }
}

/// Of sixteen partial sums, which are overwritten.
HWY_INLINE float tree_sum(float* sum) {
    add_half<8>(sum);
    add_half<4>(sum);
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::audio
HWY_AFTER_NAMESPACE();
#endif
