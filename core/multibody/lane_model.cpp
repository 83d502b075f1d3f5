#include "core/multibody/lane_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace letoff::core {
namespace {

int find_name(const auto& items, const std::string& name) {
    for (size_t i = 0; i < items.size(); ++i) {
        if (items[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

int slot_for(Topology::ContactInfo& info, int coordinate) {
    for (int s = 0; s < info.slot_count; ++s) {
        if (info.slot_coordinate[static_cast<size_t>(s)] == coordinate) return s;
    }
    info.slot_coordinate[static_cast<size_t>(info.slot_count)] = coordinate;
    return info.slot_count++;
}

/// Which coordinates meet in the equations, with what elimination from the last one up fills in.
void find_coupling(Topology& t) {
    const auto couple = [&](int a, int b) {
        if (a == kGround || b == kGround || a == b) return;
        t.coupled_below[static_cast<size_t>(std::max(a, b))] |= 1U << std::min(a, b);
    };
    for (int i = 0; i < t.bodies; ++i) couple(i, t.body[static_cast<size_t>(i)].parent);
    for (size_t c = 0; c < static_cast<size_t>(t.contacts); ++c) {
        const Topology::ContactInfo& info = t.contact[c];
        for (size_t a = 0; a < static_cast<size_t>(info.slot_count); ++a) {
            for (size_t b = 0; b < a; ++b) couple(info.slot_coordinate[a], info.slot_coordinate[b]);
        }
    }
    for (int k = t.bodies - 1; k > 0; --k) {
        const unsigned row = t.coupled_below[static_cast<size_t>(k)];
        for (int i = 0; i < k; ++i) {
            for (int j = 0; j < i; ++j) {
                if ((row >> i & 1U) != 0 && (row >> j & 1U) != 0) couple(i, j);
            }
        }
    }
}

template <class Compiled>
bool has_shape(const Topology& t) {
    if (t.bodies != Compiled::kBodies) return false;
    for (size_t i = 0; i < Compiled::kBodies; ++i) {
        if (t.body[i].parent != Compiled::kParent[i] || t.coupled_below[i] != Compiled::kCoupledBelow[i]) return false;
    }
    return true;
}

Topology make_topology(const Mechanism& m) {
    Topology t;
    t.bodies = static_cast<int>(m.bodies.size());
    t.contacts = static_cast<int>(m.contacts.size());
    t.springs = static_cast<int>(m.springs.size());
    for (size_t i = 0; i < m.bodies.size(); ++i) t.body[i] = {m.bodies[i].parent, m.bodies[i].guided};
    for (size_t i = 0; i < m.springs.size(); ++i) t.spring_body[i] = m.springs[i].body;
    for (size_t i = 0; i < m.contacts.size(); ++i) {
        const Contact& c = m.contacts[i];
        Topology::ContactInfo& info = t.contact[i];
        info.kind = c.kind;
        info.circle_body = c.circle_body;
        info.other_body = c.other_body;
        info.friction = c.mu > 0;
        info.moving = c.moving;
        info.curve = c.curve;
        const int sides[2] = {c.circle_body, c.other_body};
        for (size_t side = 0; side < 2; ++side) {
            const int body = sides[side];
            if (body == kGround) continue;
            info.slot_of[2 * side] = slot_for(info, body);
            const int parent = m.bodies[static_cast<size_t>(body)].parent;
            if (parent != kGround) info.slot_of[2 * side + 1] = slot_for(info, parent);
        }
    }
    find_coupling(t);
    const bool curves = std::any_of(m.contacts.begin(), m.contacts.end(), [](const Contact& c) { return c.curve; });
    if (!curves && has_shape<GrandShape>(t)) t.shape = Shape::kGrand;
    if (has_shape<UprightShape>(t)) t.shape = Shape::kUpright;
    return t;
}

void set_body(LaneBody& out, const Body& b, int l) {
    out.pivot_x.lane[l] = b.guided ? b.guide.x_m : b.pivot.x_m;
    out.pivot_y.lane[l] = b.guided ? b.guide.y_m : b.pivot.y_m;
    out.mass.lane[l] = b.mass_kg;
    out.inertia.lane[l] = b.guided ? b.mass_kg : b.inertia_kgm2;
    out.com_x.lane[l] = b.com.x_m;
    out.com_y.lane[l] = b.com.y_m;
    out.dry.lane[l] = b.dry_friction;
    out.viscous.lane[l] = b.viscous;
}

void set_contact(LaneContact& out, const Contact& c, int l) {
    out.circle_x.lane[l] = c.circle_centre.x_m;
    out.circle_y.lane[l] = c.circle_centre.y_m;
    out.circle_radius.lane[l] = c.circle_radius_m;
    out.felt_k.lane[l] = c.felt.k;
    out.felt_r.lane[l] = c.felt.r;
    out.felt_inverse_r1.lane[l] = 1.0 / (c.felt.r + 1.0);
    out.felt_r_minus_1.lane[l] = c.felt.r - 1.0;
    out.felt_b.lane[l] = c.felt.b;
    out.mu.lane[l] = c.mu;
    if (c.kind == ContactKind::circle_line) {
        const double dx = c.line_to.x_m - c.line_from.x_m, dy = c.line_to.y_m - c.line_from.y_m;
        const double length = std::sqrt(dx * dx + dy * dy);
        out.other_x.lane[l] = c.line_from.x_m;
        out.other_y.lane[l] = c.line_from.y_m;
        out.dir_x.lane[l] = dx / length;
        out.dir_y.lane[l] = dy / length;
        out.length.lane[l] = length;
        return;
    }
    out.other_x.lane[l] = c.other_centre.x_m;
    out.other_y.lane[l] = c.other_centre.y_m;
    out.other_radius.lane[l] = c.other_radius_m;
    // The top runs towards the arc; its normal is that direction turned by +90 degrees.
    out.dir_x.lane[l] = c.top_normal.y_m;
    out.dir_y.lane[l] = -c.top_normal.x_m;
    out.length.lane[l] = c.top_length_m;
    out.face_length.lane[l] = c.face_length_m;
}

/// f(block of a, block of b) for everything in a state, until it says false.
template <typename State, typename F>
bool for_each_block(State& a, State& b, const F& f) {
    const auto all = [&](auto& x, auto& y) {
        for (size_t i = 0; i < x.size(); ++i) {
            if (!f(x[i], y[i])) return false;
        }
        return true;
    };
    return all(a.v, b.v) && all(a.q, b.q) && all(a.v_change, b.v_change) &&
           all(a.friction_impulse_Ns, b.friction_impulse_Ns) && all(a.friction_side, b.friction_side) &&
           f(a.phase, b.phase);
}

}  // namespace

int Mechanism::body(const std::string& name) const {
    return find_name(bodies, name);
}
int Mechanism::contact(const std::string& name) const {
    return find_name(contacts, name);
}

LaneModel make_lane_model(std::span<const Mechanism> keys) {
    LaneModel model;
    model.topology = make_topology(keys[0]);
    for (int l = 0; l < kLanes; ++l) {
        const Mechanism& m = keys[std::min(static_cast<size_t>(l), keys.size() - 1)];
        for (size_t i = 0; i < m.bodies.size(); ++i) set_body(model.body[i], m.bodies[i], l);
        for (size_t i = 0; i < m.contacts.size(); ++i) {
            set_contact(model.contact[i], m.contacts[i], l);
            model.topology.contact[i].friction |= m.contacts[i].mu > 0;
        }
        for (size_t i = 0; i < m.springs.size(); ++i) {
            model.spring[i].stiffness.lane[l] = m.springs[i].stiffness_Nm_per_rad;
            model.spring[i].rest_angle.lane[l] = m.springs[i].rest_angle_rad;
        }
    }
    return model;
}

LaneState drawn_state(std::span<const Mechanism> keys) {
    LaneState state;
    for (int l = 0; l < kLanes; ++l) {
        const Mechanism& m = keys[std::min(static_cast<size_t>(l), keys.size() - 1)];
        for (size_t i = 0; i < m.bodies.size(); ++i) state.q[i].lane[l] = m.bodies[i].drawn_coordinate;
    }
    return state;
}

void exchange_lanes(LaneModel& a, int lane_a, LaneModel& b, int lane_b) noexcept {
    for (size_t i = 0; i < static_cast<size_t>(a.topology.contacts); ++i) {
        const bool friction = a.topology.contact[i].friction || b.topology.contact[i].friction;
        a.topology.contact[i].friction = b.topology.contact[i].friction = friction;
    }
    const auto exchange = [&](LaneBlock& x, LaneBlock& y) { std::swap(x.lane[lane_a], y.lane[lane_b]); };
    const auto exchange_all = [&](auto& x, auto& y, int count, const auto&... member) {
        for (size_t i = 0; i < static_cast<size_t>(count); ++i) (exchange(x[i].*member, y[i].*member), ...);
    };
    using B = LaneBody;
    exchange_all(a.body, b.body, a.topology.bodies, &B::pivot_x, &B::pivot_y, &B::mass, &B::inertia, &B::com_x,
                 &B::com_y, &B::dry, &B::viscous);
    using C = LaneContact;
    exchange_all(a.contact, b.contact, a.topology.contacts, &C::circle_x, &C::circle_y, &C::circle_radius,
                 &C::other_radius, &C::other_x, &C::other_y, &C::dir_x, &C::dir_y, &C::length, &C::face_length,
                 &C::felt_k, &C::felt_r, &C::felt_b, &C::mu, &C::felt_inverse_r1, &C::felt_r_minus_1);
    using S = LaneSpring;
    exchange_all(a.spring, b.spring, a.topology.springs, &S::stiffness, &S::rest_angle);
    static_assert(
        sizeof(B) == 8 * sizeof(LaneBlock) && sizeof(C) == 16 * sizeof(LaneBlock) && sizeof(S) == 2 * sizeof(LaneBlock),
        "every number of a lane is named above");
}

void exchange_lanes(LaneState& a, int lane_a, LaneState& b, int lane_b) noexcept {
    for_each_block(a, b, [&](LaneBlock& x, LaneBlock& y) {
        std::swap(x.lane[lane_a], y.lane[lane_b]);
        return true;
    });
}

bool same_lane(const LaneState& a, const LaneState& b, int lane) noexcept {
    return for_each_block(a, b, [&](const LaneBlock& x, const LaneBlock& y) {
        return std::bit_cast<std::uint64_t>(x.lane[lane]) == std::bit_cast<std::uint64_t>(y.lane[lane]);
    });
}

void copy_lane(const LaneState& from, int from_lane, LaneState& to, int to_lane) {
    for (size_t i = 0; i < kMaxBodies; ++i) {
        to.q[i].lane[to_lane] = from.q[i].lane[from_lane];
        to.v[i].lane[to_lane] = from.v[i].lane[from_lane];
        to.v_change[i].lane[to_lane] = from.v_change[i].lane[from_lane];
    }
    for (size_t i = 0; i < kMaxFrictions; ++i) {
        to.friction_impulse_Ns[i].lane[to_lane] = from.friction_impulse_Ns[i].lane[from_lane];
        to.friction_side[i].lane[to_lane] = from.friction_side[i].lane[from_lane];
    }
    to.phase.lane[to_lane] = from.phase.lane[from_lane];
}

}  // namespace letoff::core
