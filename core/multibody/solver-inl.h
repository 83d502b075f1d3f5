// The coupled problem of one step (see step.h), as a semi-smooth Newton method on the speeds at the end of the step:
//   prepare    all that the step does not change: base matrix M + viscous and spring terms, contact frames, friction
//   rows linearise  adds the felts' tangents and the frictions as they are now: A v1 = rhs solve      A = L D L^T
//   update     each friction sticks or slides anew
#if defined(LETOFF_CORE_MULTIBODY_SOLVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#undef LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#endif

#include "core/multibody/felt_force-inl.h"
#include "core/multibody/kinematics-inl.h"
#include "core/multibody/step.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Weight of a sticking row against the local mass: 1/10000 of the row's error is left to the next iteration, which
// removes it again.
inline constexpr double kStickWeight = 1e4;
// A sticking impulse that would change by less than this part of its bound keeps its value, so a key at rest is a fixed
// point to the bit.
inline constexpr double kImpulseStill = 1e-11;
// Contacts farther away than a body can travel in half a step at this speed, plus the margin, are out of reach.
inline constexpr double kFastest_mps = 20.0;
inline constexpr double kReachMargin_m = 5e-4;

/// One friction row of the block: where it acts, its warm-started impulse and side.
struct Friction {
    int contact;  // -1: pivot
    int index;    // into LaneState
    int slot_count;
    int coordinate[kSlots];
    V row[kSlots];
    V impulse, side, bound, weight;
};

/// N bodies known when compiled, so that loops over coordinates unroll; 0: any number.
template <int N>
struct Solver {
    const LaneModel& model;
    const Topology& t;
    const size_t lane;
    const V h, half_h, inverse_h;
    const int bodies_;
    int active[kMaxContacts];
    int active_count = 0;
    ContactFrame frame[kMaxContacts];
    FeltLaw law[kMaxContacts];
    V base_compression[kMaxContacts];  // at the end of the step if v1 were zero
    FeltForce felt[kMaxContacts];
    Friction friction[kMaxFrictions];
    int friction_count = 0;
    V inverse_mass[kMaxBodies];
    V v0[kMaxBodies], v[kMaxBodies], q0[kMaxBodies];
    V base_A[kMaxBodies][kMaxBodies], base_rhs[kMaxBodies];
    V A[kMaxBodies][kMaxBodies], rhs[kMaxBodies];  // lower triangle

    Solver(const LaneModel& m, double step, size_t first_lane)
        : model(m),
          t(m.topology),
          lane(first_lane),
          h(set(step)),
          half_h(set(0.5 * step)),
          inverse_h(set(1.0 / step)),
          bodies_(m.topology.bodies) {}

    HWY_INLINE int n() const { return N > 0 ? N : bodies_; }
    const LaneContact& contact(int c) const { return model.contact[static_cast<size_t>(c)]; }
    const Topology::ContactInfo& info(int c) const { return t.contact[static_cast<size_t>(c)]; }

    HWY_INLINE V row_times(const V* row, const int* coordinate, int count, const V* x) const {
        V sum = row[0] * x[coordinate[0]];
        for (int s = 1; s < count; ++s) sum = mul_add(row[s], x[coordinate[s]], sum);
        return sum;
    }
    HWY_INLINE V normal_speed(int c, const V* x) const {
        return row_times(frame[c].normal, info(c).slot_coordinate.data(), info(c).slot_count, x);
    }

    /// Rank-one update of the lower triangle.
    HWY_INLINE void add_outer(V (*matrix)[kMaxBodies], const V* row, const int* coordinate, int count, V weight) {
        for (int a = 0; a < count; ++a) {
            const V wa = weight * row[a];
            for (int b = 0; b <= a; ++b) {
                const int i = coordinate[a], j = coordinate[b];
                V& entry = i >= j ? matrix[i][j] : matrix[j][i];
                entry = mul_add(wa, row[b], entry);
            }
        }
    }
    HWY_INLINE void add_row(V* vector, const V* row, const int* coordinate, int count, V scale) {
        for (int s = 0; s < count; ++s) vector[coordinate[s]] = mul_add(row[s], scale, vector[coordinate[s]]);
    }

