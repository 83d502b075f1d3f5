#include "keyboard/action/bouncing_ball.h"

#include <cmath>

#include "core/simd/scalar_math.h"
#include "core/string/deterministic_math.h"
#include "keyboard/action/two_body_model.h"

namespace letoff::keyboard {
namespace {

struct Ball : TwoBody {
    static std::span<const core::SubModel<Ball>> sub_models();
    void add_forces(int phase, const FrameState& x, const FrameInput& u, double share, ActionForces& out) const {
        add_forces_of(phase == kBallOnPaddle, x, u, share, out);
    }
};
using Sub = core::SubModel<Ball>;

/// Key, finger and damper by Runge-Kutta with the ball; then the ball anew, exactly, along the key's chord.
template <bool on_paddle>
void flow(const Ball& m, FrameState& x, const FrameInput& u0, const FrameInput& u1, double h_s) {
    constexpr Sub kPlain{"", key_motion<Ball, two_body_torque<Ball, on_paddle, true>>};
    const FrameState x0 = x;
    core::Episode<Ball>::advance(m, kPlain, x, u0, u1, h_s);
    const double inertia = m.frame.hammer_inertia_kgm2;
    const double pull = (m.frame.hammer_kg * core::kGravity_mps2 * m.l4_m - u0.hammer_Nm) / inertia;
    if (!on_paddle) {
        x.v[kFrameHammer] = x0.v[kFrameHammer] - pull * h_s;
        x.q[kFrameHammer] = x0.q[kFrameHammer] + h_s * (x0.v[kFrameHammer] - 0.5 * pull * h_s);
        return;
    }
    const double chord_mps = m.l2_m * (x.q[kFrameKey] - x0.q[kFrameKey]) / h_s;
    const double per_N = m.l3_m * m.l3_m / inertia;
    const double s = 0.5 * per_N * m.damping_Ns_per_m;
    const double w = std::sqrt(per_N * m.stiffness_N_per_m - s * s);
    const double e_m = pull * inertia / (m.l3_m * m.stiffness_N_per_m);
    const double a = m.squeeze_m(x0) - e_m;
    const double b = (chord_mps - m.l3_m * x0.v[kFrameHammer] + s * a) / w;
    const core::SinCos turn = core::small_sincos(w * h_s);
    const double fall = core::exp_neg(s * h_s);
    const double c_m = e_m + fall * (a * turn.cos + b * turn.sin);
    const double c_mps = fall * ((w * b - s * a) * turn.cos - (s * b + w * a) * turn.sin);
    x.q[kFrameHammer] = m.rest_rad + (m.l2_m * x.q[kFrameKey] - c_m) / m.l3_m;
    x.v[kFrameHammer] = (chord_mps - c_mps) / m.l3_m;
}

constexpr Sub::Exit kFromPaddle[] = {{kBallInAir, two_body_force<Ball>}};
constexpr Sub::Exit kFromAir[] = {{kBallOnPaddle, two_body_gap<Ball>}};
constexpr Sub kSubModels[] = {
    {"on_paddle", key_motion<Ball, two_body_torque<Ball, true, true>>,
     key_readout<Ball, two_body_torque<Ball, true, true>>, kFromPaddle, flow<true>},
    {"in_air", key_motion<Ball, two_body_torque<Ball, false, true>>,
     key_readout<Ball, two_body_torque<Ball, false, true>>, kFromAir, flow<false>},
};

}  // namespace

std::span<const Sub> Ball::sub_models() {
    return kSubModels;
}

ActionNumbers bouncing_ball_numbers(const GrandValues& values, bool damped) {
    TwoBody ball = two_body_of(values, damped);
    ball.frame.hammer_viscous_Nms = 0;  // a ball in the air
    return to_numbers(ball);
}

void step_bouncing_ball(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose,
                        ActionForces& out) noexcept {
    step_on_grid(from_numbers<Ball>(numbers), in, pose, out);
}

}  // namespace letoff::keyboard
