#include "core/multibody/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/multibody/step.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/multibody/kinematics-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Bound on Newton iterations: the mean is 2 to 4; what reaches the bound is counted in StepOutput and lasts one step.
constexpr int kMaxIterations = 24;
// Coulomb bounds follow the normal forces freely, then damped, then not at all: with fixed bounds the problem is convex
// and has one solution.
constexpr int kFreeBounds = 6;
constexpr int kDampedBounds = 14;
// Newton stops when no coordinate speed changes by more than this (rad/s or m/s): 1e-8 m/s at the hammer head,
// quadratically converged.
constexpr double kSpeedTolerance = 1e-7;
constexpr double kRelativeTolerance = 1e-9;
// Weight of a sticking row against the local mass: leaves 1/1000 of the row's error to the next iteration, which
// removes it again.
constexpr double kStickWeight = 1e3;
// A sticking impulse that would change by less than this part of its bound keeps its value, so a key at rest is a fixed
// point to the bit.
constexpr double kImpulseStill = 1e-11;
// Speeds below this are rest (rad/s or m/s; a micrometre in 30 years).
constexpr double kStillSpeed = 1e-15;
// Contacts farther away than a body can travel in half a step at this speed, plus the margin, are out of reach.
constexpr double kFastest_mps = 20.0;
constexpr double kReachMargin_m = 5e-4;
// Below this relative change of compression the mean felt force is the trapezoid rule: there the difference quotient
// loses more digits (1e-16/1e-5) than the trapezoid's own error (1e-10).
constexpr double kSmallChange = 1e-5;

struct FeltForce {
    V force, slope;  // N; dF / d(end compression)
};

/// Mean of k d^r + b d^2 d' over the step, from compression d0 (elastic force f0) to d1.
HWY_INLINE FeltForce mean_felt_force(V d0, V f0, V d1, V k, V r, V b, V inverse_h) {
    const V in0 = max(d0, zero()), in1 = max(d1, zero());
    const V f1 = k * pow_positive(in1, r);
    const V change = d1 - d0;
    const V inverse_r1 = set(1.0) / (r + set(1.0));
    const M small = abs(change) <= set(kSmallChange) * max(in0, in1);
    const V safe = select(small, set(1.0), change);
    const V quotient = neg_mul_add(in0, f0, in1 * f1) * inverse_r1 / safe;
    const V mean = select(small, set(0.5) * (f0 + f1), quotient);
    const V tangent = select(in1 > zero(), set(0.5) * r * f1 / max(in1, set(1e-12)), zero());
    const V mean_slope = select(small, tangent, (f1 - quotient) / safe);
    const V b_h = b * inverse_h;
    const V damping = b_h * set(1.0 / 3.0) * neg_mul_add(in0 * in0, in0, in1 * in1 * in1);
    FeltForce out;
    const V total = mean + damping;
    const M pushes = hn::And(total > zero(), hn::Or(in0 > zero(), in1 > zero()));
    out.force = select(pushes, total, zero());
    out.slope = select(pushes, max(mul_add(b_h * in1, in1, mean_slope), zero()), zero());
    return out;
}

/// One friction row of the block: where it acts, its warm-started impulse and side.
struct Friction {
    int contact;  // -1: pivot
    int index;    // into LaneState
    int slot_count;
    int coordinate[kSlots];
    V row[kSlots];
    V impulse, side, bound, weight;
};

struct Solver {
    const LaneModel& model;
    const Topology& t;
    size_t lane;
    V h, half_h, inverse_h;
    int n;
    int active[kMaxContacts];
    int active_count = 0;
    ContactFrame frame[kMaxContacts];
    V d0[kMaxContacts], f0[kMaxContacts],
        base[kMaxContacts];  // start compression and elastic force; end compression without v1
    FeltForce felt[kMaxContacts];
    M reachable[kMaxContacts];
    Friction friction[kMaxFrictions];
    int friction_count = 0;
    Inertia inertia;
    V v0[kMaxBodies], v[kMaxBodies], q0[kMaxBodies];
    V constant[kMaxBodies];  // M v0 + h (gravity + input force)
    V A[kMaxBodies][kMaxBodies], rhs[kMaxBodies];
    V spring_constant[kMaxBodies];