    void prepare(const LaneState& state, const StepInput& input, double step) {
        V q[kMaxBodies];
        for (int i = 0; i < n(); ++i) {
            const size_t b = static_cast<size_t>(i);
            q0[i] = load(state.q[b].lane + lane);
            v0[i] = load(state.v[b].lane + lane);
            v[i] = v0[i] + load(state.v_change[b].lane + lane);
            q[i] = mul_add(half_h, v0[i], q0[i]);
        }
        Frames f;
        make_frames(model, q, lane, f);
        prepare_base(f, input);
        prepare_contacts(f, input, step);
        prepare_frictions(state);
    }

    /// Inertia, gravity, inputs, velocity terms, viscous friction (mean speed), springs (midpoint).
    void prepare_base(const Frames& f, const StepInput& input) {
        Inertia inertia;
        make_inertia(model, f, lane, inertia);
        for (int i = 0; i < n(); ++i) {
            V sum = zero();
            for (int j = 0; j < n(); ++j) sum = mul_add(j <= i ? inertia.M[i][j] : inertia.M[j][i], v0[j], sum);
            base_rhs[i] = mul_add(h, inertia.gravity[i] + load(input.force[static_cast<size_t>(i)].lane + lane), sum);
            for (int j = 0; j <= i; ++j) base_A[i][j] = inertia.M[i][j];
            inverse_mass[i] = set(1.0) / inertia.M[i][i];
        }
        const V row[2] = {set(1.0), set(-1.0)};
        for (int i = 0; i < n(); ++i) {
            const int parent = t.body[static_cast<size_t>(i)].parent;
            const int coordinate[2] = {i, parent};
            const int count = parent == kGround ? 1 : 2;
            const V c = half_h * load(model.body[static_cast<size_t>(i)].viscous.lane + lane);
            add_outer(base_A, row, coordinate, count, c);
            add_row(base_rhs, row, coordinate, count, zero() - c * row_times(row, coordinate, count, v0));
            if (parent == kGround) continue;
            // Velocity terms at the mean of v0 and the extrapolated v1.
            const V vi = set(0.5) * (v0[i] + v[i]), vp = set(0.5) * (v0[parent] + v[parent]);
            const V hx = h * inertia.cross[i];
            base_rhs[parent] = mul_add(hx, vi * vi, base_rhs[parent]);
            base_rhs[i] = neg_mul_add(hx, vp * vp, base_rhs[i]);
        }
        for (int s = 0; s < t.springs; ++s) {
            const int i = t.spring_body[static_cast<size_t>(s)];
            const int parent = t.body[static_cast<size_t>(i)].parent;
            const int coordinate[2] = {i, parent};
            const int count = parent == kGround ? 1 : 2;
            const LaneSpring& spring = model.spring[static_cast<size_t>(s)];
            const V stiffness = load(spring.stiffness.lane + lane),
                    quarter = set(0.5) * half_h;  // at q0 + h (v0 + v1) / 4
            const V stretch = mul_add(quarter, row_times(row, coordinate, count, v0),
                                      row_times(row, coordinate, count, q0) - load(spring.rest_angle.lane + lane));
            add_outer(base_A, row, coordinate, count, h * quarter * stiffness);
            add_row(base_rhs, row, coordinate, count, zero() - h * stiffness * stretch);
        }
    }

