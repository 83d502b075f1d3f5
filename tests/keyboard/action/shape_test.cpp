// The step is compiled for the shapes of grand and upright; any other topology takes the same operations in loops.
#include "core/multibody/shape.h"

#include <gtest/gtest.h>

#include "core/multibody/step.h"
#include "keyboard/action/grand.h"
#include "keyboard/action/registers.h"
#include "keyboard/action/upright.h"

namespace letoff::keyboard {
namespace {

TEST(Shape, TheGrandIsTheOneTheStepIsCompiledFor) {
    const core::Mechanism grand = make_grand(grand_defaults());
    EXPECT_EQ(core::make_lane_model({&grand, 1}).topology.shape, core::Shape::kGrand);
    core::Mechanism other = grand;
    other.bodies[kJack].parent = core::kGround;
    EXPECT_EQ(core::make_lane_model({&other, 1}).topology.shape, core::Shape::kAny);
    core::Mechanism coupled = grand;
    coupled.contacts[kFingerKey].other_body = kHammer;
    EXPECT_EQ(core::make_lane_model({&coupled, 1}).topology.shape, core::Shape::kAny);
    GrandValues bending = grand_defaults();
    bending[grand_row("shank_stiffness_Nm_per_rad")] = 7.3;
    const core::Mechanism flexible = make_grand(bending);
    EXPECT_EQ(core::make_lane_model({&flexible, 1}).topology.shape, core::Shape::kAny) << "a body more";
}

void expect_same_bits_in_loops(const core::Mechanism& mechanism) {
    const core::LaneModel compiled = core::make_lane_model({&mechanism, 1});
    ASSERT_NE(compiled.topology.shape, core::Shape::kAny);
    core::LaneModel any = compiled;
    any.topology.shape = core::Shape::kAny;
    core::LaneState a = core::drawn_state({&mechanism, 1}), b = a;
    core::StepInput input;
    core::StepOutput out_a, out_b;
    constexpr double kH_s = 1.0 / 4000;
    for (int tick = 0; tick < 2000; ++tick) {
        // A press that lets off, a release, and half a press.
        const double push_N = tick < 600 ? 8.0 : tick < 1200 ? -0.5 : 1.5;
        for (double& force_N : input.force[kFinger].lane) force_N = push_N;
        core::step_lanes(compiled, input, kH_s, a, out_a);
        core::step_lanes(any, input, kH_s, b, out_b);
        ASSERT_TRUE(core::same_lane(a, b, 0)) << "tick " << tick;
        ASSERT_EQ(out_a.contact_force_N[kJackKnuckle].lane[0], out_b.contact_force_N[kJackKnuckle].lane[0]) << tick;
    }
    EXPECT_GT(a.q[kKey].lane[0], 0) << "the key has moved";
}

TEST(Shape, CompiledInOrNotTheBitsOfTheGrandAreTheSame) {
    expect_same_bits_in_loops(make_grand(grand_defaults()));
}

TEST(Shape, CompiledInOrNotTheBitsOfTheUprightAreTheSame) {
    expect_same_bits_in_loops(make_upright(grand_values(48), true, 48, FeltCurves::micromechanical));
}

}  // namespace
}  // namespace letoff::keyboard
