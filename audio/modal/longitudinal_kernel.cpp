#include "audio/modal/longitudinal_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/modal/longitudinal_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "core/simd/fused-inl.h"
#include "core/simd/repeat-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::audio {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using core::HWY_NAMESPACE::mul_add;
using core::HWY_NAMESPACE::neg_mul_add;
using core::HWY_NAMESPACE::repeat;

constexpr int kTogether = kSamplesTogether;
using Lags = std::integral_constant<int, kLongitudinalLanes + 1>;  // C_0 with them
static_assert(kLongitudinalLanes % 4 == 0 && kTogether % 4 == 0 && kModeLanes % 4 == 0);

/// Four columns become four rows.
HWY_INLINE void turn_four(const float* from, int from_stride, float* to, int to_stride) {
#if HWY_TARGET == HWY_SCALAR
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) to[column * to_stride + row] = from[row * from_stride + column];
#else
    const hn::Full128<float> f;
    const hn::Full128<double> pair;
    const auto a = hn::Load(f, from), b = hn::Load(f, from + from_stride);
    const auto c = hn::Load(f, from + 2 * from_stride), d = hn::Load(f, from + 3 * from_stride);
    const auto ab = hn::BitCast(pair, hn::InterleaveLower(f, a, b)),
               cd = hn::BitCast(pair, hn::InterleaveLower(f, c, d));
    const auto AB = hn::BitCast(pair, hn::InterleaveUpper(f, a, b)),
               CD = hn::BitCast(pair, hn::InterleaveUpper(f, c, d));
    hn::Store(hn::BitCast(f, hn::InterleaveLower(pair, ab, cd)), f, to);
    hn::Store(hn::BitCast(f, hn::InterleaveUpper(pair, ab, cd)), f, to + to_stride);
    hn::Store(hn::BitCast(f, hn::InterleaveLower(pair, AB, CD)), f, to + 2 * to_stride);
    hn::Store(hn::BitCast(f, hn::InterleaveUpper(pair, AB, CD)), f, to + 3 * to_stride);
#endif
}

HWY_INLINE void clear_row(float* row) {
    std::memset(row, 0, sizeof(float) * kTogether);
}

/// Columns of `from` become rows of `to`, in fours.
HWY_INLINE void turn(const float* from, int from_stride, int rows, int columns, float* to, int to_stride) {
    for (int row = 0; row < rows; row += 4)
        for (int column = 0; column < columns; column += 4)
            turn_four(from + row * from_stride + column, from_stride, to + column * to_stride + row, to_stride);
}

/// Sums of F_j F_(j+lag) of every lag, a sample a lane. Zeros follow the last F.
HWY_INLINE void sum_lags(const float* told, int partials, float* lagged) {
    const hn::CappedTag<float, kTogether> f;
    using V = hn::Vec<decltype(f)>;
    for (size_t i = 0; i < kTogether; i += hn::Lanes(f)) {
        V sum[Lags::value];
        repeat(Lags(), [&](int lag) { sum[lag] = hn::Zero(f); });
        const float* here = told + i;
        for (int j = 0; j < partials; ++j, here += kTogether) {
            const V own = hn::Load(f, here);
            repeat(Lags(), [&](int lag) { sum[lag] = mul_add(own, hn::Load(f, here + lag * kTogether), sum[lag]); });
        }
        repeat(Lags(), [&](int lag) { hn::Store(sum[lag], f, lagged + lag * kTogether + i); });
    }
}

/// Of at most kTogether samples, from the row of the first on.
void advance_together(const LongitudinalTick& tick, int first, int samples, float* work, LongitudinalSums& sums) {
    const hn::CappedTag<float, kLongitudinalLanes> f;
    alignas(64) float lagged[Lags::value * kTogether], push[kTogether * kLongitudinalLanes];
    alignas(64) float pull[kTogether * kLongitudinalLanes], pulls[kLongitudinalLanes * kTogether];
    const int partials = tick.blocks * kModeLanes;
    turn(tick.told_N + first * kToldStride, kToldStride, samples, partials, tick.turned_N, kTogether);
    for (int k = 0; k < kLongitudinalLanes; ++k) clear_row(tick.turned_N + (partials + k) * kTogether);
    sum_lags(tick.turned_N, partials, lagged);
    float* const modes = lagged + kTogether;  // C_1 ...
    for (int k = tick.count; k < kLongitudinalLanes; ++k) clear_row(modes + k * kTogether);
    turn(modes, kTogether, kLongitudinalLanes, samples, push, kLongitudinalLanes);
    for (size_t i = 0; i < kLongitudinalLanes; i += hn::Lanes(f)) {
        const auto step_re = hn::Load(f, tick.modes->step_re + i), step_im = hn::Load(f, tick.modes->step_im + i);
        const auto push_re = hn::Load(f, tick.modes->push_re + i), push_im = hn::Load(f, tick.modes->push_im + i);
        auto re = hn::Load(f, tick.state->re + i), im = hn::Load(f, tick.state->im + i);
        auto worked = hn::Load(f, work + i);
        for (int s = 0; s < samples; ++s) {
            const auto c = hn::Load(f, push + s * kLongitudinalLanes + i);
            const auto new_re = mul_add(push_re, c, neg_mul_add(step_im, im, mul_add(step_re, re, re)));
            const auto new_im = mul_add(push_im, c, mul_add(step_im, re, mul_add(step_re, im, im)));
            worked = mul_add(c, hn::Sub(new_im, im), worked);
            hn::Store(hn::Sub(c, new_im), f, pull + s * kLongitudinalLanes + i);
            re = new_re;
            im = new_im;
        }
        hn::Store(re, f, tick.state->re + i);
        hn::Store(im, f, tick.state->im + i);
        hn::Store(worked, f, work + i);
    }
    for (int k = 0; k < kLongitudinalLanes; ++k) clear_row(pulls + k * kTogether);  // lanes without a sample
    turn(pull, kLongitudinalLanes, samples, kLongitudinalLanes, pulls, kTogether);
    const hn::CappedTag<float, kTogether> g;
    for (size_t i = 0; i < kTogether; i += hn::Lanes(g)) {
        auto sum = hn::Mul(hn::Set(g, 0.5F), hn::Load(g, lagged + i));
        for (int k = 0; k < kLongitudinalLanes; ++k) sum = hn::Add(sum, hn::Load(g, pulls + k * kTogether + i));
        hn::Store(hn::Mul(hn::Set(g, tick.gain_1pN), sum), g, pulls + i);
    }
    for (int s = 0; s < samples; ++s) tick.bridge_N[first + s] += pulls[s];
    sums.square_N2 = lagged[samples - 1];
}

LongitudinalSums advance_longitudinal_target(const LongitudinalTick& tick) {
    alignas(32) float work[kLongitudinalLanes] = {};
    LongitudinalSums sums;
    for (int s = 0; s < tick.samples; s += kTogether)
        advance_together(tick, s, std::min(kTogether, tick.samples - s), work, sums);
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
