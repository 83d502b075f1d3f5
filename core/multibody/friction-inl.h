// One set-valued dry friction of a block, in a pivot or a contact: an impulse l with |l| <= bound; the row's speed at
// the end of the step is zero where |l| < bound, else l opposes it (Thorin et al. eqs 2.3, 2.7). A row that sticks is
// held by an augmented Lagrangian; at its bound it slides, until its speed turns.
#if defined(LETOFF_CORE_MULTIBODY_FRICTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_FRICTION_INL_H_
#undef LETOFF_CORE_MULTIBODY_FRICTION_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_FRICTION_INL_H_
#endif

#include "core/multibody/lane_model.h"
#include "core/simd/vec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Weight of a sticking row against the local mass: 1/10000 of the row's error is left to the next iteration, which
// removes it again.
inline constexpr double kStickWeight = 1e4;
// A sticking impulse that would change by less than this part of its bound keeps its value.
inline constexpr double kImpulseStill = 1e-11;

/// One friction row: its impulse (warm-started), side and bound, and the weight of the row while it sticks.
struct Friction {
    int index;  // into LaneState
    V impulse, side, bound, weight;
};

/// The impulse with which a friction enters the balance, and the lanes in which it sticks.
HWY_INLINE M place_impulse(Friction& fr, M running) {
    const M held = fr.side == zero();
    const V centre = clamp(fr.impulse, zero() - fr.bound, fr.bound);
    fr.impulse = select(running, select(held, centre, fr.side * fr.bound), fr.impulse);
    return hn::And(held, fr.bound > zero());
}

/// The side of an impulse that opposes a speed. A contact that comes to bear starts by sliding so: as a sticking
/// row it would tear at the bodies with an impulse far beyond its bound.
HWY_INLINE V against(V speed) {
    return select(speed > zero(), set(-1.0), select(speed < zero(), set(1.0), zero()));
}

/// New side and impulse of a friction for the speed of its row; returns the lanes where the side changed.
HWY_INLINE M update_friction(Friction& fr, V speed, M running, M may_turn) {
    const M idle = fr.bound <= zero();
    const M held = hn::AndNot(idle, fr.side == zero());
    const V step = fr.weight * speed;
    const V candidate = select(abs(step) <= set(kImpulseStill) * fr.bound, fr.impulse, fr.impulse - step);
    const M over = hn::And(held, candidate > fr.bound), under = hn::And(held, candidate < zero() - fr.bound);
    // A sliding row whose speed turned sticks next; its impulse, at the bound, is the centre it starts from.
    const M turned = fr.side * speed > zero();
    V side = select(over, set(1.0), select(under, set(-1.0), fr.side));
    side = select(turned, zero(), side);
    side = select(idle, against(speed), select(may_turn, side, fr.side));
    const V impulse = select(held, clamp(candidate, zero() - fr.bound, fr.bound), fr.side * fr.bound);
    const M changed = hn::AndNot(idle, hn::And(running, hn::Not(side == fr.side)));
    fr.side = select(running, side, fr.side);
    fr.impulse = select(running, select(idle, zero(), impulse), fr.impulse);
    return changed;
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
