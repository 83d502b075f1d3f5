#include "audio/modal/string_kernel.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/modal/string_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "audio/modal/tree_sum-inl.h"
#include "core/simd/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::audio {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kModeLanes>;
using D = hn::CappedTag<double, kModeLanes / 2>;
using H = hn::Rebind<float, D>;
using VF = hn::Vec<F>;
using VD = hn::Vec<D>;

using core::HWY_NAMESPACE::mul_add;
using core::HWY_NAMESPACE::neg_mul_add;

// Working copies of four blocks for one tick, single precision.
struct alignas(64) Work {
    float re[kBlocksAtOnce][kModeLanes];
    float im[kBlocksAtOnce][kModeLanes];
    float step_re[kBlocksAtOnce][kModeLanes];
    float step_im[kBlocksAtOnce][kModeLanes];
};

// e^x - 1 for -0.25 <= x <= 0: Taylor to x^9, whose remainder is below 3e-13.
HWY_INLINE VD exp_minus_1(VD x) {
    const D d;
    VD p = hn::Set(d, 1.0 / 362880);
    p = mul_add(p, x, hn::Set(d, 1.0 / 40320));
    p = mul_add(p, x, hn::Set(d, 1.0 / 5040));
    p = mul_add(p, x, hn::Set(d, 1.0 / 720));
    p = mul_add(p, x, hn::Set(d, 1.0 / 120));
    p = mul_add(p, x, hn::Set(d, 1.0 / 24));
    p = mul_add(p, x, hn::Set(d, 1.0 / 6));
    p = mul_add(p, x, hn::Set(d, 0.5));
    p = mul_add(p, x, hn::Set(d, 1.0));
    return hn::Mul(p, x);
}

HWY_INLINE VD power(VD base, int exponent) {
    VD result = hn::Set(D(), 1.0);
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = hn::Mul(result, base);
        base = hn::Mul(base, base);
    }
    return result;
}

// Rounds the state of one block to single precision and, unless the hammer will add to it, moves the state on by a
// whole tick.
template <bool kDamped, bool kAdvance>
HWY_INLINE void prepare(const ModeBlock& m, StateBlock& z, const NoteTick& note, int b, Work& w) {
    const D d;
    const H h;
    for (size_t i = 0; i < kModeLanes; i += hn::Lanes(d)) {
        const VD re = hn::Load(d, z.re + i);
        const VD im = hn::Load(d, z.im + i);
        hn::Store(hn::DemoteTo(h, re), h, w.re[b] + i);
        hn::Store(hn::DemoteTo(h, im), h, w.im[b] + i);
        const auto step_re = hn::Load(h, m.step_re + i);
        const auto step_im = hn::Load(h, m.step_im + i);
        VD tick_re = hn::Load(d, m.tick_re + i);
        VD tick_im = hn::Load(d, m.tick_im + i);
        if constexpr (kDamped) {
            const VD weight = hn::PromoteTo(d, hn::Load(h, m.damper_weight + i));
            const VD change = exp_minus_1(hn::Mul(weight, hn::Set(d, -note.loss_per_sample)));
            const auto c = hn::DemoteTo(h, change);
            hn::Store(mul_add(c, step_re, hn::Add(step_re, c)), h, w.step_re[b] + i);
            hn::Store(mul_add(c, step_im, step_im), h, w.step_im[b] + i);
            const VD left = power(hn::Add(change, hn::Set(d, 1.0)), note.samples);
            tick_re = hn::Mul(tick_re, left);
            tick_im = hn::Mul(tick_im, left);
        } else {
            hn::Store(step_re, h, w.step_re[b] + i);
            hn::Store(step_im, h, w.step_im[b] + i);
        }
        if constexpr (kAdvance) {
            hn::Store(neg_mul_add(tick_im, im, hn::Mul(tick_re, re)), d, z.re + i);
            hn::Store(mul_add(tick_im, re, hn::Mul(tick_re, im)), d, z.im + i);
        }
    }
}

struct Pointer {
    VF re, im;
};

HWY_INLINE Pointer load_pointer(const Work& w, int block, size_t i) {
    const F f;
    return {hn::Load(f, w.re[block] + i), hn::Load(f, w.im[block] + i)};
}

HWY_INLINE Pointer turn(Pointer z, VF step_re, VF step_im) {
    return {neg_mul_add(step_im, z.im, mul_add(step_re, z.re, z.re)),
            mul_add(step_im, z.re, mul_add(step_re, z.im, z.im))};
}

