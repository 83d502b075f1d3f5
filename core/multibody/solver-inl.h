// The coupled problem of one step (see step.h), as a semi-smooth Newton method on the speeds at the end of the step:
//   prepare    all that the step does not change: base matrix M + viscous and spring terms, contacts within reach with
//              their frames and laws, friction rows
//   linearise  adds the felts' tangents and the frictions as they are now: A v1 = rhs
//   solve      Gaussian elimination where the mechanism couples coordinates
//   update     each friction sticks or slides anew
#if defined(LETOFF_CORE_MULTIBODY_SOLVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#undef LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#endif

#include <type_traits>

#include "core/multibody/curve_force-inl.h"
#include "core/multibody/felt_force-inl.h"
#include "core/multibody/friction-inl.h"
#include "core/multibody/kinematics-inl.h"
#include "core/multibody/rows-inl.h"
#include "core/multibody/step.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Contacts farther away than a body can travel in half a step at this speed, plus the margin, are out of reach.
inline constexpr double kFastest_mps = 20.0;
inline constexpr double kReachMargin_m = 5e-4;

/// A contact that is within reach in some lane.
template <class Law>
struct ActiveContact {
    int index, slot_count;
    const int* coordinate;
    int friction;  // into Solver::contact_friction; -1: none
    ContactFrame frame;
    Law law;
    V base_compression;  // at the end of the step if v1 were zero
    V h_mu;              // h times the coefficient of friction
    V speed, d1;         // along the normal at the present v, and the compression it leads to
    FeltForce felt;      // there
    V force;             // at v1, by the tangent
};

/// A shape as a step of any topology sees it: nothing known when compiled.
struct AnyShape {};

template <class Compiled>
struct Solver {
    static constexpr bool kCompiled = !std::is_same_v<Compiled, AnyShape>;
    /// The grand's felts are power laws: its step knows no other.
    static constexpr bool kCurves = !std::is_same_v<Compiled, GrandShape>;
    using Contact = ActiveContact<std::conditional_t<kCurves, MixedLaw, FeltLaw>>;
    const LaneModel& model;
    const Topology& t;
    const size_t lane;
    const V h, half_h, inverse_h;
    const int bodies_;
    Contact active[kMaxContacts];
    int active_count = 0;
    int touching[kMaxContacts];  // into `active`, for the present v
    int touching_count = 0;
    Friction pivot_friction[kMaxBodies];
    Friction contact_friction[kMaxContacts];
    int contact_friction_count = 0;
    M turned;
    V mass[kMaxBodies];  // M_ii
    V v0[kMaxBodies], v[kMaxBodies], q0[kMaxBodies];
    V base_A[kMaxBodies][kMaxBodies], base_rhs[kMaxBodies];
    V A[kMaxBodies][kMaxBodies], rhs[kMaxBodies];

    Solver(const LaneModel& m, double step, size_t first_lane)
        : model(m),
          t(m.topology),
          lane(first_lane),
          h(set(step)),
          half_h(set(0.5 * step)),
          inverse_h(set(1.0 / step)),
          bodies_(m.topology.bodies) {}

    /// A constant where the shape is compiled in.
    HWY_INLINE auto n() const {
        if constexpr (kCompiled) {
            return std::integral_constant<int, Compiled::kBodies>();
        } else {
            return bodies_;
        }
    }
    /// Whether the balance of coordinate k holds coordinate i < k.
    HWY_INLINE bool coupled(int k, int i) const {
        if constexpr (kCompiled) {
            return (Compiled::kCoupledBelow[static_cast<size_t>(k)] >> i & 1U) != 0;
        } else {
            return (t.coupled_below[static_cast<size_t>(k)] >> i & 1U) != 0;
        }
    }
    HWY_INLINE int parent(int body) const {
        if constexpr (kCompiled) {
            return Compiled::kParent[static_cast<size_t>(body)];
        } else {
            return t.body[static_cast<size_t>(body)].parent;
        }
    }

    /// Speed of a body against what carries its pivot.
    HWY_INLINE V pivot_speed(int body, const V* x) const {
        return parent(body) == kGround ? x[body] : x[body] - x[parent(body)];
    }

    /// matrix += weight row^T row and vector += scale row, for a row that is +1 at a body and -1 at what carries it.
    HWY_INLINE void add_pivot(V (*matrix)[kMaxBodies], int body, V weight) const {
        matrix[body][body] = matrix[body][body] + weight;
        const int p = parent(body);
        if (p == kGround) return;
        matrix[p][p] = matrix[p][p] + weight;
        matrix[p][body] = matrix[p][body] - weight;
        matrix[body][p] = matrix[body][p] - weight;
    }
    HWY_INLINE void add_pivot(V* vector, int body, V scale) const {
        vector[body] = vector[body] + scale;
        if (parent(body) != kGround) vector[parent(body)] = vector[parent(body)] - scale;
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
        const int driven = input.driven_coordinate;
        if (driven >= 0) v[driven] = load(input.driven_v1.lane + lane);
        Frames f;
        make_frames(model, q, lane, f);
        prepare_base(f, input);
        prepare_contacts(f, state, input, step);
    }

