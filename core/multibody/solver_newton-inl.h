// What every iteration does anew (solver-inl.h: linearise, update): felts' tangents and frictions enter the balance at
// the present v; the speeds that solve it tell the forces, and which frictions stick or slide next.
#if defined(LETOFF_CORE_MULTIBODY_SOLVER_NEWTON_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_SOLVER_NEWTON_INL_H_
#undef LETOFF_CORE_MULTIBODY_SOLVER_NEWTON_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_SOLVER_NEWTON_INL_H_
#endif

#include "core/multibody/solver-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// Felts at the present v. Lanes in which a curve's tangent stood for it are in `turned`.
template <class Compiled>
inline void Solver<Compiled>::press_felts(M running) {
    turned = hn::FirstN(D(), 0);
    touching_count = 0;
    for (int a = 0; a < active_count; ++a) {
        Contact& c = active[a];
        c.d1 = neg_mul_add(half_h, c.speed, c.base_compression);
        c.felt = {zero(), zero()};
        touching[touching_count] = a;
        c.touched = !none(hn::And(running, max(c.law.d0, c.d1) > zero()));
        touching_count += c.touched ? 1 : 0;
    }
    if constexpr (kCurves) {
        for (int k = 0; k < touching_count; ++k) {
            Contact& c = active[touching[k]];
            c.felt = mean_mixed_force(c.law, c.d1, turned);
        }
    } else {
        in_groups(touching, touching_count, [&](auto count, const int* group) {
            const FeltLaw* laws[count];
            FeltForce* forces[count];
            V d1[count];
            each<count>([&](int i) {
                Contact& c = active[group[i]];
                laws[i] = &c.law;
                forces[i] = &c.felt;
                d1[i] = c.d1;
            });
            mean_felt_force<count>(laws, d1, forces);
        });
    }
}

/// Of a contact's tangent: local mass 1 / (sum row^2 / M_ii), the scale of the augmented Lagrangian.
template <class Compiled>
HWY_INLINE V Solver<Compiled>::stick_weight(const Contact& c) const {
    V mobility = set(1e-12);
    for (int s = 0; s < c.slot_count; ++s) {
        const V row = c.frame.tangent[s];
        mobility = mul_add(row, row / mass[c.coordinate[s]], mobility);
    }
    return set(kStickWeight) / mobility;
}

/// Linearised momentum balance at the present v. The bound of a sliding contact follows its normal force within the
/// solution: the felt pushes along n + side mu t, so the matrix is not symmetric. Lanes that have stopped keep
/// their friction as it is.
template <class Compiled>
inline void Solver<Compiled>::linearise(M running) {
    press_felts(running);
    repeat(n(), [&](auto i) {
        A[i][i] = base_A[i][i];
        repeat(i, [&](auto j) {
            if (!coupled(i, j)) return;
            A[i][j] = base_A[i][j];
            A[j][i] = base_A[j][i];
        });
        rhs[i] = base_rhs[i];
    });
    repeat(n(), [&](auto i) {
        Friction& fr = pivot_friction[i];
        const M sticks = place_impulse(fr, running);
        add_pivot(rhs, i, fr.impulse);
        add_pivot(A, i, select(sticks, fr.weight, zero()));
    });
    for (int k = 0; k < touching_count; ++k) {
        Contact& c = active[touching[k]];
        with_slots(c.slot_count, [&](auto count) { press<count>(c, running); });
        c.waits = false;
    }
}

template <class Compiled>
template <int kCount>
HWY_INLINE void Solver<Compiled>::press(const Contact& c, M running) {
    const V stiffness = h * half_h * c.felt.slope;
    const V push = mul_add(stiffness, c.speed, h * c.felt.force);
    if (c.friction < 0) {
        add_outer<kCount>(A, c.frame.normal, c.frame.normal, stiffness, c.coordinate);
        add_row<kCount>(rhs, c.frame.normal, c.coordinate, push);
        return;
    }
    Friction& fr = contact_friction[c.friction];
    if (c.waits) fr.side = select(running, against(row_times<kCount>(c.frame.tangent, c.coordinate, v)), fr.side);
    fr.bound = select(running, c.h_mu * c.felt.force, fr.bound);
    const M sticks = place_impulse(fr, running);
    const V pull = fr.side * c.h_mu * inverse_h;
    V along[kCount];
#pragma GCC unroll 4
    for (int s = 0; s < kCount; ++s) along[s] = mul_add(pull, c.frame.tangent[s], c.frame.normal[s]);
    add_outer<kCount>(A, along, c.frame.normal, stiffness, c.coordinate);
    add_row<kCount>(rhs, along, c.coordinate, push);
    if (none(sticks)) return;
    if (none(fr.weight > zero())) fr.weight = stick_weight(c);
    add_row<kCount>(rhs, c.frame.tangent, c.coordinate, select(sticks, fr.impulse, zero()));
    add_outer<kCount>(A, c.frame.tangent, c.frame.tangent, select(sticks, fr.weight, zero()), c.coordinate);
}

/// Contact forces at v1, by the felts' tangents; v1 is the next v.
template <class Compiled>
inline void Solver<Compiled>::take_forces(const V* v1, M running) {
    for (int a = 0; a < active_count; ++a) {
        Contact& c = active[a];
        V speed = zero();
        with_slots(c.slot_count, [&](auto count) { speed = row_times<count>(c.frame.normal, c.coordinate, v1); });
        const V linear = max(neg_mul_add(half_h * c.felt.slope, speed - c.speed, c.felt.force), zero());
        c.force = select(running, linear, c.force);
        c.speed = select(running, speed, c.speed);
    }
}

/// With one_by_one the first friction of a lane that would turn is the only one that does.
template <class Compiled>
inline M Solver<Compiled>::update_frictions(const V* v1, M running, bool one_by_one) {
    M changed = hn::FirstN(D(), 0);
    const auto update = [&](Friction& fr, V speed) {
        const M may_turn = one_by_one ? hn::Not(changed) : running;
        changed = hn::Or(changed, update_friction(fr, speed, running, may_turn));
    };
    repeat(n(), [&](auto i) { update(pivot_friction[i], pivot_speed(i, v1)); });
    for (int a = 0; a < active_count; ++a) {
        Contact& c = active[a];
        if (c.friction < 0) continue;
        Friction& fr = contact_friction[c.friction];
        if (!c.touched) {  // without force it is idle; which way it would slide is asked when it is touched (press)
            fr.bound = select(running, zero(), fr.bound);
            fr.impulse = select(running, zero(), fr.impulse);
            c.waits = true;
            continue;
        }
        fr.bound = select(running, c.h_mu * c.force, fr.bound);
        V speed = zero();
        with_slots(c.slot_count, [&](auto count) { speed = row_times<count>(c.frame.tangent, c.coordinate, v1); });
        update(fr, speed);
    }
    return changed;
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
