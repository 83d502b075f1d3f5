// Key and hammer against closed forms (Gillespie 1994, eqs 11-13).
#include "keyboard/action/two_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "keyboard/action/two_body_model.h"

namespace letoff::keyboard {
namespace {

/// Without the viscous friction of its pivots, which the closed forms have not.
struct Linkage {
    TwoBody model;
    ActionNumbers numbers;
    ActionPose pose;

    Linkage() {
        model = from_numbers<TwoBody>(two_body_numbers(grand_defaults(), false));
        model.frame.key_viscous_Nms = model.frame.hammer_viscous_Nms = 0;
        numbers = to_numbers(model);
        pose.q[kFinger] = -0.02;
    }
    double per_N() const { return model.l3_m * model.l3_m / model.frame.hammer_inertia_kgm2; }
    double weight_Nm() const { return model.frame.hammer_kg * core::kGravity_mps2 * model.l4_m; }
    void tick(const ActionStep& in) {
        ActionForces out;
        step_two_body(numbers, in, pose, out);
    }
};

TEST(TwoBody, FliesAsInClosedForm) {
    Linkage run;
    run.pose.phase = kTwoApart;
    run.pose.q[kKey] = 0.02;
    run.pose.q[kHammer] = run.model.rest_rad + 0.25;
    run.pose.v[kHammer] = 2.0;
    const double fall = run.weight_Nm() / run.model.frame.hammer_inertia_kgm2;
    ActionStep in;
    in.h_s = 1.0 / 4000;
    in.driven = true;
    in.driven_rad = run.pose.q[kKey];
    for (int i = 1; i <= 40; ++i) {
        run.tick(in);
        const double t = i / 4000.0;
        ASSERT_NEAR(run.pose.q[kHammer], run.model.rest_rad + 0.25 + 2.0 * t - 0.5 * fall * t * t, 1e-13) << i;
    }
}

// On a key that moves steadily the hammer, first at rest in its spring, follows as c'' = -w0^2 (c - e) - 2 s c' says.
// Runge-Kutta's own error is the fifth power of w h (0.02 at 16 kHz) a step.
TEST(TwoBody, FollowsASteadyKeyAsInClosedForm) {
    Linkage run;
    const double s = 0.5 * run.per_N() * run.model.damping_Ns_per_m;
    const double w = std::sqrt(run.per_N() * run.model.stiffness_N_per_m - s * s);
    const double e_m = run.weight_Nm() / (run.model.l3_m * run.model.stiffness_N_per_m);
    const double speed_radps = 0.2, c_mps = run.model.l2_m * speed_radps;
    run.pose.phase = kTwoCoupled;
    run.pose.q[kHammer] = run.model.rest_rad - e_m / run.model.l3_m;
    run.pose.v[kKey] = speed_radps;
    ASSERT_LT(w / 16000, 0.1);
    ActionStep in;
    in.h_s = 1.0 / 4000;
    in.driven = true;
    in.driven_radps = speed_radps;
    for (int i = 1; i <= 100; ++i) {
        const double t = i / 4000.0;
        in.driven_rad = speed_radps * t;
        run.tick(in);
        const double c_m = e_m + std::exp(-s * t) * c_mps / w * std::sin(w * t);
        if (c_m <= 0 || run.pose.phase != kTwoCoupled) break;
        const double hammer_rad = run.model.rest_rad + (run.model.l2_m * speed_radps * t - c_m) / run.model.l3_m;
        ASSERT_NEAR(run.pose.q[kHammer], hammer_rad, std::pow(w / 16000, 5) + 1e-12) << i;
    }
}

// Whatever the spring does, l3 I_k s' + l2 I_h q' changes by the weights alone: to rounding, coupled or not.
TEST(TwoBody, TheSpringChangesNoMomentum) {
    Linkage run;
    run.pose.phase = kTwoCoupled;
    run.pose.q[kKey] = 0.020;
    run.pose.q[kHammer] = run.model.rest_rad + run.model.l2_m * 0.020 / run.model.l3_m - 0.004;
    run.pose.v[kKey] = 0.15;
    run.pose.v[kHammer] = 4.0;  // away from the spring, within some milliseconds
    const auto momentum = [&] {
        return run.model.l3_m * run.model.key_kgm2 * run.pose.v[kKey] +
               run.model.l2_m * run.model.frame.hammer_inertia_kgm2 * run.pose.v[kHammer];
    };
    const double start = momentum();
    const double rate = run.model.l3_m * run.model.key_weight_Nm - run.model.l2_m * run.weight_Nm();
    ActionStep in;
    in.h_s = 1.0 / 4000;
    in.force[kFinger] = -0.030 * core::kGravity_mps2;  // its weight is carried
    bool parted = false;
    for (int i = 1; i <= 120; ++i) {
        run.tick(in);
        ASSERT_TRUE(run.pose.phase == kTwoCoupled || run.pose.phase == kTwoApart) << "the key has met a rail";
        parted = parted || run.pose.phase == kTwoApart;
        ASSERT_NEAR(momentum(), start + rate * i / 4000.0, 1e-15) << i;
    }
    EXPECT_TRUE(parted);
}

}  // namespace
}  // namespace letoff::keyboard