    /// Inertia, gravity, inputs, velocity terms, viscous friction (mean speed), springs (midpoint), pivots.
    void prepare_base(const Frames& f, const StepInput& input) {
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

    HWY_INLINE void prepare_friction(const LaneState& state, int index, Friction& fr) const {
        fr.index = index;
        fr.impulse = load(state.friction_impulse_Ns[static_cast<size_t>(index)].lane + lane);
        fr.side = load(state.friction_side[static_cast<size_t>(index)].lane + lane);
    }

    void prepare_contacts(const Frames& f, const LaneState& state, const StepInput& input, double step) {
        for (int i = 0; i < n(); ++i) {
            Friction& fr = pivot_friction[i];
            prepare_friction(state, i, fr);
            fr.bound = h * load(model.body[static_cast<size_t>(i)].dry.lane + lane);
            fr.weight = set(kStickWeight) * (parent(i) == kGround ? mass[i] : min(mass[i], mass[parent(i)]));
        }
        const V reach = set(kFastest_mps * 0.5 * step + kReachMargin_m), far = set(-kOutOfReach_m);
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
                    shift = mul_add(c.frame.normal[s],
                                    load(input.shift[static_cast<size_t>(c.coordinate[s])].lane + lane), shift);
                d0 = mul_add(half_h, row_times<count>(c.frame.normal, c.coordinate, v0), shift0 - gap);
                c.base_compression = select(reachable, shift1 - gap - shift, far);
                c.speed = row_times<count>(c.frame.normal, c.coordinate, v);
                if (info.friction) tangent_speed = row_times<count>(c.frame.tangent, c.coordinate, v);
            });
            if constexpr (kCurves) {
                c.law = make_mixed_law(model.contact[i], info.curve, lane, select(reachable, d0, far), inverse_h);
            } else {
                c.law = make_felt_law(model.contact[i], lane, select(reachable, d0, far), inverse_h);
            }
            c.friction = -1;
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
    }

    /// Felts at the present v. Lanes in which a curve's tangent stood for it are in `turned`.
    void press_felts(M running) {
        turned = hn::FirstN(D(), 0);
        touching_count = 0;
        for (int a = 0; a < active_count; ++a) {
            Contact& c = active[a];
            c.d1 = neg_mul_add(half_h, c.speed, c.base_compression);
            c.felt = {zero(), zero()};
            touching[touching_count] = a;
            touching_count += none(hn::And(running, max(c.law.d0, c.d1) > zero())) ? 0 : 1;
        }
        for (int k = 0; k < touching_count; ++k) {
            Contact& c = active[touching[k]];
            if constexpr (kCurves) {
                c.felt = mean_mixed_force(c.law, c.d1, turned);
            } else {
                c.felt = mean_felt_force(c.law, c.d1);
            }
        }
    }

    /// Of a contact's tangent: local mass 1 / (sum row^2 / M_ii), the scale of the augmented Lagrangian.
    HWY_INLINE V stick_weight(const Contact& c) const {
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
    void linearise(M running) {
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
            const Contact& c = active[touching[k]];
            with_slots(c.slot_count, [&](auto count) { press<count>(c, running); });
        }
    }

    template <int kCount>
    HWY_INLINE void press(const Contact& c, M running) {
        const V stiffness = h * half_h * c.felt.slope;
        const V push = mul_add(stiffness, c.speed, h * c.felt.force);
        if (c.friction < 0) {
            add_outer<kCount>(A, c.frame.normal, c.frame.normal, stiffness, c.coordinate);
            add_row<kCount>(rhs, c.frame.normal, c.coordinate, push);
            return;
        }
        Friction& fr = contact_friction[c.friction];
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

    /// Prescribes one coordinate's end speed: its row becomes v1 = given.
    void drive(int d, V v1) {
        for (int j = 0; j < n(); ++j) A[d][j] = zero();
        A[d][d] = set(1.0);
        rhs[d] = v1;
    }

    /// x = A^-1 rhs by Gaussian elimination from the last coordinate up, only where the mechanism couples coordinates.
    /// No pivoting: mass and felts dominate the diagonal.
    HWY_INLINE void solve(V* x) {
        V inverse[kMaxBodies];
        repeat_down(n(), [&](auto k) {
            inverse[k] = set(1.0) / A[k][k];
            repeat(k, [&](auto i) {
                if (!coupled(k, i)) return;
                const V share = A[i][k] * inverse[k];
                repeat(k, [&](auto j) {
                    if (coupled(k, j)) A[i][j] = neg_mul_add(share, A[k][j], A[i][j]);
                });
                rhs[i] = neg_mul_add(share, rhs[k], rhs[i]);
            });
        });
        repeat(n(), [&](auto i) {
            V sum = rhs[i];
            repeat(i, [&](auto k) {
                if (coupled(i, k)) sum = neg_mul_add(A[i][k], x[k], sum);
            });
            x[i] = sum * inverse[i];
        });
    }

    /// Contact forces at v1, by the felts' tangents; v1 is the next v.
    void take_forces(const V* v1, M running) {
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
    M update_frictions(const V* v1, M running, bool one_by_one) {
        M changed = hn::FirstN(D(), 0);
        const auto update = [&](Friction& fr, V speed) {
            const M may_turn = one_by_one ? hn::Not(changed) : running;
            changed = hn::Or(changed, update_friction(fr, speed, running, may_turn));
        };
        repeat(n(), [&](auto i) { update(pivot_friction[i], pivot_speed(i, v1)); });
        for (int a = 0; a < active_count; ++a) {
            const Contact& c = active[a];
            if (c.friction < 0) continue;
            Friction& fr = contact_friction[c.friction];
            fr.bound = select(running, c.h_mu * c.force, fr.bound);
            V speed = zero();
            with_slots(c.slot_count, [&](auto count) { speed = row_times<count>(c.frame.tangent, c.coordinate, v1); });
            update(fr, speed);
        }
        return changed;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
