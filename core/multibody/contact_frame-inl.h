// Where a contact of a block is at one configuration, and how it moves with the coordinates: its gap and the rows of
// its normal and tangential Jacobians.
//
// One side is a circle (centre p, radius r), the other a circle, a line or two lines with an arc between them: with n
// the other's normal towards p, gap = distance(p, other) - r - r_other. They touch on the circle's surface, at p - r n;
// that point's dp/dq (kinematics-inl.h) along n and across it are the rows. A strap pulls: its gap and n change sign.
#if defined(LETOFF_CORE_MULTIBODY_CONTACT_FRAME_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_CONTACT_FRAME_INL_H_
#undef LETOFF_CORE_MULTIBODY_CONTACT_FRAME_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_CONTACT_FRAME_INL_H_
#endif

#include "core/multibody/kinematics-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

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