HWY_INLINE void add_to(float* sum, VF a, VF b, VF c, VF e) {
    const F f;
    hn::Store(hn::Add(hn::Load(f, sum), hn::Add(hn::Add(a, b), hn::Add(c, e))), f, sum);
}

HWY_INLINE void tell(float* told, VF a, VF b, VF c, VF e) {
    const F f;
    hn::Store(a, f, told);
    hn::Store(b, f, told + kModeLanes);
    hn::Store(c, f, told + 2 * kModeLanes);
    hn::Store(e, f, told + 3 * kModeLanes);
}

/// Where the first of four blocks is told, of its lanes from i on, in the first sample.
template <bool kTold>
HWY_INLINE float* told_at(const NoteTick& note, int first, size_t i) {
    if constexpr (kTold) return note.told_N + first * kModeLanes + i;
    return nullptr;
}

template <bool kTold>
HWY_NOINLINE void turn_free(const Work& w, int first, const NoteTick& note) {
    const F f;
    for (size_t i = 0; i < kModeLanes; i += hn::Lanes(f)) {
        Pointer z0 = load_pointer(w, 0, i), z1 = load_pointer(w, 1, i);
        Pointer z2 = load_pointer(w, 2, i), z3 = load_pointer(w, 3, i);
        const VF r0 = hn::Load(f, w.step_re[0] + i), i0 = hn::Load(f, w.step_im[0] + i);
        const VF r1 = hn::Load(f, w.step_re[1] + i), i1 = hn::Load(f, w.step_im[1] + i);
        const VF r2 = hn::Load(f, w.step_re[2] + i), i2 = hn::Load(f, w.step_im[2] + i);
        const VF r3 = hn::Load(f, w.step_re[3] + i), i3 = hn::Load(f, w.step_im[3] + i);
        float* sum = note.lanes + i;
        float* told = told_at<kTold>(note, first, i);
        for (int s = 0; s < note.samples; ++s, sum += kModeLanes) {
            z0 = turn(z0, r0, i0);
            z1 = turn(z1, r1, i1);
            z2 = turn(z2, r2, i2);
            z3 = turn(z3, r3, i3);
            add_to(sum, z0.im, z1.im, z2.im, z3.im);
            if constexpr (kTold) tell(told + s * kToldStride, z0.im, z1.im, z2.im, z3.im);
        }
    }
}

struct Drive {
    VF early_re, early_im, late_re, late_im;
};

HWY_INLINE Drive load_drive(const DriveBlock& b, size_t i) {
    const F f;
    return {hn::Load(f, b.early_re + i), hn::Load(f, b.early_im + i), hn::Load(f, b.late_re + i),
            hn::Load(f, b.late_im + i)};
}

HWY_INLINE Pointer push(Pointer z, const Drive& d, VF early, VF late) {
    return {mul_add(d.late_re, late, mul_add(d.early_re, early, z.re)),
            mul_add(d.late_im, late, mul_add(d.early_im, early, z.im))};
}

struct Couple {
    VF re, im;
};

HWY_INLINE Couple load_couple(const CoupleBlock& b, size_t i) {
    const F f;
    return {hn::Load(f, b.re + i), hn::Load(f, b.im + i)};
}

HWY_INLINE Pointer follow(Pointer z, const Couple& c, VF speed) {
    return {mul_add(c.re, speed, z.re), mul_add(c.im, speed, z.im)};
}

