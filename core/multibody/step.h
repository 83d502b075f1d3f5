// One time step of a block of mechanisms, at the velocity level, implicit, friction set-valued.
//
//   M(q) dv = (gravity, velocity, spring and viscous terms) dt + sum J_n^T F dt + sum J_t^T dl  (Thorin et al. eq 2.12)
//
// From (q0, v0) to (q1, v1) with q1 = q0 + h (v0 + v1)/2 (implicit midpoint, second order):
//   - M, J_n, J_t and the gaps are taken once, at the predicted midpoint q0 + h v0 / 2; gaps are linear in q round it
//     (error third order in h for each step);
//   - felt: F = (U(d1) - U(d0))/(d1 - d0) + b (d1^3 - d0^3)/(3 h), clamped >= 0, U' = k d^r: the law of eq 2.6
//     integrated over the step, so the elastic part neither makes nor loses energy;
//   - dry friction, in pivots and contacts: an impulse l with |l| <= bound; the tangential velocity at the end of the
//     step is exactly zero where |l| < bound, else l opposes it (eqs 2.3, 2.7, 2.11). Bounds: h c_d, and h mu F of the
//     same step.
// The coupled problem is solved by a semi-smooth Newton method, warm-started: felts by their tangents; a sliding
// contact pushes along n + side mu t, so that its friction follows its normal force within the solution; sticking
// frictions as rows J_t v1 = 0 of an augmented Lagrangian (weight kStickWeight times the local mass); stick or slide
// decided by multiplier and velocity sign. Each lane stops on its own, so its result does not depend on its neighbours.
#pragma once

#include <array>
#include <cstdint>

#include "core/multibody/lane_model.h"

namespace letoff::core {

struct StepInput {
    std::array<LaneBlock, kMaxBodies> force{};  // generalised force on each coordinate, mean over the step (N m or N)
    // Added to q1: the part of a stroke that was resolved on a finer grid (rad or m).
    std::array<LaneBlock, kMaxBodies> shift{};
    // Moving contacts: how far the circle has come nearer, at the start and at the end of the step.
    std::array<LaneBlock, kMaxContacts> gap_shift0_m{}, gap_shift1_m{};
    int driven_coordinate = -1;  // position drive: this coordinate is prescribed (Docquier et al. eqs 9-13)
    LaneBlock driven_q1{}, driven_v1{};
    // A coordinate tied to something outside by an implicit spring k and damper c: their force at the middle of the
    // step hangs on the mean speed by k h / 2 + c, a drag given here; the rest of it is in `force`. And the other side
    // may bring inertia of its own (negative: what it has already, so that the coordinate must not).
    int tied_coordinate = -1;
    LaneBlock tied_drag{}, tied_inertia{};
};

struct StepOutput {
    std::array<LaneBlock, kMaxContacts> contact_force_N{};  // mean over the step, >= 0
    std::array<LaneBlock, kMaxContacts> compression_m{};    // at the end of the step; negative = gap
    LaneBlock driven_force{};  // generalised force that the drive must exert, mean over the step
    LaneBlock iterations{};
    std::int64_t not_converged = 0;  // lanes stopped by kMaxIterations, summed since reset by the caller
};

/// One bit a lane.
using LaneSet = std::uint8_t;
inline constexpr LaneSet kAllLanes = 0xFF;
static_assert(kLanes == 8);

/// Real-time safe. The lanes of `moving` are stepped, others may be: a lane left out must hold a fixed point, which a
/// step does not change. Lanes that no key owns repeat a real one.
void step_lanes(const LaneModel& model, const StepInput& input, double h_s, LaneState& state, StepOutput& output,
                LaneSet moving = kAllLanes) noexcept;

}  // namespace letoff::core