    Solver(const LaneModel& m, double step, size_t first_lane)
        : model(m),
          t(m.topology),
          lane(first_lane),
          h(set(step)),
          half_h(set(0.5 * step)),
          inverse_h(set(1.0 / step)),
          n(m.topology.bodies) {}

    const LaneContact& contact(int c) const { return model.contact[static_cast<size_t>(c)]; }
    const Topology::ContactInfo& info(int c) const { return t.contact[static_cast<size_t>(c)]; }

    HWY_INLINE V row_times(const V* row, const int* coordinate, int count, const V* x) const {
        V sum = zero();
        for (int s = 0; s < count; ++s) sum = mul_add(row[s], x[coordinate[s]], sum);
        return sum;
    }

    void prepare(const LaneState& state, const StepInput& input, double step) {
        V q[kMaxBodies];
        for (int i = 0; i < n; ++i) {
            q0[i] = load(state.q[static_cast<size_t>(i)].lane + lane);
            v0[i] = v[i] = load(state.v[static_cast<size_t>(i)].lane + lane);
            q[i] = mul_add(half_h, v0[i], q0[i]);
        }
        Frames f;
        make_frames(model, q, lane, f);
        make_inertia(model, f, lane, inertia);
        for (int i = 0; i < n; ++i) {
            V sum = zero();
            for (int j = 0; j < n; ++j) sum = mul_add(j <= i ? inertia.M[i][j] : inertia.M[j][i], v0[j], sum);
            constant[i] = mul_add(h, inertia.gravity[i] + load(input.force[static_cast<size_t>(i)].lane + lane), sum);
        }
        const V reach = set(kFastest_mps * 0.5 * step + kReachMargin_m);
        for (int c = 0; c < t.contacts; ++c) {
            ContactFrame& cf = frame[c];
            make_contact(model, f, c, lane, cf);
            const V shift0 = load(input.gap_shift0_m[static_cast<size_t>(c)].lane + lane);
            const V shift1 = load(input.gap_shift1_m[static_cast<size_t>(c)].lane + lane);
            reachable[c] = cf.gap - max(shift0, shift1) < reach;
            if (none(reachable[c])) continue;
            active[active_count++] = c;
            const int count = info(c).slot_count;
            const int* coordinate = info(c).slot_coordinate.data();
            const V travel = half_h * row_times(cf.normal, coordinate, count, v0);
            V shift = zero();
            for (int s = 0; s < count; ++s) {
                shift = mul_add(cf.normal[s], load(input.shift[static_cast<size_t>(coordinate[s])].lane + lane), shift);
            }
            const V far = set(-kOutOfReach_m);
            d0[c] = select(reachable[c], travel - cf.gap + shift0, far);
            base[c] = select(reachable[c], zero() - cf.gap + shift1 - shift, far);
            f0[c] = load(contact(c).felt_k.lane + lane) *
                    pow_positive(max(d0[c], zero()), load(contact(c).felt_r.lane + lane));
        }
        prepare_frictions(state);
    }

    void prepare_frictions(const LaneState& state) {
        const auto add = [&](int index, int contact_index) -> Friction& {
            Friction& fr = friction[friction_count++];
            fr.contact = contact_index;
            fr.index = index;
            fr.impulse = load(state.friction_impulse_Ns[static_cast<size_t>(index)].lane + lane);
            fr.side = load(state.friction_side[static_cast<size_t>(index)].lane + lane);
            return fr;
        };
        for (int i = 0; i < n; ++i) {
            Friction& fr = add(i, -1);
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
            Friction& fr = add(kMaxBodies + c, c);
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
                mobility =
                    mul_add(fr.row[s] * fr.row[s], set(1.0) / inertia.M[fr.coordinate[s]][fr.coordinate[s]], mobility);
            fr.weight = set(kStickWeight) / mobility;
        }
    }

