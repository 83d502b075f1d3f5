#include "core/multibody/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/multibody/step.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/multibody/solver-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Bound on Newton iterations: the mean is 2 to 4; what reaches the bound is counted in StepOutput and lasts one step.
constexpr int kMaxIterations = 24;
// Coulomb bounds follow the normal forces freely, then damped, then not at all: with fixed bounds the problem is convex
// and has one solution.
constexpr int kFreeBounds = 6, kDampedBounds = 14;
constexpr int kFreeCalm = 12,
              kDampedCalm = 18;  // where no side changes: a tail wedged in its check need not contract by itself
constexpr double kDampedShare = 0.3;
// While sides still change after a few iterations only half of a Newton step is taken: full ones can go round in a
// circle of wrong sides (seen at 1 kHz above 5 m/s, never at 4 kHz).
constexpr int kFullStrides = 3;
constexpr double kHalfStride = 0.5;
// Newton stops when no speed changes by more than this (rad/s or m/s) or this part of itself. It converges
// quadratically: what is left is below 1e-9 of a felt's force.
constexpr double kSpeedTolerance = 1e-5;
constexpr double kRelativeTolerance = 1e-6;
// Speeds below this are rest (rad/s or m/s; a micrometre in 30 years).
constexpr double kStillSpeed = 1e-15;

template <int N>
void step_at(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output,
             size_t lane) {
    Solver<N> s(model, h_s, lane);
    const int n = s.n();
    s.prepare(state, input, h_s);
    const int driven = input.driven_coordinate;
    const V driven_v1 = load(input.driven_v1.lane + lane);
    if (driven >= 0) s.v[driven] = driven_v1;
    M running = hn::Not(hn::FirstN(D(), 0)), restless = running;  // restless: a friction changed sides last time
    V force[kMaxContacts], driven_force = zero(), iterations = zero();
    for (int c = 0; c < s.t.contacts; ++c) {
        force[c] = zero();
        store(set(-kOutOfReach_m), output.compression_m[static_cast<size_t>(c)].lane + lane);
    }
    for (int iteration = 0; iteration < kMaxIterations && !none(running); ++iteration) {
        const auto share = [&](int free, int damped) {
            return set(iteration < free ? 1.0 : iteration < damped ? kDampedShare : 0.0);
        };
        s.linearise(running, select(restless, share(kFreeBounds, kDampedBounds), share(kFreeCalm, kDampedCalm)));
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
            const V change = s.normal_speed(c, v1) - s.normal_speed(c, s.v);
            const V linear = max(neg_mul_add(s.half_h * s.felt[c].slope, change, s.felt[c].force), zero());
            force[c] = select(running, linear, force[c]);
        }
        const M changed = s.update_frictions(v1, running);
        restless = changed;
        if (driven >= 0) {  // the row that was replaced gives the force it takes (Docquier et al. eq 13)
            V sum = zero() - rhs_d;
            for (int j = 0; j < n; ++j) sum = mul_add(row_d[j], v1[j], sum);
            driven_force = select(running, sum * s.inverse_h, driven_force);
        }
        const V stride = select(restless, set(iteration < kFullStrides ? 1.0 : kHalfStride), set(1.0));
        for (int i = 0; i < n; ++i) s.v[i] = select(running, mul_add(stride, v1[i] - s.v[i], s.v[i]), s.v[i]);
        iterations = select(running, iterations + set(1.0), iterations);
        running = hn::And(running, hn::Or(moved, changed));
    }
    output.not_converged += static_cast<std::int64_t>(hn::CountTrue(D(), running));

    for (int i = 0; i < n; ++i) {
        const size_t b = static_cast<size_t>(i);
        const V v1 = select(abs(s.v[i]) < set(kStillSpeed), zero(), s.v[i]);
        const V q1 = mul_add(s.half_h, s.v0[i] + v1, s.q0[i]) + load(input.shift[b].lane + lane);
        store(v1, state.v[b].lane + lane);
        store(v1 - s.v0[i], state.v_change[b].lane + lane);
        store(i == driven ? load(input.driven_q1.lane + lane) : q1, state.q[b].lane + lane);
    }
    // Frictions of contacts out of reach forget, like those of contacts without force.
    for (int c = 0; c < s.t.contacts; ++c) {
        store(force[c], output.contact_force_N[static_cast<size_t>(c)].lane + lane);
        if (!s.info(c).friction) continue;
        store(zero(), state.friction_impulse_Ns[static_cast<size_t>(kMaxBodies + c)].lane + lane);
        store(zero(), state.friction_side[static_cast<size_t>(kMaxBodies + c)].lane + lane);
    }
    for (int k = 0; k < s.friction_count; ++k) {
        const size_t f = static_cast<size_t>(s.friction[k].index);
        store(s.friction[k].impulse, state.friction_impulse_Ns[f].lane + lane);
        store(s.friction[k].side, state.friction_side[f].lane + lane);
    }
    for (int a = 0; a < s.active_count; ++a) {
        const int c = s.active[a];
        store(neg_mul_add(s.half_h, s.normal_speed(c, s.v), s.base_compression[c]),
              output.compression_m[static_cast<size_t>(c)].lane + lane);
    }
    store(driven_force, output.driven_force.lane + lane);
    store(iterations, output.iterations.lane + lane);
}

void step_lanes(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output) {
    constexpr int kGrandWithFinger = 7;
    for (size_t lane = 0; lane < kLanes; lane += width()) {
        if (model.topology.bodies == kGrandWithFinger) {
            step_at<kGrandWithFinger>(model, input, h_s, state, output, lane);
        } else {
            step_at<0>(model, input, h_s, state, output, lane);
        }
    }
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
