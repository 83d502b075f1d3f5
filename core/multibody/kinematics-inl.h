// Kinematics of a block at one configuration: body frames, mass matrix, gravity and velocity terms, contact gaps and
// Jacobians.
//
// Body on a pivot P with angle q: a body point p is P + R(q) local; dp/dq = perp(p - P), perp(x, y) = (-y, x).
// Body on a parent's pivot: dp/dq_parent = perp(P - P_parent), since angles are absolute.
// Kinetic energy of child c on parent p, with d = P_c - P_p, r = R(q_c) com: M_cc = I_c, M_pp += m d.d, M_pc = m d.r;
// velocity terms: force on p: m (d x r) v_c^2, on c: -m (d x r) v_p^2.
#if defined(LETOFF_CORE_MULTIBODY_KINEMATICS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_KINEMATICS_INL_H_
#undef LETOFF_CORE_MULTIBODY_KINEMATICS_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_KINEMATICS_INL_H_
#endif

#include "core/multibody/lane_model.h"
#include "core/simd/math-inl.h"
#include "core/unit/constants.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

struct VPoint {
    V x, y;
};

/// Frames of all bodies: for a pivot cos, sin, pivot in the world; for a guide the displacement.
struct Frames {
    V cos[kMaxBodies], sin[kMaxBodies];
    V px[kMaxBodies], py[kMaxBodies];  // pivot in the world; guide: displacement
    V dx[kMaxBodies], dy[kMaxBodies];  // child: own pivot minus the parent's; guide: direction
};

HWY_INLINE VPoint rotated(const Frames& f, int body, V x, V y) {
    return {neg_mul_add(f.sin[body], y, f.cos[body] * x), mul_add(f.sin[body], x, f.cos[body] * y)};
}

HWY_INLINE void make_frames(const LaneModel& model, const V* q, size_t lane, Frames& f) {
    const Topology& t = model.topology;
    for (int i = 0; i < t.bodies; ++i) {
        const LaneBody& b = model.body[static_cast<size_t>(i)];
        const Topology::BodyInfo info = t.body[static_cast<size_t>(i)];
        const V x = load(b.pivot_x.lane + lane), y = load(b.pivot_y.lane + lane);
        if (info.guided) {
            f.cos[i] = set(1.0);
            f.sin[i] = zero();
            f.dx[i] = x;
            f.dy[i] = y;
            f.px[i] = x * q[i];
            f.py[i] = y * q[i];
            continue;
        }
        sincos(q[i], f.sin[i], f.cos[i]);
        f.px[i] = x;
        f.py[i] = y;
        if (info.parent == kGround) continue;
        const VPoint d = rotated(f, info.parent, x, y);
        f.dx[i] = d.x;
        f.dy[i] = d.y;
        f.px[i] = f.px[info.parent] + d.x;
        f.py[i] = f.py[info.parent] + d.y;
    }
}

HWY_INLINE VPoint world_point(const Frames& f, const Topology& t, int body, V x, V y) {
    if (body == kGround) return {x, y};
    if (t.body[static_cast<size_t>(body)].guided) return {x + f.px[body], y + f.py[body]};
    const VPoint r = rotated(f, body, x, y);
    return {f.px[body] + r.x, f.py[body] + r.y};
}

HWY_INLINE VPoint world_direction(const Frames& f, const Topology& t, int body, V x, V y) {
    if (body == kGround || t.body[static_cast<size_t>(body)].guided) return {x, y};
    return rotated(f, body, x, y);
}

/// Mass matrix (lower triangle of M), gravity, and the velocity-term coefficients of each child (m d x r).
struct Inertia {
    V M[kMaxBodies][kMaxBodies];
    V gravity[kMaxBodies];
    V cross[kMaxBodies];
};

HWY_INLINE void make_inertia(const LaneModel& model, const Frames& f, size_t lane, Inertia& out) {
    const Topology& t = model.topology;
    const V g = set(kGravity_mps2);
    for (int i = 0; i < t.bodies; ++i) {
        for (int j = 0; j < i; ++j) out.M[i][j] = zero();
    }
    for (int i = 0; i < t.bodies; ++i) {
        const LaneBody& b = model.body[static_cast<size_t>(i)];
        const Topology::BodyInfo info = t.body[static_cast<size_t>(i)];
        const V m = load(b.mass.lane + lane);
        const V mg = m * g;
        out.M[i][i] = load(b.inertia.lane + lane);
        if (info.guided) {
            out.gravity[i] = zero() - mg * f.dy[i];
            continue;
        }
        const VPoint r = rotated(f, i, load(b.com_x.lane + lane), load(b.com_y.lane + lane));
        out.gravity[i] = zero() - mg * r.x;
        if (info.parent == kGround) continue;
        const int p = info.parent;
        out.M[p][p] = mul_add(m, mul_add(f.dx[i], f.dx[i], f.dy[i] * f.dy[i]), out.M[p][p]);
        out.M[i][p] = m * mul_add(f.dx[i], r.x, f.dy[i] * r.y);
        out.gravity[p] = neg_mul_add(mg, f.dx[i], out.gravity[p]);
        out.cross[i] = m * neg_mul_add(f.dy[i], r.x, f.dx[i] * r.y);
    }
}