// Four blocks over a tick in which the hammer pushes, the bridge moves, or both.
template <bool kPushed, bool kMoved, bool kTold>
HWY_NOINLINE void turn_driven(Work& w, int first, const NoteTick& note) {
    const F f;
    const DriveBlock* drive = note.drive + first;
    const CoupleBlock* couple = note.couple + first;
    for (size_t i = 0; i < kModeLanes; i += hn::Lanes(f)) {
        Pointer z0 = load_pointer(w, 0, i), z1 = load_pointer(w, 1, i);
        Pointer z2 = load_pointer(w, 2, i), z3 = load_pointer(w, 3, i);
        float* sum = note.lanes + i;
        float* told = told_at<kTold>(note, first, i);
        for (int s = 0; s < note.samples; ++s, sum += kModeLanes) {
            z0 = turn(z0, hn::Load(f, w.step_re[0] + i), hn::Load(f, w.step_im[0] + i));
            z1 = turn(z1, hn::Load(f, w.step_re[1] + i), hn::Load(f, w.step_im[1] + i));
            z2 = turn(z2, hn::Load(f, w.step_re[2] + i), hn::Load(f, w.step_im[2] + i));
            z3 = turn(z3, hn::Load(f, w.step_re[3] + i), hn::Load(f, w.step_im[3] + i));
            if constexpr (kPushed) {
                const VF early = hn::Set(f, note.early_N[s]), late = hn::Set(f, note.late_N[s]);
                z0 = push(z0, load_drive(drive[0], i), early, late);
                z1 = push(z1, load_drive(drive[1], i), early, late);
                z2 = push(z2, load_drive(drive[2], i), early, late);
                z3 = push(z3, load_drive(drive[3], i), early, late);
            }
            if constexpr (kMoved) {
                const VF speed = hn::Set(f, note.bridge_mps[s]);
                z0 = follow(z0, load_couple(couple[0], i), speed);
                z1 = follow(z1, load_couple(couple[1], i), speed);
                z2 = follow(z2, load_couple(couple[2], i), speed);
                z3 = follow(z3, load_couple(couple[3], i), speed);
            }
            add_to(sum, z0.im, z1.im, z2.im, z3.im);
            if constexpr (kTold) tell(told + s * kToldStride, z0.im, z1.im, z2.im, z3.im);
        }
        hn::Store(z0.re, f, w.re[0] + i);
        hn::Store(z1.re, f, w.re[1] + i);
        hn::Store(z2.re, f, w.re[2] + i);
        hn::Store(z3.re, f, w.re[3] + i);
        hn::Store(z0.im, f, w.im[0] + i);
        hn::Store(z1.im, f, w.im[1] + i);
        hn::Store(z2.im, f, w.im[2] + i);
        hn::Store(z3.im, f, w.im[3] + i);
    }
    const D d;
    const H h;
    StateBlock* state = note.state + first;
    for (int b = 0; b < kBlocksAtOnce; ++b) {
        for (size_t i = 0; i < kModeLanes; i += hn::Lanes(d)) {
            hn::Store(hn::PromoteTo(d, hn::Load(h, w.re[b] + i)), d, state[b].re + i);
            hn::Store(hn::PromoteTo(d, hn::Load(h, w.im[b] + i)), d, state[b].im + i);
        }
    }
}

template <bool kDamped, bool kAdvance>
HWY_NOINLINE void prepare_four(int first, const NoteTick& note, Work& w) {
    for (int b = 0; b < kBlocksAtOnce; ++b)
        prepare<kDamped, kAdvance>(note.modes[first + b], note.state[first + b], note, b, w);
}

/// Four blocks over the tick.
template <bool kDamped, bool kTold>
HWY_INLINE void advance_four(int first, const NoteTick& note, Work& w) {
    const bool pushed = note.late_N != nullptr;
    const bool moved = note.bridge_mps != nullptr && first < note.coupled_blocks;
    if (!pushed && !moved) {
        prepare_four<kDamped, true>(first, note, w);
        turn_free<kTold>(w, first, note);
        return;
    }
    prepare_four<kDamped, false>(first, note, w);
    if (pushed && moved) {
        turn_driven<true, true, kTold>(w, first, note);
    } else if (pushed) {
        turn_driven<true, false, kTold>(w, first, note);
    } else {
        turn_driven<false, true, kTold>(w, first, note);
    }
}

template <bool kDamped>
HWY_INLINE void advance(const NoteTick& note) {
    Work w;
    for (int first = 0; first < note.blocks; first += kBlocksAtOnce) {
        if (first < note.told_blocks) {
            advance_four<kDamped, true>(first, note, w);
        } else {
            advance_four<kDamped, false>(first, note, w);
        }
    }
}

void advance_note_target(const NoteTick& note) {
    std::memset(note.lanes, 0, sizeof(float) * kModeLanes * static_cast<size_t>(note.samples));
    if (note.loss_per_sample > 0) {
        advance<true>(note);
    } else {
        advance<false>(note);
    }
    for (int s = 0; s < note.samples; ++s) note.bridge_N[s] = tree_sum(note.lanes + s * kModeLanes);
}

const char* target_name() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::audio
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::audio {
HWY_EXPORT(advance_note_target);
HWY_EXPORT(target_name);

void advance_note(const NoteTick& note) noexcept {
    HWY_DYNAMIC_DISPATCH(advance_note_target)(note);
}
const char* string_kernel_target() {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}
}  // namespace letoff::audio
#endif
