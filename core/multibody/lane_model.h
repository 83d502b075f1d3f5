// A block of kLanes mechanisms of one topology (same bodies, contacts, springs), their numbers side by side in SIMD
// lanes. Model and state are separate: a LaneModel is immutable while it is stepped, a LaneState is all that a step
// changes.
#pragma once

#include <array>
#include <span>

#include "core/multibody/mechanism.h"
#include "core/multibody/shape.h"
#include "core/simd/lanes.h"

namespace letoff::core {

inline constexpr int kMaxFrictions = kMaxBodies + kMaxContacts;
inline constexpr int kSlots = 4;  // coordinates that one contact can touch: each side's body and its parent

/// The numbers of one body in lanes. On a guide, pivot holds the guide direction.
struct LaneBody {
    LaneBlock pivot_x, pivot_y, mass, inertia, com_x, com_y, dry, viscous;
};

struct LaneContact {
    LaneBlock circle_x, circle_y, circle_radius;
    LaneBlock other_radius;      // the other circle's or the arc's; 0 for a line
    LaneBlock other_x, other_y;  // line start, other circle's centre, arc's centre
    LaneBlock dir_x, dir_y;      // unit direction of the line (corner: of the top, from its far end to the arc)
    LaneBlock length, face_length;
    LaneBlock felt_k, felt_r, felt_b, mu;
    LaneBlock felt_inverse_r1, felt_r_minus_1;  // 1 / (r + 1), r - 1
};

struct LaneSpring {
    LaneBlock stiffness, rest_angle;
};

/// What is the same in all lanes.
struct Topology {
    struct BodyInfo {
        int parent = kGround;
        bool guided = false;
    };
    struct ContactInfo {
        ContactKind kind = ContactKind::circle_line;
        int circle_body = kGround, other_body = kGround;
        bool friction = false, moving = false;
        const FeltCurve* curve = nullptr;
        int slot_count = 0;
        std::array<int, kSlots> slot_coordinate{};
        // Slots of circle body, its parent, other body, its parent; -1: none.
        std::array<int, 4> slot_of{-1, -1, -1, -1};
    };
    int bodies = 0, contacts = 0, springs = 0;
    std::array<BodyInfo, kMaxBodies> body{};
    std::array<ContactInfo, kMaxContacts> contact{};
    std::array<int, kMaxBodies> spring_body{};
    // Bit i of entry k, i < k: the momentum balance of coordinate k holds coordinate i, once all coordinates above k
    // are eliminated.
    std::array<unsigned, kMaxBodies> coupled_below{};
    Shape shape = Shape::kAny;
};

struct LaneModel {
    Topology topology;
    std::array<LaneBody, kMaxBodies> body{};
    std::array<LaneContact, kMaxContacts> contact{};
    std::array<LaneSpring, kMaxBodies> spring{};
};

/// Friction `i` is the pivot of body i for i < kMaxBodies, contact i - kMaxBodies beyond.
struct LaneState {
    std::array<LaneBlock, kMaxBodies> q{}, v{};
    std::array<LaneBlock, kMaxBodies> v_change{};                // of the last step: where Newton starts
    std::array<LaneBlock, kMaxFrictions> friction_impulse_Ns{};  // warm start
    std::array<LaneBlock, kMaxFrictions> friction_side{};  // 0 sticks, +1 / -1 slides and the impulse is at that bound
    LaneBlock phase{};  // of a lane that something else steps, by sub-models that take turns; here it is only kept
};

/// Builds the lanes; fewer than kLanes mechanisms repeat the last one. All must share one topology.
LaneModel make_lane_model(std::span<const Mechanism> keys);

/// State with every body where the drawing shows it, at rest.
LaneState drawn_state(std::span<const Mechanism> keys);

/// Copies one lane's whole state.
void copy_lane(const LaneState& from, int from_lane, LaneState& to, int to_lane);

/// Two lanes of mechanisms of one topology change places.
void exchange_lanes(LaneModel& a, int lane_a, LaneModel& b, int lane_b) noexcept;
void exchange_lanes(LaneState& a, int lane_a, LaneState& b, int lane_b) noexcept;

/// Whether a lane holds the same bits in both.
bool same_lane(const LaneState& a, const LaneState& b, int lane) noexcept;

}  // namespace letoff::core
