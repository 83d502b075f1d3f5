#include "audio/soundboard/board_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/soundboard/board_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "audio/modal/tree_sum-inl.h"
#include "core/simd/fused-inl.h"
#include "core/simd/repeat-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::audio {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kBoardLanes>;
using VF = hn::Vec<F>;

using core::HWY_NAMESPACE::mul_add;
using core::HWY_NAMESPACE::neg_mul_add;
using core::HWY_NAMESPACE::repeat;

HWY_INLINE void advance_lanes(const BoardBlock& m, BoardState& z, const BoardTick& tick, size_t i) {
    const F f;
    VF re = hn::Load(f, z.re + i), im = hn::Load(f, z.im + i);
    const VF step_re = hn::Load(f, m.step_re + i), step_im = hn::Load(f, m.step_im + i);
    const VF push_re = hn::Load(f, m.push_re + i), push_im = hn::Load(f, m.push_im + i);
    const VF left = hn::Load(f, m.left + i), right = hn::Load(f, m.right + i);
    float* sum_left = tick.lanes + i;
    float* sum_right = sum_left + tick.samples * kBoardLanes;
    for (int s = 0; s < tick.samples; ++s, sum_left += kBoardLanes, sum_right += kBoardLanes) {
        VF force = hn::Mul(hn::Load(f, m.shape[0] + i), hn::Set(f, tick.point_N[s]));
        for (int k = 1; k < kBridgePoints; ++k)
            force = mul_add(hn::Load(f, m.shape[k] + i), hn::Set(f, tick.point_N[k * tick.samples + s]), force);
        const VF next_re = neg_mul_add(step_im, im, mul_add(step_re, re, re));
        const VF next_im = mul_add(step_im, re, mul_add(step_re, im, im));
        re = mul_add(push_re, force, next_re);
        im = mul_add(push_im, force, next_im);
        hn::Store(mul_add(left, re, hn::Load(f, sum_left)), f, sum_left);
        hn::Store(mul_add(right, re, hn::Load(f, sum_right)), f, sum_right);
    }
    hn::Store(re, f, z.re + i);
    hn::Store(im, f, z.im + i);
}

/// All blocks turned by one sample, and what each point of the bridge does then: lanes i of its sums.
HWY_INLINE void foretell_sample(const BoardForetelling& free, size_t i, float* sum) {
    const F f;
    using Points = std::integral_constant<int, kBridgePoints>;
    VF point[kBridgePoints];
    repeat(Points(), [&](int k) { point[k] = hn::Zero(f); });
    for (int b = 0; b < free.blocks; ++b) {
        const BoardBlock& m = free.modes[b];
        BoardState& z = free.turned[b];
        const VF re = hn::Load(f, z.re + i), im = hn::Load(f, z.im + i);
        const VF step_re = hn::Load(f, m.step_re + i), step_im = hn::Load(f, m.step_im + i);
        const VF next_re = neg_mul_add(step_im, im, mul_add(step_re, re, re));
        hn::Store(mul_add(step_im, re, mul_add(step_re, im, im)), f, z.im + i);
        hn::Store(next_re, f, z.re + i);
        repeat(Points(),
               [&](int k) { point[k] = mul_add(hn::Load(f, free.bridge[b].speed[k] + i), next_re, point[k]); });
    }
    repeat(Points(), [&](int k) { hn::Store(point[k], f, sum + k * kBoardLanes + i); });
}

void sum_lanes(float* lanes, int samples, float* out) {
    for (int s = 0; s < samples; ++s) out[s] = tree_sum(lanes + s * kBoardLanes);
}

void advance_board_target(const BoardTick& tick) {
    std::memset(tick.lanes, 0, sizeof(float) * 2 * kBoardLanes * static_cast<size_t>(tick.samples));
    for (int b = 0; b < tick.blocks; ++b)
        for (size_t i = 0; i < kBoardLanes; i += hn::Lanes(F())) advance_lanes(tick.modes[b], tick.state[b], tick, i);
    sum_lanes(tick.lanes, tick.samples, tick.left);
    sum_lanes(tick.lanes + tick.samples * kBoardLanes, tick.samples, tick.right);
}

void foretell_bridge_target(const BoardForetelling& free) {
    std::copy_n(free.state, free.blocks, free.turned);
    for (int s = 0; s < free.samples; ++s) {
        alignas(64) float sums[kBridgePoints * kBoardLanes];
        float point[kBridgePoints];
        for (size_t i = 0; i < kBoardLanes; i += hn::Lanes(F())) foretell_sample(free, i, sums);
        sum_lanes(sums, kBridgePoints, point);
        for (int k = 0; k < kBridgePoints; ++k) free.point_mps[k * free.samples + s] = point[k];
    }
}

void add_shares_target(const float* in, int samples, const float* weight, float* const* out) {
    const hn::CappedTag<float, 4> d;  // a tick has 12 samples at 48 kHz
    const auto lanes = static_cast<int>(hn::Lanes(d));
    for (int k = 0; k < 4; ++k) {
        int s = 0;
        for (; s + lanes <= samples; s += lanes) {
            const auto share = hn::Mul(hn::Set(d, weight[k]), hn::LoadU(d, in + s));
            hn::StoreU(hn::Add(hn::LoadU(d, out[k] + s), share), d, out[k] + s);
        }
        for (; s < samples; ++s) out[k][s] += weight[k] * in[s];
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::audio
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::audio {
HWY_EXPORT(advance_board_target);
HWY_EXPORT(foretell_bridge_target);
HWY_EXPORT(add_shares_target);

void advance_board(const BoardTick& tick) noexcept {
    HWY_DYNAMIC_DISPATCH(advance_board_target)(tick);
}
void foretell_bridge(const BoardForetelling& free) noexcept {
    HWY_DYNAMIC_DISPATCH(foretell_bridge_target)(free);
}
void add_shares(const float* in, int samples, const float* weight, float* const* out) noexcept {
    HWY_DYNAMIC_DISPATCH(add_shares_target)(in, samples, weight, out);
}
}  // namespace letoff::audio
#endif
