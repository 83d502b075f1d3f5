// Ball and paddle against their closed form (Gillespie 1994, eqs 1-10).
#include "keyboard/action/bouncing_ball.h"

#include <gtest/gtest.h>

#include <cmath>

#include "keyboard/action/two_body_model.h"

namespace letoff::keyboard {
namespace {

struct Thrown {
    ActionNumbers numbers = bouncing_ball_numbers(grand_defaults(), true);
    TwoBody model = from_numbers<TwoBody>(numbers);
    ActionPose pose;
    double w = 0, s = 0, e_m = 0;  // of the squeeze

    Thrown() {
        const double per_N = model.l3_m * model.l3_m / model.frame.hammer_inertia_kgm2;
        s = 0.5 * per_N * model.damping_Ns_per_m;
        w = std::sqrt(per_N * model.stiffness_N_per_m - s * s);
        e_m = model.frame.hammer_kg * core::kGravity_mps2 * model.l4_m / (model.l3_m * model.stiffness_N_per_m);
        pose.q[kFinger] = -0.02;
    }
    void tick(double h_s, double key_rad, double key_radps) {
        ActionStep in;
        in.h_s = h_s;
        in.driven = true;
        in.driven_rad = key_rad;
        in.driven_radps = key_radps;
        ActionForces out;
        step_bouncing_ball(numbers, in, pose, out);
    }
};

// The key moves steadily; the ball, first resting in its spring, follows as c'' = -w0^2 (c - e) - 2 s c' says.
TEST(BouncingBall, FollowsASteadyPaddleAsInClosedForm) {
    Thrown run;
    const double speed_radps = 0.2, c_mps = run.model.l2_m * speed_radps;
    run.pose.q[kHammer] = run.model.rest_rad - run.e_m / run.model.l3_m;
    run.pose.v[kKey] = speed_radps;
    run.pose.phase = kBallOnPaddle;
    for (int i = 1; i <= 200; ++i) {
        run.tick(1.0 / 4000, speed_radps * i / 4000, speed_radps);
        const double t = i / 4000.0;
        const double c_m = run.e_m + std::exp(-run.s * t) * c_mps / run.w * std::sin(run.w * t);
        if (c_m <= 0 || run.pose.phase != kBallOnPaddle) break;
        const double ball_rad = run.model.rest_rad + (run.model.l2_m * speed_radps * t - c_m) / run.model.l3_m;
        ASSERT_NEAR(run.pose.q[kHammer], ball_rad, 1e-12) << i;
    }
}

TEST(BouncingBall, FliesAsInClosedForm) {
    Thrown run;
    run.pose.phase = kBallInAir;
    run.pose.q[kHammer] = run.model.rest_rad + 0.05;
    run.pose.v[kHammer] = 2.0;
    const double fall =
        run.model.frame.hammer_kg * core::kGravity_mps2 * run.model.l4_m / run.model.frame.hammer_inertia_kgm2;
    for (int i = 1; i <= 40; ++i) {
        run.tick(1.0 / 4000, 0, 0);
        const double t = i / 4000.0;
        ASSERT_NEAR(run.pose.q[kHammer], run.model.rest_rad + 0.05 + 2.0 * t - 0.5 * fall * t * t, 1e-13) << i;
    }
}

}  // namespace
}  // namespace letoff::keyboard
