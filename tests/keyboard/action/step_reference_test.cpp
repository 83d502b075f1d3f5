// The lanes' step of the whole grand against its equations, written down a second time in plain doubles: geometry from
// the builder's drawing, every Jacobian and the mass matrix by numerical differentiation, felts with the C library's
// pow. A step is right when what it returns satisfies the momentum balance, the felt law and the set-valued friction
// laws (Thorin et al. eqs 2.2-2.12); which solver found it does not matter.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/multibody/step.h"
#include "core/unit/constants.h"
#include "keyboard/action/grand.h"

namespace letoff::keyboard {
namespace {

using core::Contact;
using core::ContactKind;
using core::kGround;
using core::Mechanism;
using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;
using P2 = Eigen::Vector2d;

constexpr double kEps = 1e-6;  // of numerical differentiation, rad or m

P2 vec(core::Point p) {
    return {p.x_m, p.y_m};
}
P2 turned(P2 r, double q) {
    return {std::cos(q) * r.x() - std::sin(q) * r.y(), std::sin(q) * r.x() + std::cos(q) * r.y()};
}

class Reference {
  public:
    explicit Reference(const Mechanism& m) : m_(m), n_(static_cast<int>(m.bodies.size())) {}

    const core::Body& body(int b) const { return m_.bodies[static_cast<size_t>(b)]; }
    P2 point(int b, P2 local, const Vec& q) const {
        if (b == kGround) return local;
        if (body(b).guided) return vec(body(b).guide) * q[b] + local;
        return point(body(b).parent, vec(body(b).pivot), q) + turned(local, q[b]);
    }
    P2 direction(int b, P2 d, const Vec& q) const { return b == kGround || body(b).guided ? d : turned(d, q[b]); }
    P2 local_of(int b, P2 world, const Vec& q) const {
        if (b == kGround) return world;
        if (body(b).guided) return world - vec(body(b).guide) * q[b];
        return turned(world - point(body(b).parent, vec(body(b).pivot), q), -q[b]);
    }

    /// Gap with the circle's centre moved by `offset` in the world.
    double gap(const Contact& c, const Vec& q, P2 offset = P2::Zero()) const {
        const P2 p = point(c.circle_body, vec(c.circle_centre), q) + offset;
        if (c.kind == ContactKind::circle_circle) {
            return (p - point(c.other_body, vec(c.other_centre), q)).norm() - c.circle_radius_m - c.other_radius_m;
        }
        if (c.kind == ContactKind::circle_line) {
            const P2 a = point(c.other_body, vec(c.line_from), q), b = point(c.other_body, vec(c.line_to), q);
            const P2 u = (b - a).normalized();
            const double s = (p - a).dot(u), w = (p - a).dot(P2(-u.y(), u.x()));
            if (s >= 0 && s <= (b - a).norm()) return w - c.circle_radius_m;
            return w > 0 ? (p - (s < 0 ? a : b)).norm() - c.circle_radius_m : 1.0;
        }
        const P2 e = p - point(c.other_body, vec(c.other_centre), q);
        const P2 up = direction(c.other_body, vec(c.top_normal), q), along(up.y(), -up.x());
        const double s = e.dot(along), w = e.dot(up), radii = c.circle_radius_m + c.other_radius_m;
        if (s > 0 && w > 0) return std::hypot(s, w) - radii;
        if (w >= s) return s >= -c.top_length_m ? w - radii : 1.0;
        return w >= -c.face_length_m ? s - radii : 1.0;
    }

    template <typename F>
    Vec gradient(const Vec& q, F&& f) const {
        Vec g(n_);
        for (int i = 0; i < n_; ++i) {
            Vec a = q, b = q;
            a[i] -= kEps;
            b[i] += kEps;
            g[i] = (f(b) - f(a)) / (2 * kEps);
        }
        return g;
    }
    Vec normal_row(const Contact& c, const Vec& q) const {
        return gradient(q, [&](const Vec& x) { return gap(c, x); });
    }
    /// Relative speed of the two materials where they touch, along (n.y, -n.x).
    Vec tangent_row(const Contact& c, const Vec& q) const {
        P2 n((gap(c, q, {kEps, 0}) - gap(c, q, {-kEps, 0})) / (2 * kEps),
             (gap(c, q, {0, kEps}) - gap(c, q, {0, -kEps})) / (2 * kEps));
        n.normalize();
        const P2 touch = point(c.circle_body, vec(c.circle_centre), q) - n * c.circle_radius_m, t(n.y(), -n.x());
        const P2 on_circle = local_of(c.circle_body, touch, q), on_other = local_of(c.other_body, touch, q);
        return gradient(q, [&](const Vec& x) {
            return (point(c.circle_body, on_circle, x) - point(c.other_body, on_other, x)).dot(t);
        });
    }
    Mat mass(const Vec& q) const {
        Mat M = Mat::Zero(n_, n_);
        for (int b = 0; b < n_; ++b) {
            const P2 com = vec(body(b).com);
            const Vec x = gradient(q, [&](const Vec& y) { return point(b, com, y).x(); });
            const Vec y = gradient(q, [&](const Vec& z) { return point(b, com, z).y(); });
            M += body(b).mass_kg * (x * x.transpose() + y * y.transpose());
            if (!body(b).guided) M(b, b) += body(b).inertia_kgm2 - body(b).mass_kg * com.squaredNorm();
        }
        return M;
    }
    Vec gravity(const Vec& q) const {
        return gradient(q, [&](const Vec& x) {
            double energy = 0;
            for (int b = 0; b < n_; ++b)
                energy -= body(b).mass_kg * core::kGravity_mps2 * point(b, vec(body(b).com), x).y();
            return energy;
        });
    }
    int bodies() const { return n_; }
    const Mechanism& mechanism() const { return m_; }

