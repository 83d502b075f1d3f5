// Kinematics of a block at one configuration: body frames, mass matrix, gravity and velocity terms. Gaps and Jacobians
// of contacts: contact_frame-inl.h.
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

}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