    void prepare_contacts(const Frames& f, const StepInput& input, double step) {
        const V reach = set(kFastest_mps * 0.5 * step + kReachMargin_m), far = set(-kOutOfReach_m);
        for (int c = 0; c < t.contacts; ++c) {
            ContactFrame& cf = frame[c];
            make_contact(model, f, c, lane, cf);
            const V shift0 = load(input.gap_shift0_m[static_cast<size_t>(c)].lane + lane);
            const V shift1 = load(input.gap_shift1_m[static_cast<size_t>(c)].lane + lane);
            // Decided for each lane on its own, so that a lane's result does not hang on its neighbours.
            const M reachable = cf.gap - max(shift0, shift1) < reach;
            if (none(reachable)) continue;
            active[active_count++] = c;
            V shift = zero();
            for (int s = 0; s < info(c).slot_count; ++s) {
                const size_t b = static_cast<size_t>(info(c).slot_coordinate[static_cast<size_t>(s)]);
                shift = mul_add(cf.normal[s], load(input.shift[b].lane + lane), shift);
            }
            const V d0 = mul_add(half_h, normal_speed(c, v0), shift0 - cf.gap);
            law[c] = make_felt_law(contact(c), lane, select(reachable, d0, far), inverse_h);
            base_compression[c] = select(reachable, shift1 - cf.gap - shift, far);
        }
    }

    Friction& add_friction(const LaneState& state, int index, int contact_index) {
        Friction& fr = friction[friction_count++];
        fr.contact = contact_index;
        fr.index = index;
        fr.impulse = load(state.friction_impulse_Ns[static_cast<size_t>(index)].lane + lane);
        fr.side = load(state.friction_side[static_cast<size_t>(index)].lane + lane);
        return fr;
    }

    void prepare_frictions(const LaneState& state) {
        for (int i = 0; i < n(); ++i) {
            Friction& fr = add_friction(state, i, -1);
            const int parent = t.body[static_cast<size_t>(i)].parent;
            fr.slot_count = parent == kGround ? 1 : 2;
            fr.coordinate[0] = i;
            fr.row[0] = set(1.0);
            if (parent != kGround) {
                fr.coordinate[1] = parent;
                fr.row[1] = set(-1.0);
            }
            fr.bound = h * load(model.body[static_cast<size_t>(i)].dry.lane + lane);
        }
        for (int a = 0; a < active_count; ++a) {
            const int c = active[a];
            if (!info(c).friction) continue;
            Friction& fr = add_friction(state, kMaxBodies + c, c);
            fr.slot_count = info(c).slot_count;
            for (int s = 0; s < fr.slot_count; ++s) {
                fr.coordinate[s] = info(c).slot_coordinate[static_cast<size_t>(s)];
                fr.row[s] = frame[c].tangent[s];
            }
            fr.bound = zero();
        }
        for (int k = 0; k < friction_count; ++k) {
            // Local mass 1 / (sum row^2 / M_ii): the scale of the augmented Lagrangian.
            Friction& fr = friction[k];
            V mobility = set(1e-12);
            for (int s = 0; s < fr.slot_count; ++s)
                mobility = mul_add(fr.row[s] * fr.row[s], inverse_mass[fr.coordinate[s]], mobility);
            fr.weight = set(kStickWeight) / mobility;
        }
    }

    /// Linearised momentum balance at the present v. Lanes that have stopped keep their friction as it is.
    void linearise(M running, V bound_share) {
        for (int i = 0; i < n(); ++i) {
            for (int j = 0; j <= i; ++j) A[i][j] = base_A[i][j];
            rhs[i] = base_rhs[i];
        }
        for (int a = 0; a < active_count; ++a) {
            const int c = active[a];
            const int count = info(c).slot_count;
            const int* coordinate = info(c).slot_coordinate.data();
            const V speed = normal_speed(c, v);
            const V d1 = neg_mul_add(half_h, speed, base_compression[c]);
            if (none(hn::And(running, max(law[c].d0, d1) > zero()))) {
                felt[c] = {zero(), zero()};
                continue;
            }
            felt[c] = mean_felt_force(law[c], d1);
            const V stiffness = h * half_h * felt[c].slope;
            add_outer(A, frame[c].normal, coordinate, count, stiffness);
            add_row(rhs, frame[c].normal, coordinate, count, mul_add(stiffness, speed, h * felt[c].force));
        }
        for (int k = 0; k < friction_count; ++k) {
            Friction& fr = friction[k];
            if (fr.contact >= 0) {
                const V coulomb = h * load(contact(fr.contact).mu.lane + lane) * felt[fr.contact].force;
                fr.bound = select(running, mul_add(bound_share, coulomb - fr.bound, fr.bound), fr.bound);
            }
            const M sticks = hn::And(fr.side == zero(), fr.bound > zero());
            const V centre = clamp(fr.impulse, zero() - fr.bound, fr.bound);
            fr.impulse = select(running, select(fr.side == zero(), centre, fr.side * fr.bound), fr.impulse);
            if (none(fr.bound > zero())) continue;
            add_row(rhs, fr.row, fr.coordinate, fr.slot_count, fr.impulse);
            if (!none(sticks)) add_outer(A, fr.row, fr.coordinate, fr.slot_count, select(sticks, fr.weight, zero()));
        }
    }