    /// Rank-one update of the lower triangle.
    HWY_INLINE void add_outer(const V* row, const int* coordinate, int count, V weight) {
        for (int a = 0; a < count; ++a) {
            const V wa = weight * row[a];
            for (int b = 0; b <= a; ++b) {
                const int i = coordinate[a], j = coordinate[b];
                V& entry = i >= j ? A[i][j] : A[j][i];
                entry = mul_add(wa, row[b], entry);
            }
        }
    }

    HWY_INLINE void add_row(const V* row, const int* coordinate, int count, V scale) {
        for (int s = 0; s < count; ++s) rhs[coordinate[s]] = mul_add(row[s], scale, rhs[coordinate[s]]);
    }

    /// Linearised momentum balance at the present v: A v1 = rhs.
    /// Lanes that have stopped keep their friction as it is.
    void linearise(M running, double bound_share) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) A[i][j] = inertia.M[i][j];
            rhs[i] = constant[i];
        }
        for (int i = 0; i < n; ++i) {
            const LaneBody& b = model.body[static_cast<size_t>(i)];
            const int parent = t.body[static_cast<size_t>(i)].parent;
            // Viscous pivot friction at the mean speed: half at v0, half at v1.
            const V c = half_h * load(b.viscous.lane + lane);
            const int coordinate[2] = {i, parent};
            const V row[2] = {set(1.0), set(-1.0)};
            const int count = parent == kGround ? 1 : 2;
            add_outer(row, coordinate, count, c);
            add_row(row, coordinate, count, zero() - c * row_times(row, coordinate, count, v0));
            if (parent == kGround) continue;
            const V vi = set(0.5) * (v0[i] + v[i]), vp = set(0.5) * (v0[parent] + v[parent]);
            const V hx = h * inertia.cross[i];
            rhs[parent] = mul_add(hx, vi * vi, rhs[parent]);
            rhs[i] = neg_mul_add(hx, vp * vp, rhs[i]);
        }
        for (int s = 0; s < t.springs; ++s) {
            // Spring at the midpoint q0 + h (v0 + v1) / 4.
            const int i = t.spring_body[static_cast<size_t>(s)];
            const int parent = t.body[static_cast<size_t>(i)].parent;
            const int coordinate[2] = {i, parent};
            const V row[2] = {set(1.0), set(-1.0)};
            const int count = parent == kGround ? 1 : 2;
            const V stiffness = load(model.spring[static_cast<size_t>(s)].stiffness.lane + lane);
            const V quarter = set(0.5) * half_h;
            const V stretch = mul_add(quarter, row_times(row, coordinate, count, v0),
                                      row_times(row, coordinate, count, q0) -
                                          load(model.spring[static_cast<size_t>(s)].rest_angle.lane + lane));
            add_outer(row, coordinate, count, h * quarter * stiffness);
            add_row(row, coordinate, count, zero() - h * stiffness * stretch);
        }
        for (int a = 0; a < active_count; ++a) {
            const int c = active[a];
            const int count = info(c).slot_count;
            const int* coordinate = info(c).slot_coordinate.data();
            const LaneContact& lc = contact(c);
            const V speed = row_times(frame[c].normal, coordinate, count, v);
            const V d1 = neg_mul_add(half_h, speed, base[c]);
            felt[c] = mean_felt_force(d0[c], f0[c], d1, load(lc.felt_k.lane + lane), load(lc.felt_r.lane + lane),
                                      load(lc.felt_b.lane + lane), inverse_h);
            const V stiffness = h * half_h * felt[c].slope;
            add_outer(frame[c].normal, coordinate, count, stiffness);
            add_row(frame[c].normal, coordinate, count, mul_add(stiffness, speed, h * felt[c].force));
        }
        for (int k = 0; k < friction_count; ++k) {
            Friction& fr = friction[k];
            if (fr.contact >= 0) {
                const V coulomb = h * load(contact(fr.contact).mu.lane + lane) * felt[fr.contact].force;
                fr.bound = select(running, mul_add(set(bound_share), coulomb - fr.bound, fr.bound), fr.bound);
            }
            const M sticks = hn::And(fr.side == zero(), fr.bound > zero());
            const V centre = clamp(fr.impulse, zero() - fr.bound, fr.bound);
            fr.impulse = select(running, select(fr.side == zero(), centre, fr.side * fr.bound), fr.impulse);
            add_row(fr.row, fr.coordinate, fr.slot_count, fr.impulse);
            if (none(sticks)) continue;
            add_outer(fr.row, fr.coordinate, fr.slot_count, select(sticks, fr.weight, zero()));
        }
    }

    /// Prescribes one coordinate's end speed: its row becomes v1 = given, its column moves to the right-hand side.
    void drive(int d, V v1) {
        for (int i = 0; i < n; ++i) {
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
        for (int j = 0; j < n; ++j) {
            V scaled[kMaxBodies];
            V d = A[j][j];
            for (int k = 0; k < j; ++k) {
                scaled[k] = A[j][k] * A[k][k];
                d = neg_mul_add(A[j][k], scaled[k], d);
            }
            A[j][j] = d;
            inverse[j] = set(1.0) / d;
            for (int i = j + 1; i < n; ++i) {
                V sum = A[i][j];
                for (int k = 0; k < j; ++k) sum = neg_mul_add(A[i][k], scaled[k], sum);
                A[i][j] = sum * inverse[j];
            }
        }
        for (int i = 0; i < n; ++i) {
            x[i] = rhs[i];
            for (int k = 0; k < i; ++k) x[i] = neg_mul_add(A[i][k], x[k], x[i]);
        }
        for (int i = n - 1; i >= 0; --i) {
            x[i] = x[i] * inverse[i];
            for (int k = i + 1; k < n; ++k) x[i] = neg_mul_add(A[k][i], x[k], x[i]);
        }
    }

    /// New sides and impulses of all frictions for the solved speeds; returns the lanes where a side changed.
    M update_frictions(const V* v1, M running) {
        M changed = hn::FirstN(D(), 0);
        for (int k = 0; k < friction_count; ++k) {
            Friction& fr = friction[k];
            const V speed = row_times(fr.row, fr.coordinate, fr.slot_count, v1);
            const M held = hn::And(fr.side == zero(), fr.bound > zero());
            const V step = fr.weight * speed;
            const V candidate = select(abs(step) <= set(kImpulseStill) * fr.bound, fr.impulse, fr.impulse - step);
            const M over = hn::And(held, candidate > fr.bound), under = hn::And(held, candidate < zero() - fr.bound);
            // A sliding row whose speed turned sticks next; its impulse, at the bound, is the centre it starts from.
            const M turned = hn::And(fr.side * speed > zero(), fr.bound > zero());
            V side = select(over, set(1.0), select(under, set(-1.0), fr.side));
            side = select(turned, zero(), side);
            const V impulse = select(held, clamp(candidate, zero() - fr.bound, fr.bound), fr.impulse);
            const M idle = fr.bound <= zero();
            side = select(idle, zero(), side);
            changed = hn::Or(changed, hn::And(running, hn::Not(side == fr.side)));
            fr.side = select(running, side, fr.side);
            fr.impulse = select(running, select(idle, zero(), impulse), fr.impulse);
        }
        return changed;
    }
};

