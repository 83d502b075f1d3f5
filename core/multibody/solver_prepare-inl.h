// What a step's balance has that the speeds at its end do not change (solver-inl.h: prepare): inertia, viscous friction
// and springs over the step's mean, inputs, and the contacts within reach with their frames, laws and friction rows.
#if defined(LETOFF_CORE_MULTIBODY_SOLVER_PREPARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_SOLVER_PREPARE_INL_H_
#undef LETOFF_CORE_MULTIBODY_SOLVER_PREPARE_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_SOLVER_PREPARE_INL_H_
#endif

#include "core/multibody/solver-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Contacts farther away than a body can travel in half a step at this speed, plus the margin, are out of reach.
inline constexpr double kFastest_mps = 20.0;
inline constexpr double kReachMargin_m = 5e-4;

template <class Compiled>
inline void Solver<Compiled>::prepare(const LaneState& state, const StepInput& input, double step) {
    V q[kMaxBodies];
    for (int i = 0; i < n(); ++i) {
        const size_t b = static_cast<size_t>(i);
        q0[i] = load(state.q[b].lane + lane);
        v0[i] = load(state.v[b].lane + lane);
        v[i] = v0[i] + load(state.v_change[b].lane + lane);
        q[i] = mul_add(half_h, v0[i], q0[i]);
    }
    const int driven = input.driven_coordinate;
    if (driven >= 0) v[driven] = load(input.driven_v1.lane + lane);
    Frames f;
    make_frames(model, q, lane, f);
    prepare_base(f, input);
    prepare_contacts(f, state, input, step);
}

/// Inertia, gravity, inputs, velocity terms, viscous friction (mean speed), springs (midpoint), pivots.
template <class Compiled>
inline void Solver<Compiled>::prepare_base(const Frames& f, const StepInput& input) {
    Inertia inertia;
    make_inertia(model, f, lane, inertia);
    for (int i = 0; i < n(); ++i) {
        V sum = zero();
        for (int j = 0; j < n(); ++j) {
            base_A[i][j] = j <= i ? inertia.M[i][j] : inertia.M[j][i];
            if (j == i || j == parent(i) || i == parent(j)) sum = mul_add(base_A[i][j], v0[j], sum);
        }
        base_rhs[i] = mul_add(h, inertia.gravity[i] + load(input.force[static_cast<size_t>(i)].lane + lane), sum);
        mass[i] = inertia.M[i][i];
    }
    for (int i = 0; i < n(); ++i) {
        const V c = half_h * load(model.body[static_cast<size_t>(i)].viscous.lane + lane);
        add_pivot(base_A, i, c);
        add_pivot(base_rhs, i, zero() - c * pivot_speed(i, v0));
        const int p = parent(i);
        if (p == kGround) continue;
        // Velocity terms at the mean of v0 and the extrapolated v1.
        const V vi = set(0.5) * (v0[i] + v[i]), vp = set(0.5) * (v0[p] + v[p]);
        const V hx = h * inertia.cross[i];
        base_rhs[p] = mul_add(hx, vi * vi, base_rhs[p]);
        base_rhs[i] = neg_mul_add(hx, vp * vp, base_rhs[i]);
    }
    if (const int k = input.tied_coordinate; k >= 0) {
        const V inertia = load(input.tied_inertia.lane + lane), c = half_h * load(input.tied_drag.lane + lane);
        base_A[k][k] = base_A[k][k] + (inertia + c);
        base_rhs[k] = mul_add(inertia - c, v0[k], base_rhs[k]);
    }
    for (int s = 0; s < t.springs; ++s) {
        const int i = t.spring_body[static_cast<size_t>(s)];
        const LaneSpring& spring = model.spring[static_cast<size_t>(s)];
        const V stiffness = load(spring.stiffness.lane + lane),
                quarter = set(0.5) * half_h;  // at q0 + h (v0 + v1) / 4
        const V stretch =
            mul_add(quarter, pivot_speed(i, v0), pivot_speed(i, q0) - load(spring.rest_angle.lane + lane));
        add_pivot(base_A, i, h * quarter * stiffness);
        add_pivot(base_rhs, i, zero() - h * stiffness * stretch);
    }
}

