// The felt law of a contact integrated over one step: F = (U(d1) - U(d0))/(d1 - d0) + b (d1^3 - d0^3)/(3 h), clamped >=
// 0, U' = k d^r, d >= 0 (Thorin et al. eq 2.6). The elastic part is the mean over the travel, so it neither makes nor
// loses energy; force grows with d1 throughout.
#if defined(LETOFF_CORE_MULTIBODY_FELT_FORCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_FELT_FORCE_INL_H_
#undef LETOFF_CORE_MULTIBODY_FELT_FORCE_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_FELT_FORCE_INL_H_
#endif

#include "core/multibody/lane_model.h"
#include "core/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Below this relative change of compression the mean felt force is the trapezoid rule: there the difference quotient
// loses more digits (1e-16/1e-5) than the trapezoid's own error (1e-10).
inline constexpr double kSmallChange = 1e-5;

/// What of a contact's felt does not change during a step.
struct FeltLaw {
    V k, r, b_h;              // b_h = b / h
    V inverse_r1, r_minus_1;  // 1 / (r + 1), r - 1
    V d0, f0;                 // compression and elastic force at the start
};

struct FeltForce {
    V force, slope;  // N; dF / d(end compression)
};

/// But for f0, where d0 > 0 in some lane: see start_felts().
HWY_INLINE FeltLaw make_felt_law(const LaneContact& c, size_t lane, V d0, V inverse_h) {
    FeltLaw law;
    law.k = load(c.felt_k.lane + lane);
    law.r = load(c.felt_r.lane + lane);
    law.b_h = load(c.felt_b.lane + lane) * inverse_h;
    law.inverse_r1 = load(c.felt_inverse_r1.lane + lane);
    law.r_minus_1 = load(c.felt_r_minus_1.lane + lane);
    law.d0 = d0;
    law.f0 = zero();
    return law;
}

/// f0 of kCount laws at once.
template <int kCount>
HWY_INLINE void start_felts(FeltLaw* const* law) {
    V in0[kCount], r[kCount], power[kCount];
    each<kCount>([&](int i) {
        in0[i] = max(law[i]->d0, zero());
        r[i] = law[i]->r_minus_1;
    });
    pow_positive<kCount>(in0, r, power);
    each<kCount>([&](int i) { law[i]->f0 = law[i]->k * power[i] * in0[i]; });
}

/// Of kCount contacts at once.
template <int kCount>
HWY_INLINE void mean_felt_force(const FeltLaw* const* laws, const V* d1, FeltForce* const* out) {
    V in1[kCount], r[kCount], power[kCount];
    each<kCount>([&](int i) {
        in1[i] = max(d1[i], zero());
        r[i] = laws[i]->r_minus_1;
    });
    pow_positive<kCount>(in1, r, power);
    each<kCount>([&](int i) {
        const FeltLaw& law = *laws[i];
        const V in0 = max(law.d0, zero());
        const V stiffness = law.k * power[i];  // secant f1 / d1
        const V f1 = stiffness * in1[i];
        const V change = d1[i] - law.d0;
        const M small = abs(change) <= set(kSmallChange) * max(in0, in1[i]);
        const V inverse = set(1.0) / select(small, set(1.0), change);
        const V quotient = neg_mul_add(in0, law.f0, in1[i] * f1) * law.inverse_r1 * inverse;
        const V mean = select(small, set(0.5) * (law.f0 + f1), quotient);
        const V mean_slope = select(small, set(0.5) * law.r * stiffness, (f1 - quotient) * inverse);
        const V damping = law.b_h * set(1.0 / 3.0) * neg_mul_add(in0 * in0, in0, in1[i] * in1[i] * in1[i]);
        const V total = mean + damping;
        const M pushes = hn::And(total > zero(), hn::Or(in0 > zero(), in1[i] > zero()));
        *out[i] = {select(pushes, total, zero()),
                   select(pushes, max(mul_add(law.b_h * in1[i], in1[i], mean_slope), zero()), zero())};
    });
}

HWY_INLINE FeltForce mean_felt_force(const FeltLaw& law, V d1) {
    FeltForce force;
    const FeltLaw* const laws[1] = {&law};
    FeltForce* const forces[1] = {&force};
    mean_felt_force<1>(laws, &d1, forces);
    return force;
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
