// The law of a contact whose felt is a pair of curves, in lanes (core/felt/curve.h has equations and source), or the
// power law where it has none. One table serves all lanes; each lane has its own scale of force.
//
// For Newton the transition is convex and rising for v < 0 and flat for v >= 0: from the flat side a step lands far on
// the saturated one and from there back again. So the first time that an iterate comes back to v >= 0 it is met by the
// tangent of the v < 0 side at 0; from there on Newton descends within v < 0, or stays on the flat side.
#if defined(LETOFF_CORE_MULTIBODY_CURVE_FORCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_CURVE_FORCE_INL_H_
#undef LETOFF_CORE_MULTIBODY_CURVE_FORCE_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_CURVE_FORCE_INL_H_
#endif

#include "core/felt/curve.h"
#include "core/multibody/felt_force-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// A felt that is a power law or a pair of curves.
struct MixedLaw : FeltLaw {
    const FeltCurve* curve = nullptr;  // null: the power law; k is the scale of the curves' force
    V u0, loss0;                       // of the curves at the start
    V inverse_h;
    M was_let_go;  // the iterate before went outwards
};

struct CurvePoint {
    V force, force_slope, loss, energy;  // slope per m
};

HWY_INLINE CurvePoint read_curve(const FeltCurve& curve, V scale, V d) {
    using DI = hn::RebindToSigned<D>;
    const V step = set(curve.step_m), last = set(kCurveIntervals - 1);
    const M touches = d > zero();  // false for what is no number
    const V x = select(touches, d, zero()) / step;
    const V within = select(x < last, x, last);
    const auto index = hn::ConvertTo(DI(), within);
    const V t = x - hn::ConvertTo(D(), index);
    const double* at = &curve.interval[0].force_N;
    const auto offset = hn::ShiftLeft<3>(index);
    static_assert(kCurveStride == 8);
    const auto read = [&](int member) { return hn::GatherIndex(D(), at + member, offset); };
    const V force0 = read(0), rise = read(1), loss0 = read(2), loss_rise = read(3), energy0 = read(4);
    const V force = mul_add(rise, t, force0);
    const V energy = mul_add(mul_add(set(0.5) * rise, t, force0) * t, step, energy0);
    return {select(touches, scale * force, zero()), select(touches, scale * rise / step, zero()),
            select(touches, scale * mul_add(loss_rise, t, loss0), zero()), select(touches, scale * energy, zero())};
}

/// tanh x for x <= 0.
HWY_INLINE V tanh_negative(V x) {
    const V e = exp2(x * set(2 * 1.4426950408889634074));  // e^2x, in (0, 1]
    return (e - set(1.0)) / (e + set(1.0));
}

HWY_INLINE MixedLaw make_mixed_law(const LaneContact& c, const FeltCurve* curve, size_t lane, V d0, V inverse_h) {
    MixedLaw law;
    law.curve = curve;
    law.was_let_go = hn::FirstN(D(), 0);
    law.inverse_h = inverse_h;
    if (curve == nullptr) {
        static_cast<FeltLaw&>(law) = make_felt_law(c, lane, d0, inverse_h);
        FeltLaw* const one[1] = {&law};
        if (!none(d0 > zero())) start_felts<1>(one);
        law.u0 = law.loss0 = zero();
        return law;
    }
    law.k = load(c.felt_k.lane + lane);
    law.r = law.b_h = law.inverse_r1 = law.r_minus_1 = zero();
    law.d0 = d0;
    law.f0 = law.u0 = law.loss0 = zero();
    if (none(d0 > zero())) return law;
    const CurvePoint start = read_curve(*curve, law.k, d0);
    law.f0 = start.force;
    law.u0 = start.energy;
    law.loss0 = start.loss;
    return law;
}

/// Sets `turned` in lanes where the force is a tangent's and not the law's: another iteration has to follow.
HWY_INLINE FeltForce mean_mixed_force(MixedLaw& law, V d1, M& turned) {
    if (law.curve == nullptr) return mean_felt_force(law, d1);
    const CurvePoint end = read_curve(*law.curve, law.k, d1);
    const V change = d1 - law.d0;
    const M small = abs(change) <= set(kSmallChange) * max(max(law.d0, d1), zero());
    const V inverse = set(1.0) / select(small, set(1.0), change);
    const V quotient = (end.energy - law.u0) * inverse;
    const V elastic = select(small, set(0.5) * (law.f0 + end.force), quotient);
    const V elastic_slope = select(small, set(0.5) * end.force_slope, (end.force - quotient) * inverse);
    const V speed = change * law.inverse_h;
    const M let_go = speed < zero();
    const M back = hn::AndNot(let_go, law.was_let_go);
    law.was_let_go = let_go;
    turned = hn::Or(turned, back);
    const V loss = set(0.5) * (law.loss0 + end.loss);
    const V grade = tanh_negative(set(kTransition_s_per_m) * select(let_go, speed, zero()));
    // alpha loss (1 - tanh^2); 0 where pressed, alpha loss at the tangent.
    const V steep = set(kTransition_s_per_m) * loss * law.inverse_h;
    const V loss_slope = select(hn::Or(let_go, back), steep * neg_mul_add(grade, grade, set(1.0)), zero());
    const V by_tangent = select(back, steep * change, zero());
    const V total = mul_add(loss, grade, elastic) + by_tangent;
    const M pushes = hn::And(total > zero(), max(law.d0, d1) > zero());
    return {select(pushes, total, zero()), select(pushes, max(elastic_slope + loss_slope, zero()), zero())};
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
