// The coupled problem of one step (see step.h), as a semi-smooth Newton method on the speeds at the end of the step:
//   prepare    all that the step does not change: base matrix M + viscous and spring terms, contacts within reach with
//              their frames and laws, friction rows (solver_prepare-inl.h)
//   linearise  adds the felts' tangents and the frictions as they are now: A v1 = rhs (solver_newton-inl.h)
//   solve      Gaussian elimination where the mechanism couples coordinates
//   update     each friction sticks or slides anew (solver_newton-inl.h)
#if defined(LETOFF_CORE_MULTIBODY_SOLVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#undef LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_SOLVER_INL_H_
#endif

#include <type_traits>

#include "core/multibody/contact_frame-inl.h"
#include "core/multibody/curve_force-inl.h"
#include "core/multibody/felt_force-inl.h"
#include "core/multibody/friction-inl.h"
#include "core/multibody/rows-inl.h"
#include "core/multibody/step.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// A contact that is within reach in some lane.
template <class Law>
struct ActiveContact {
    int index, slot_count;
    const int* coordinate;
    int friction;  // into Solver::contact_friction; -1: none
    bool touched;  // at the present v, in some lane that runs
    bool waits;    // its friction was left out since
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

    // solver_prepare-inl.h
    void prepare(const LaneState& state, const StepInput& input, double step);
    void prepare_base(const Frames& f, const StepInput& input);
    void prepare_friction(const LaneState& state, int index, Friction& fr) const;
    void prepare_contacts(const Frames& f, const LaneState& state, const StepInput& input, double step);

    // solver_newton-inl.h
    void press_felts(M running);
    V stick_weight(const Contact& c) const;
    void linearise(M running);
    template <int kCount>
    void press(const Contact& c, M running);
    void take_forces(const V* v1, M running);
    M update_frictions(const V* v1, M running, bool one_by_one);
};

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