  private:
    const Mechanism& m_;
    int n_;
};

double felt_mean_N(const core::Felt& f, double d0, double d1, double h) {
    const double in0 = std::max(d0, 0.0), in1 = std::max(d1, 0.0);
    const auto stored = [&](double d) { return f.k * std::pow(d, f.r + 1) / (f.r + 1); };
    const double middle = 0.5 * (f.k * std::pow(in0, f.r) + f.k * std::pow(in1, f.r));
    const double mean =
        std::abs(d1 - d0) < 1e-4 * std::max(in0, in1) ? middle : (stored(in1) - stored(in0)) / (d1 - d0);
    return std::max(0.0, mean + f.b * (in1 * in1 * in1 - in0 * in0 * in0) / (3 * h));
}

struct Audit {
    int steps = 0, contacts = 0, held = 0, sliding = 0;
    // All relative to what the step has to do: momentum errors over M_ii times the largest speed, forces over the
    // largest force.
    double momentum = 0, felt_N = 0, excess_Ns = 0, complementarity_J = 0;
    double worst_speed = 0, worst_force_N = 0, worst_impulse_Ns = 0;
};

/// The friction law: |l| <= bound; where |l| < bound the row stands still, else the impulse opposes the sliding. The
/// product (bound - |l|) |speed| is zero in all three cases.
void audit_friction(double impulse, double bound, double speed, Audit& a) {
    a.excess_Ns = std::max(a.excess_Ns, std::abs(impulse) - bound);
    a.complementarity_J = std::max(a.complementarity_J, std::max(bound - std::abs(impulse), 0.0) * std::abs(speed));
    a.complementarity_J = std::max(a.complementarity_J, impulse * speed);  // never drives
    a.worst_impulse_Ns = std::max(a.worst_impulse_Ns, std::abs(impulse));
    if (bound <= 0) return;
    ++(std::abs(speed) < 1e-4 ? a.held : a.sliding);
}

void audit_step(const Reference& ref, const core::LaneState& s0, const core::LaneState& s1,
                const core::StepInput& input, const core::StepOutput& out, double h, Audit& a) {
    const int n = ref.bodies();
    Vec q0(n), v0(n), v1(n), f(n), foreseen(n);  // foreseen: mean speed if v1 changes as it did in the step before
    for (int i = 0; i < n; ++i) {
        const size_t b = static_cast<size_t>(i);
        q0[i] = s0.q[b].lane[0];
        v0[i] = s0.v[b].lane[0];
        v1[i] = s1.v[b].lane[0];
        foreseen[i] = v0[i] + 0.5 * s0.v_change[b].lane[0];
        f[i] = input.force[b].lane[0];
        ASSERT_NEAR(s1.q[b].lane[0], q0[i] + 0.5 * h * (v0[i] + v1[i]), 1e-15);
    }
    const Vec qm = q0 + 0.5 * h * v0, mean = 0.5 * (v0 + v1);
    const Mat M = ref.mass(qm);
    Vec momentum = M * (v1 - v0) - h * (ref.gravity(qm) + f);
    for (int i = 0; i < n; ++i) {
        const core::Body& b = ref.body(i);
        Vec row = Vec::Unit(n, i);
        if (b.parent != kGround) {
            row[b.parent] = -1;
            const P2 d = turned(vec(b.pivot), qm[b.parent]), r = turned(vec(b.com), qm[i]);
            const double cross = b.mass_kg * (d.x() * r.y() - d.y() * r.x());
            momentum[b.parent] -= h * cross * foreseen[i] * foreseen[i];
            momentum[i] += h * cross * foreseen[b.parent] * foreseen[b.parent];
        }
        const double impulse = s1.friction_impulse_Ns[static_cast<size_t>(i)].lane[0];
        momentum += h * b.viscous * row.dot(mean) * row - impulse * row;
        audit_friction(impulse, h * b.dry_friction, row.dot(v1), a);
    }
    for (const core::Spring& s : ref.mechanism().springs) {
        Vec row = Vec::Unit(n, s.body);
        if (ref.body(s.body).parent != kGround) row[ref.body(s.body).parent] = -1;
        momentum += h * s.stiffness_Nm_per_rad * (row.dot(q0 + 0.5 * h * mean) - s.rest_angle_rad) * row;
    }
    for (size_t c = 0; c < ref.mechanism().contacts.size(); ++c) {
        const Contact& contact = ref.mechanism().contacts[c];
        const double gap = ref.gap(contact, qm), force = out.contact_force_N[c].lane[0];
        if (gap > 0.02) {
            EXPECT_EQ(force, 0.0) << contact.name;
            continue;
        }
        const Vec normal = ref.normal_row(contact, qm);
        const double d0 = -gap + 0.5 * h * normal.dot(v0), d1 = -gap - 0.5 * h * normal.dot(v1);
        const double law = felt_mean_N(contact.felt, d0, d1, h);
        a.felt_N = std::max(a.felt_N, std::abs(law - force));
        a.worst_force_N = std::max(a.worst_force_N, force);
        momentum -= h * force * normal;
        if (force > 0) ++a.contacts;
        if (contact.mu <= 0) continue;
        const Vec tangent = ref.tangent_row(contact, qm);
        const double impulse = s1.friction_impulse_Ns[core::kMaxBodies + c].lane[0];
        momentum -= impulse * tangent;
        audit_friction(impulse, h * contact.mu * force, tangent.dot(v1), a);
    }
    for (int i = 0; i < n; ++i) {
        const double error = std::abs(momentum[i]) / M(i, i);
        a.momentum = std::max(a.momentum, error);
        a.worst_speed = std::max(a.worst_speed, std::abs(v1[i]));
    }
    ++a.steps;
}

/// A force on the key, a stiff spring in place of the strings, audited every third tick.
Audit audit_stroke(double force_N, int tick_hz) {
    const Mechanism grand = make_grand(grand_defaults());
    const Reference ref(grand);
    const core::LaneModel model = core::make_lane_model({&grand, 1});
    core::LaneState state = core::drawn_state({&grand, 1});
    core::StepInput input{};
    core::StepOutput output{};
    const CrownGeometry crown = crown_geometry(grand_defaults());
    const double h = 1.0 / tick_hz;
    for (double& f : input.force[kFinger].lane) f = -FingerTip{}.mass_kg * core::kGravity_mps2;
    for (int l = 0; l < core::kLanes; ++l) state.q[kFinger].lane[l] = -0.020;
    Audit audit;
    constexpr double kRest_s = 0.2, kPress_s = 0.3, kEnd_s = 0.5, kString_N_per_m = 5e3;
    for (int i = 0; i * h < kEnd_s; ++i) {
        const double t = i * h;
        const bool pressed = t > kRest_s && t < kPress_s + kRest_s * 0.5;
        for (int l = 0; l < core::kLanes; ++l) {
            input.force[kKey].lane[l] = pressed ? force_N * -kFingerPointX_m : 0;
            const CrownGeometry::Pose pose = crown.at(state.q[kHammer].lane[l]);
            input.force[kHammer].lane[l] = -kString_N_per_m * std::max(0.0, -pose.below_string_m) * pose.lever_arm_m;
        }
        const core::LaneState before = state;
        core::step_lanes(model, input, h, state, output);
        if (t > kRest_s - 0.02 && i % 3 == 0) audit_step(ref, before, state, input, output, h, audit);
    }
    EXPECT_EQ(output.not_converged, 0) << "steps that reached the bound of iterations";
    return audit;
}

TEST(StepReference, SoftMediumAndLoudStrokesSatisfyTheirEquations) {
    for (double force_N : {1.6, 8.0, 60.0}) {
        for (int tick_hz : {4000, 8000}) {
            SCOPED_TRACE(testing::Message() << force_N << " N, " << tick_hz << " Hz");
            const Audit a = audit_stroke(force_N, tick_hz);
            EXPECT_GT(a.contacts, a.steps) << "more than one contact a step";
            EXPECT_GT(a.held, 50);
            EXPECT_GT(a.sliding, 50);
            EXPECT_LT(a.momentum, 1e-6 * a.worst_speed);
            EXPECT_LT(a.felt_N, 1e-6 * a.worst_force_N);
            EXPECT_LT(a.excess_Ns, 1e-5 * a.worst_impulse_Ns);
            EXPECT_LT(a.complementarity_J, 1e-5 * a.worst_impulse_Ns * a.worst_speed);
        }
    }
}

}  // namespace
}  // namespace letoff::keyboard
