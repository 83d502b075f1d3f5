#include "core/multibody/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/multibody/step.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/multibody/solver_newton-inl.h"
#include "core/multibody/solver_prepare-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

// Bound on Newton iterations; what reaches it is counted in StepOutput and lasts one step.
constexpr int kMaxIterations = 24;
// From here on only one friction of a lane turns in an iteration, the first that would: all together can go round in a
// circle of wrong sides, one by one they come to an end (Murty's least-index rule).
constexpr int kTogether = 6;
// Newton stops when no speed changes by more than this (rad/s or m/s) or this part of itself. It converges
// quadratically: what is left in a felt's force is some 1e-9 of it.
constexpr double kSpeedTolerance = 3e-5;
constexpr double kRelativeTolerance = 3e-5;
// A mechanism all of whose speeds are below this rests (rad/s or m/s; a micrometre in 12 days). All or none: one body
// stopped alone would keep the others from coming to rest.
constexpr double kStillSpeed = 1e-12;

template <class Compiled>
void step_at(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output,
             size_t lane) {
    Solver<Compiled> s(model, h_s, lane);
    const int n = s.n();
    s.prepare(state, input, h_s);
    const int driven = input.driven_coordinate;
    const V driven_v1 = load(input.driven_v1.lane + lane);
    M running = hn::Not(hn::FirstN(D(), 0));
    V driven_force = zero(), iterations = zero();
    for (int iteration = 0; iteration < kMaxIterations && !none(running); ++iteration) {
        s.linearise(running);
        V row_d[kMaxBodies], rhs_d = zero();
        if (driven >= 0) {
            for (int j = 0; j < n; ++j) row_d[j] = s.A[driven][j];
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
        if constexpr (Solver<Compiled>::kCurves) moved = hn::Or(moved, s.turned);
        s.take_forces(v1, running);
        const M changed = s.update_frictions(v1, running, iteration >= kTogether);
        if (driven >= 0) {  // the row that was replaced gives the force it takes (Docquier et al. eq 13)
            V sum = zero() - rhs_d;
            for (int j = 0; j < n; ++j) sum = mul_add(row_d[j], v1[j], sum);
            driven_force = select(running, sum * s.inverse_h, driven_force);
        }
        for (int i = 0; i < n; ++i) s.v[i] = select(running, v1[i], s.v[i]);
        iterations = select(running, iterations + set(1.0), iterations);
        running = hn::And(running, hn::Or(moved, changed));
    }
    output.not_converged += static_cast<std::int64_t>(hn::CountTrue(D(), running));

    V fastest = zero(), fastest0 = zero();
    for (int i = 0; i < n; ++i) {
        fastest = max(fastest, abs(s.v[i]));
        fastest0 = max(fastest0, abs(s.v0[i]));
    }
    const M still = fastest < set(kStillSpeed);
    // What rested and rests keeps its friction too: a fixed point to the bit.
    const M rests = hn::And(still, fastest0 == zero());
    for (int i = 0; i < n; ++i) {
        const size_t b = static_cast<size_t>(i);
        const V v1 = select(still, zero(), s.v[i]);
        const V q1 = mul_add(s.half_h, s.v0[i] + v1, s.q0[i]) + load(input.shift[b].lane + lane);
        store(v1, state.v[b].lane + lane);
        store(v1 - s.v0[i], state.v_change[b].lane + lane);
        store(i == driven ? load(input.driven_q1.lane + lane) : q1, state.q[b].lane + lane);
    }
    const auto keep = [&](size_t f, V impulse, V side) {
        store(select(rests, load(state.friction_impulse_Ns[f].lane + lane), impulse),
              state.friction_impulse_Ns[f].lane + lane);
        store(select(rests, load(state.friction_side[f].lane + lane), side), state.friction_side[f].lane + lane);
    };
    // Contacts out of reach are without force; their frictions forget.
    bool kept[kMaxContacts] = {};
    for (int a = 0; a < s.active_count; ++a) kept[s.active[a].index] = true;
    for (size_t c = 0; c < static_cast<size_t>(s.t.contacts); ++c) {
        store(zero(), output.contact_force_N[c].lane + lane);
        store(set(-kOutOfReach_m), output.compression_m[c].lane + lane);
        if (s.t.contact[c].friction && !kept[c]) keep(kMaxBodies + c, zero(), zero());
    }
    for (int a = 0; a < s.active_count; ++a) {
        const auto& c = s.active[a];
        const size_t index = static_cast<size_t>(c.index);
        store(c.force, output.contact_force_N[index].lane + lane);
        store(neg_mul_add(s.half_h, c.speed, c.base_compression), output.compression_m[index].lane + lane);
    }
    for (int i = 0; i < n; ++i) keep(static_cast<size_t>(i), s.pivot_friction[i].impulse, s.pivot_friction[i].side);
    for (int k = 0; k < s.contact_friction_count; ++k) {
        // Without force it forgets, whether a neighbouring lane had it in reach or not.
        const Friction& fr = s.contact_friction[k];
        keep(static_cast<size_t>(fr.index), fr.impulse, select(fr.impulse == zero(), zero(), fr.side));
    }
    store(driven_force, output.driven_force.lane + lane);
    store(iterations, output.iterations.lane + lane);
}

void step_lanes(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output,
                LaneSet moving) {
    const unsigned together = (1U << width()) - 1;
    for (size_t lane = 0; lane < kLanes; lane += width()) {
        if ((moving >> lane & together) == 0) continue;
        if (model.topology.shape == Shape::kGrand) {
            step_at<GrandShape>(model, input, h_s, state, output, lane);
        } else if (model.topology.shape == Shape::kUpright) {
            step_at<UprightShape>(model, input, h_s, state, output, lane);
        } else {
            step_at<AnyShape>(model, input, h_s, state, output, lane);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::core {
HWY_EXPORT(step_lanes);

void step_lanes(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output,
                LaneSet moving) noexcept {
    HWY_DYNAMIC_DISPATCH(step_lanes)(model, input, h_s, state, output, moving);
}
}  // namespace letoff::core
#endif