template <class Compiled>
HWY_INLINE void Solver<Compiled>::prepare_friction(const LaneState& state, int index, Friction& fr) const {
    fr.index = index;
    fr.impulse = load(state.friction_impulse_Ns[static_cast<size_t>(index)].lane + lane);
    fr.side = load(state.friction_side[static_cast<size_t>(index)].lane + lane);
}

template <class Compiled>
inline void Solver<Compiled>::prepare_contacts(const Frames& f, const LaneState& state, const StepInput& input,
                                               double step) {
    for (int i = 0; i < n(); ++i) {
        Friction& fr = pivot_friction[i];
        prepare_friction(state, i, fr);
        fr.bound = h * load(model.body[static_cast<size_t>(i)].dry.lane + lane);
        fr.weight = set(kStickWeight) * (parent(i) == kGround ? mass[i] : min(mass[i], mass[parent(i)]));
    }
    const V reach = set(kFastest_mps * 0.5 * step + kReachMargin_m), far = set(-kOutOfReach_m);
    int pressed[kMaxContacts], pressed_count = 0;
    for (int index = 0; index < t.contacts; ++index) {
        Contact& c = active[active_count];
        const size_t i = static_cast<size_t>(index);
        make_contact(model, f, index, lane, c.frame);
        const V gap = c.frame.gap;
        const V shift0 = load(input.gap_shift0_m[i].lane + lane), shift1 = load(input.gap_shift1_m[i].lane + lane);
        // Decided for each lane on its own, so that a lane's result does not hang on its neighbours.
        const M reachable = gap - max(shift0, shift1) < reach;
        if (none(reachable)) continue;
        ++active_count;
        const Topology::ContactInfo& info = t.contact[i];
        c.index = index;
        c.slot_count = info.slot_count;
        c.coordinate = info.slot_coordinate.data();
        V d0 = zero(), tangent_speed = zero();
        with_slots(c.slot_count, [&](auto count) {
            V shift = zero();
#pragma GCC unroll 4
            for (int s = 0; s < decltype(count)::value; ++s)
                shift = mul_add(c.frame.normal[s], load(input.shift[static_cast<size_t>(c.coordinate[s])].lane + lane),
                                shift);
            d0 = mul_add(half_h, row_times<count>(c.frame.normal, c.coordinate, v0), shift0 - gap);
            c.base_compression = select(reachable, shift1 - gap - shift, far);
            c.speed = row_times<count>(c.frame.normal, c.coordinate, v);
            if (info.friction) tangent_speed = row_times<count>(c.frame.tangent, c.coordinate, v);
        });
        if constexpr (kCurves) {
            c.law = make_mixed_law(model.contact[i], info.curve, lane, select(reachable, d0, far), inverse_h);
        } else {
            c.law = make_felt_law(model.contact[i], lane, select(reachable, d0, far), inverse_h);
            pressed[pressed_count] = active_count - 1;
            pressed_count += none(c.law.d0 > zero()) ? 0 : 1;
        }
        c.friction = -1;
        c.waits = false;
        c.force = zero();
        if (!info.friction) continue;
        c.friction = contact_friction_count++;
        c.h_mu = h * load(model.contact[i].mu.lane + lane);
        Friction& fr = contact_friction[c.friction];
        prepare_friction(state, kMaxBodies + index, fr);
        fr.bound = zero();
        fr.side = select(fr.impulse == zero(), against(tangent_speed), fr.side);
        fr.weight = zero();  // until it sticks
    }
    if constexpr (!kCurves) {
        in_groups(pressed, pressed_count, [&](auto count, const int* group) {
            FeltLaw* laws[count];
            each<count>([&](int i) { laws[i] = &active[group[i]].law; });
            start_felts<count>(laws);
        });
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