void step_lanes_at(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output,
                   size_t lane) {
    Solver s(model, h_s, lane);
    const int n = s.n;
    s.prepare(state, input, h_s);
    const int driven = input.driven_coordinate;
    const V driven_v1 = load(input.driven_v1.lane + lane);
    if (driven >= 0) s.v[driven] = driven_v1;
    M running = hn::Not(hn::FirstN(D(), 0));
    V force[kMaxContacts], d1[kMaxContacts], driven_force = zero(), iterations = zero();
    for (int i = 0; i < kMaxContacts; ++i) force[i] = zero();
    for (int iteration = 0; iteration < kMaxIterations && !none(running); ++iteration) {
        s.linearise(running, iteration < kFreeBounds ? 1.0 : iteration < kDampedBounds ? 0.3 : 0.0);
        V row_d[kMaxBodies], rhs_d = zero();
        if (driven >= 0) {
            for (int j = 0; j < n; ++j) row_d[j] = j <= driven ? s.A[driven][j] : s.A[j][driven];
            rhs_d = s.rhs[driven];
            s.drive(driven, driven_v1);
        }
        V v1[kMaxBodies];
        s.solve(v1);
        M moved = hn::FirstN(D(), 0);
        for (int i = 0; i < n; ++i) {
            const V tolerance = mul_add(set(kRelativeTolerance), abs(v1[i]), set(kSpeedTolerance));
            moved = hn::Or(moved, abs(v1[i] - s.v[i]) > tolerance);
        }
        for (int a = 0; a < s.active_count; ++a) {
            const int c = s.active[a];
            const int count = s.info(c).slot_count;
            const int* coordinate = s.info(c).slot_coordinate.data();
            const V speed1 = s.row_times(s.frame[c].normal, coordinate, count, v1);
            const V change = speed1 - s.row_times(s.frame[c].normal, coordinate, count, s.v);
            const V linear = max(neg_mul_add(s.half_h * s.felt[c].slope, change, s.felt[c].force), zero());
            force[c] = select(running, linear, force[c]);
        }
        const M changed = s.update_frictions(v1, running);
        if (driven >= 0) {
            V sum = zero() - rhs_d;
            for (int j = 0; j < n; ++j) sum = mul_add(row_d[j], v1[j], sum);
            driven_force = select(running, sum * s.inverse_h, driven_force);
        }
        for (int i = 0; i < n; ++i) s.v[i] = select(running, v1[i], s.v[i]);
        iterations = select(running, iterations + set(1.0), iterations);
        running = hn::And(running, hn::Or(moved, changed));
    }
    output.not_converged += static_cast<std::int64_t>(hn::CountTrue(D(), running));
    for (int i = 0; i < n; ++i) {
        const size_t b = static_cast<size_t>(i);
        V v1 = select(abs(s.v[i]) < set(kStillSpeed), zero(), s.v[i]);
        V q1 = mul_add(s.half_h, s.v0[i] + v1, s.q0[i]) + load(input.shift[b].lane + lane);
        if (i == driven) q1 = load(input.driven_q1.lane + lane);
        store(v1, state.v[b].lane + lane);
        store(q1, state.q[b].lane + lane);
    }
    for (int k = 0; k < s.friction_count; ++k) {
        const size_t f = static_cast<size_t>(s.friction[k].index);
        store(s.friction[k].impulse, state.friction_impulse_Ns[f].lane + lane);
        store(s.friction[k].side, state.friction_side[f].lane + lane);
    }
    for (int c = 0; c < s.t.contacts; ++c) {
        d1[c] = set(-kOutOfReach_m);
    }
    for (int a = 0; a < s.active_count; ++a) {
        const int c = s.active[a];
        const V speed = s.row_times(s.frame[c].normal, s.info(c).slot_coordinate.data(), s.info(c).slot_count, s.v);
        d1[c] = neg_mul_add(s.half_h, speed, s.base[c]);
    }
    for (int c = 0; c < s.t.contacts; ++c) {
        store(force[c], output.contact_force_N[static_cast<size_t>(c)].lane + lane);
        store(d1[c], output.compression_m[static_cast<size_t>(c)].lane + lane);
        const bool idle = [&] {
            for (int a = 0; a < s.active_count; ++a) {
                if (s.active[a] == c) return false;
            }
            return true;
        }();
        if (idle && s.info(c).friction) {  // the same as an active contact without force: no memory of old friction
            store(zero(), state.friction_impulse_Ns[static_cast<size_t>(kMaxBodies + c)].lane + lane);
            store(zero(), state.friction_side[static_cast<size_t>(kMaxBodies + c)].lane + lane);
        }
    }
    store(driven_force, output.driven_force.lane + lane);
    store(iterations, output.iterations.lane + lane);
}

void step_lanes(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output) {
    for (size_t lane = 0; lane < kLanes; lane += width()) step_lanes_at(model, input, h_s, state, output, lane);
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::core {
HWY_EXPORT(step_lanes);

void step_lanes(const LaneModel& model, const StepInput& input, double h_s, LaneState& state,
                StepOutput& output) noexcept {
    HWY_DYNAMIC_DISPATCH(step_lanes)(model, input, h_s, state, output);
}
}  // namespace letoff::core
#endif