    /// Prescribes one coordinate's end speed: its row becomes v1 = given, its column moves to the right-hand side.
    void drive(int d, V v1) {
        for (int i = 0; i < n(); ++i) {
            if (i == d) continue;
            V& entry = i > d ? A[i][d] : A[d][i];
            rhs[i] = neg_mul_add(entry, v1, rhs[i]);
            entry = zero();
        }
        A[d][d] = set(1.0);
        rhs[d] = v1;
    }

    /// A = L D L^T in place, then x = A^-1 rhs.
    HWY_INLINE void solve(V* x) {
        V inverse[kMaxBodies];
        for (int j = 0; j < n(); ++j) {
            V scaled[kMaxBodies];
            V d = A[j][j];
            for (int k = 0; k < j; ++k) {
                scaled[k] = A[j][k] * A[k][k];
                d = neg_mul_add(A[j][k], scaled[k], d);
            }
            A[j][j] = d;
            inverse[j] = set(1.0) / d;
            for (int i = j + 1; i < n(); ++i) {
                V sum = A[i][j];
                for (int k = 0; k < j; ++k) sum = neg_mul_add(A[i][k], scaled[k], sum);
                A[i][j] = sum * inverse[j];
            }
        }
        for (int i = 0; i < n(); ++i) {
            x[i] = rhs[i];
            for (int k = 0; k < i; ++k) x[i] = neg_mul_add(A[i][k], x[k], x[i]);
        }
        for (int i = n() - 1; i >= 0; --i) {
            x[i] = x[i] * inverse[i];
            for (int k = i + 1; k < n(); ++k) x[i] = neg_mul_add(A[k][i], x[k], x[i]);
        }
    }

    /// New sides and impulses of all frictions for the solved speeds; returns the lanes where a side changed.
    M update_frictions(const V* v1, M running) {
        M changed = hn::FirstN(D(), 0);
        for (int k = 0; k < friction_count; ++k) {
            Friction& fr = friction[k];
            const M idle = fr.bound <= zero();
            const V speed = row_times(fr.row, fr.coordinate, fr.slot_count, v1);
            const M held = hn::AndNot(idle, fr.side == zero());
            const V step = fr.weight * speed;
            const V candidate = select(abs(step) <= set(kImpulseStill) * fr.bound, fr.impulse, fr.impulse - step);
            const M over = hn::And(held, candidate > fr.bound), under = hn::And(held, candidate < zero() - fr.bound);
            // A sliding row whose speed turned sticks next; its impulse, at the bound, is the centre it starts from.
            const M turned = fr.side * speed > zero();
            V side = select(over, set(1.0), select(under, set(-1.0), fr.side));
            side = select(hn::Or(turned, idle), zero(), side);
            const V impulse = select(held, clamp(candidate, zero() - fr.bound, fr.bound), fr.impulse);
            changed = hn::Or(changed, hn::And(running, hn::Not(side == fr.side)));
            fr.side = select(running, side, fr.side);
            fr.impulse = select(running, select(idle, zero(), impulse), fr.impulse);
        }
        return changed;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