/// Where a contact is and how it moves: gap (beyond reach: large), rows of the normal and tangential Jacobians over its
/// slots.
struct ContactFrame {
    V gap;
    V normal[kSlots], tangent[kSlots];
};

/// Adds one side's columns; n: the contact's normal for the circle's body, turned round for the other. The tangent is
/// (n.y, -n.x); contacts without friction need none.
HWY_INLINE void add_columns(const Frames& f, const Topology& t, const Topology::ContactInfo& info, int side, VPoint p,
                            VPoint n, ContactFrame& c) {
    const int body = side == 0 ? info.circle_body : info.other_body;
    if (body == kGround) return;
    const auto add = [&](int slot, V dx, V dy) {  // dx, dy: motion of the point per unit coordinate
        c.normal[slot] = mul_add(n.x, dx, mul_add(n.y, dy, c.normal[slot]));
        if (info.friction) c.tangent[slot] = mul_add(n.y, dx, neg_mul_add(n.x, dy, c.tangent[slot]));
    };
    const int own = info.slot_of[static_cast<size_t>(2 * side)], up = info.slot_of[static_cast<size_t>(2 * side + 1)];
    if (t.body[static_cast<size_t>(body)].guided) {
        add(own, f.dx[body], f.dy[body]);
        return;
    }
    add(own, f.py[body] - p.y, p.x - f.px[body]);
    if (up >= 0) add(up, zero() - f.dy[body], f.dx[body]);
}

inline constexpr double kOutOfReach_m = 1.0;  // stands for "no contact possible"

HWY_INLINE void make_contact(const LaneModel& model, const Frames& f, int index, size_t lane, ContactFrame& out) {
    const Topology& t = model.topology;
    const Topology::ContactInfo& info = t.contact[static_cast<size_t>(index)];
    const LaneContact& c = model.contact[static_cast<size_t>(index)];
    const VPoint p = world_point(f, t, info.circle_body, load(c.circle_x.lane + lane), load(c.circle_y.lane + lane));
    const VPoint o = world_point(f, t, info.other_body, load(c.other_x.lane + lane), load(c.other_y.lane + lane));
    const V radius = load(c.circle_radius.lane + lane);
    V ex = p.x - o.x, ey = p.y - o.y;  // from the other shape's reference point to the circle's centre
    VPoint n;
    V distance;
    const V tiny = set(1e-12);  // m: keeps the direction defined where centres coincide, far below any real distance
    if (info.kind == ContactKind::circle_circle || info.kind == ContactKind::strap) {
        distance = sqrt(mul_add(ex, ex, mul_add(ey, ey, tiny * tiny)));
        n = {ex / distance, ey / distance};
    } else {
        const VPoint u = world_direction(f, t, info.other_body, load(c.dir_x.lane + lane), load(c.dir_y.lane + lane));
        const V length = load(c.length.lane + lane);
        V s = mul_add(u.x, ex, u.y * ey);            // along the line
        const V w = neg_mul_add(u.y, ex, u.x * ey);  // along its normal (-u.y, u.x)
        V axis_s, axis_w;  // normal in (u, normal) axes; away from the line itself, off its end or its arc's centre
        if (info.kind == ContactKind::circle_line) {
            const V beyond = s - clamp(s, zero(), length);
            const M past = beyond != zero();
            distance = w;
            axis_s = zero();
            axis_w = set(1.0);
            if (!none(past)) {
                const M end = hn::And(past, w > zero());
                distance = select(end, sqrt(mul_add(beyond, beyond, mul_add(w, w, tiny * tiny))), w);
                axis_s = select(end, beyond / distance, zero());
                axis_w = select(end, w / distance, set(1.0));
                distance = select(hn::AndNot(end, past), set(kOutOfReach_m), distance);
            }
        } else {
            // s, w from the arc's centre: the top is w = arc radius for -length < s < 0, the face s = arc radius for
            // -face < w < 0.
            const M arc = hn::And(s > zero(), w > zero());
            const M top = hn::And(hn::Not(arc), w >= s);
            const V along = select(top, s, w);
            const V straight = zero() - select(top, length, load(c.face_length.lane + lane));
            const M past = hn::And(hn::Not(arc), along < straight);
            const V rounded = sqrt(mul_add(s, s, mul_add(w, w, tiny * tiny)));
            distance = select(arc, rounded, select(top, w, s));
            axis_s = select(arc, s / rounded, select(top, zero(), set(1.0)));
            axis_w = select(arc, w / rounded, select(top, set(1.0), zero()));
            distance = select(past, set(kOutOfReach_m), distance);
        }
        n = {neg_mul_add(axis_w, u.y, axis_s * u.x), mul_add(axis_w, u.x, axis_s * u.y)};
    }
    out.gap = distance - radius - load(c.other_radius.lane + lane);
    if (info.kind == ContactKind::strap) {  // pulls the circle's centre back when it is farther than the tape is long
        out.gap = zero() - out.gap;
        n = {zero() - n.x, zero() - n.y};
    }
    for (int i = 0; i < info.slot_count; ++i) out.normal[i] = out.tangent[i] = zero();
    // The touching point: on the circle's surface.
    const VPoint touch{neg_mul_add(n.x, radius, p.x), neg_mul_add(n.y, radius, p.y)};
    add_columns(f, t, info, 0, touch, n, out);
    add_columns(f, t, info, 1, touch, {zero() - n.x, zero() - n.y}, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
