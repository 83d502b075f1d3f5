#include "audio/modal/longitudinal_kernel.h"

#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/modal/longitudinal_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "audio/modal/tree_sum-inl.h"
#include "core/simd/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::audio {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using core::HWY_NAMESPACE::mul_add;
using core::HWY_NAMESPACE::neg_mul_add;

/// Sum of F_j F_(j+lag); zeros follow the last F.
HWY_INLINE float lagged(const float* row, int blocks, int lag) {
    const hn::CappedTag<float, kModeLanes> f;
    alignas(64) float sum[kModeLanes];
    for (size_t i = 0; i < kModeLanes; i += hn::Lanes(f)) {
        auto lane = hn::Zero(f);
        for (int b = 0; b < blocks; ++b) {
            const float* here = row + b * kModeLanes + i;
            lane = mul_add(hn::Load(f, here), hn::LoadU(f, here + lag), lane);
        }
        hn::Store(lane, f, sum + i);
    }
    return tree_sum<kModeLanes>(sum);
}

LongitudinalSums advance_longitudinal_target(const LongitudinalTick& tick) {
    const hn::CappedTag<float, kLongitudinalLanes> f;
    alignas(32) float c[kLongitudinalLanes] = {}, pull[kLongitudinalLanes], work[kLongitudinalLanes] = {};
    LongitudinalSums sums;
    for (int s = 0; s < tick.samples; ++s) {
        float* row = tick.told_N + s * kToldStride;
        std::memset(row + tick.blocks * kModeLanes, 0, sizeof(float) * kModeLanes);
        const float square = lagged(row, tick.blocks, 0);
        for (int k = 0; k < tick.count; ++k) c[k] = lagged(row, tick.blocks, k + 1);
        for (size_t i = 0; i < kLongitudinalLanes; i += hn::Lanes(f)) {
            const auto re = hn::Load(f, tick.state->re + i), im = hn::Load(f, tick.state->im + i);
            const auto step_re = hn::Load(f, tick.modes->step_re + i), step_im = hn::Load(f, tick.modes->step_im + i);
            const auto push = hn::Load(f, c + i);
            const auto new_re =
                mul_add(hn::Load(f, tick.modes->push_re + i), push, neg_mul_add(step_im, im, mul_add(step_re, re, re)));
            const auto new_im =
                mul_add(hn::Load(f, tick.modes->push_im + i), push, mul_add(step_im, re, mul_add(step_re, im, im)));
            hn::Store(new_re, f, tick.state->re + i);
            hn::Store(new_im, f, tick.state->im + i);
            hn::Store(mul_add(push, hn::Sub(new_im, im), hn::Load(f, work + i)), f, work + i);
            hn::Store(hn::Sub(push, new_im), f, pull + i);
        }
        tick.bridge_N[s] += tick.gain_1pN * (0.5F * square + tree_sum<kLongitudinalLanes>(pull));
        sums.square_N2 = square;
    }
    for (const float lane : work) sums.work_N4 += static_cast<double>(lane);
    return sums;
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::audio
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::audio {
HWY_EXPORT(advance_longitudinal_target);

LongitudinalSums advance_longitudinal(const LongitudinalTick& tick) noexcept {
    return HWY_DYNAMIC_DISPATCH(advance_longitudinal_target)(tick);
}
}  // namespace letoff::audio
#endif
