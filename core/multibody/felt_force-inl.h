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

HWY_INLINE FeltLaw make_felt_law(const LaneContact& c, size_t lane, V d0, V inverse_h) {
    FeltLaw law;
    law.k = load(c.felt_k.lane + lane);
    law.r = load(c.felt_r.lane + lane);
    law.b_h = load(c.felt_b.lane + lane) * inverse_h;
    law.inverse_r1 = load(c.felt_inverse_r1.lane + lane);
    law.r_minus_1 = load(c.felt_r_minus_1.lane + lane);
    law.d0 = d0;
    const V in0 = max(d0, zero());
    law.f0 = none(d0 > zero()) ? zero() : law.k * pow_positive(in0, law.r_minus_1) * in0;
    return law;
}

HWY_INLINE FeltForce mean_felt_force(const FeltLaw& law, V d1) {
    const V in0 = max(law.d0, zero()), in1 = max(d1, zero());
    const V stiffness = law.k * pow_positive(in1, law.r_minus_1);  // secant f1 / d1
    const V f1 = stiffness * in1;
    const V change = d1 - law.d0;
    const M small = abs(change) <= set(kSmallChange) * max(in0, in1);
    const V inverse = set(1.0) / select(small, set(1.0), change);
    const V quotient = neg_mul_add(in0, law.f0, in1 * f1) * law.inverse_r1 * inverse;
    const V mean = select(small, set(0.5) * (law.f0 + f1), quotient);
    const V mean_slope = select(small, set(0.5) * law.r * stiffness, (f1 - quotient) * inverse);
    const V damping = law.b_h * set(1.0 / 3.0) * neg_mul_add(in0 * in0, in0, in1 * in1 * in1);
    const V total = mean + damping;
    const M pushes = hn::And(total > zero(), hn::Or(in0 > zero(), in1 > zero()));
    return {select(pushes, total, zero()),
            select(pushes, max(mul_add(law.b_h * in1, in1, mean_slope), zero()), zero())};
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
