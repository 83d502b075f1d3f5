// The flexible hammer shank: what it is, that it changes nothing but what bends, and the timing it gives.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/multibody/step.h"
#include "core/unit/constants.h"
#include "keyboard/action/registers.h"
#include "keyboard/bench/energy.h"
#include "keyboard/bench/regulation.h"
#include "keyboard/bench/strokes.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;
constexpr std::size_t kStiffness = grand_row("shank_stiffness_Nm_per_rad");
constexpr double kFiftyHertz_Nm_per_rad = 7.3;

KeyBuild bending(KeyBuild build, double stiffness_Nm_per_rad = kFiftyHertz_Nm_per_rad) {
    build.values[kStiffness] = stiffness_Nm_per_rad;
    return build;
}

// Askenfelt 1991: first mode about 50 Hz. Thorin, appendix A: the hammer's flexibility is 1.2e-3 m/N.
TEST(FlexibleShank, SwingsAtFiftyHertzAndGivesAsThorinsHammer) {
    const core::Mechanism grand = make_grand(bending(a4_build()).values);
    core::Mechanism held;  // the knuckle held: the stub cannot turn
    held.bodies = {grand.bodies[kHammer], grand.bodies[kHead]};
    held.bodies[0].inertia_kgm2 = 1e6;
    held.bodies[0].dry_friction = 0;
    held.bodies[1].parent = 0;
    held.springs = {grand.springs.back()};
    held.springs[0].body = 1;
    const core::LaneModel model = core::make_lane_model({&held, 1});
    core::LaneState state = core::drawn_state({&held, 1});
    core::StepOutput out;
    constexpr double kStep_s = 1e-4;
    const double lever_m = grand.bodies[kHead].com.x_m, weight_N = grand.bodies[kHead].mass_kg * core::kGravity_mps2;
    const double sag_rad =
        -weight_N * lever_m * std::cos(grand.bodies[kHead].drawn_coordinate) / kFiftyHertz_Nm_per_rad;
    int turns = 0;
    double last = 0, first_s = 0, last_s = 0;
    for (int i = 1; i <= 3000; ++i) {
        core::step_lanes(model, {}, kStep_s, state, out);
        const double speed = state.v[1].lane[0];
        if (last < 0 && speed >= 0) {
            last_s = i * kStep_s;
            if (turns++ == 0) first_s = last_s;
        }
        last = speed;
    }
    ASSERT_GT(turns, 5);
    EXPECT_NEAR((turns - 1) / (last_s - first_s), 50, 3);
    EXPECT_NEAR(state.q[1].lane[0] - state.q[0].lane[0], sag_rad, 0.5 * std::abs(sag_rad)) << "it hangs through";
    const double reach_m = crown_geometry(bending(a4_build()).values).x_m;
    EXPECT_NEAR(reach_m * reach_m / kFiftyHertz_Nm_per_rad, 1.2e-3, 0.15e-3);
}

TEST(FlexibleShank, TheHammerIsDividedNotChanged) {
    const Linkage rigid(make_grand(grand_defaults())), bent(make_grand(bending(a4_build()).values));
    ASSERT_EQ(rigid.mechanism().bodies.size(), std::size_t{kHead});
    ASSERT_EQ(bent.mechanism().bodies.size(), std::size_t{kGrandBodies});
    std::array<double, kGrandBodies> q{}, v{};
    q[kHammer] = q[kHead] = -0.1;
    v[kHammer] = v[kHead] = 10;
    EXPECT_NEAR(bent.kinetic_J(q, v), rigid.kinetic_J(q, v), 1e-9);
    EXPECT_NEAR(bent.height_J(q), rigid.height_J(q), 1e-9);
    for (const int contact : {int{kTailBackcheck}, int{kHammerRest}, int{kJackKnuckle}})
        EXPECT_NEAR(bent.touching(contact, q).gap_m, rigid.touching(contact, q).gap_m, 1e-12) << contact;
    const CrownGeometry flexible = crown_geometry(bending(a4_build()).values), stiff = crown_geometry(grand_defaults());
    EXPECT_NEAR(flexible.at(-0.1).below_string_m, stiff.at(-0.1).below_string_m, 1e-12);
    EXPECT_NEAR(flexible.at(-0.1).lever_arm_m, stiff.at(-0.1).lever_arm_m, 1e-12);
    // The head bent down by 0.01 rad: lower by that times its lever from the hinge.
    EXPECT_NEAR(flexible.at(-0.1, -0.11).below_string_m - flexible.at(-0.1).below_string_m,
                0.01 * flexible.at(-0.1).head_arm_m, 0.1 * kMm);
}

TEST(FlexibleShank, AStiffOnePlaysAsARigidOne) {
    const std::array<double, 3> accelerations{2.0, 9.0, 40.0};
    const std::vector<PlayedStroke> rigid = play_strokes(a4(), accelerations),
                                    stiff = play_strokes(settle_test_key(bending(a4_build(), 60)), accelerations),
                                    bent = play_strokes(settle_test_key(bending(a4_build())), accelerations);
    for (std::size_t i = 0; i < accelerations.size(); ++i) {
        EXPECT_NEAR(stiff[i].hammer_speed_mps, rigid[i].hammer_speed_mps, 0.03 * rigid[i].hammer_speed_mps);
        EXPECT_NEAR(stiff[i].string_contact_s, rigid[i].string_contact_s, 2e-4);
        EXPECT_EQ(stiff[i].strikes, 1);
        EXPECT_EQ(bent[i].strikes, 1);
        EXPECT_NEAR(bent[i].string_contact_s, rigid[i].string_contact_s, 3e-4) << "the head meets the strings";
    }
    const Regulation r = measure_regulation(settle_test_key(bending(a4_build())));
    EXPECT_NEAR(r.blow_m, a4().blow_m, 0.5 * kMm) << "it bends little under its own weight";
}

// Askenfelt & Jansson: key bottom 2.5 ms before the strike at f; to 2 ms. Pressed touch of the bench.
TEST(FlexibleShank, ForteKeyIsDownBeforeTheStrike) {
    const double forte_mps = 5.0;
    const auto bottom_after_s = [&](const TestKey& key) {
        const PlayedStroke s = find_strokes(key, {&forte_mps, 1}).front();
        EXPECT_NEAR(s.hammer_speed_mps, forte_mps, 0.05);
        return s.key_bottom_s - s.strike_s;
    };
    const double rigid_s = bottom_after_s(grand_key(40));
    const double bent_s = bottom_after_s(settle_test_key(bending(grand_build(40))));
    EXPECT_NEAR(bent_s, -0.0025, 0.002);
    EXPECT_LT(bent_s, rigid_s - 0.0004) << "the head comes late";
}

// The option keeps the laws: what goes in is stored, lost, or with the strings.
TEST(FlexibleShank, EnergyAddsUp) {
    const TestKey key = settle_test_key(bending(a4_build()));
    for (const double a : {2.0, 9.0, 60.0}) {
        const StrokeEnergy e = measure_stroke_energy(key, a);
        EXPECT_LE(e.balance.residual_J(), 1e-6 + 1e-3 * e.balance.throughput_J) << a;
        EXPECT_GT(e.balance.residual_J(), -0.02 * e.balance.throughput_J) << a;
        EXPECT_GT(e.balance.pivots_J[kHead], 0) << "the shank's own loss";
        EXPECT_GT(e.strings_keep_J, 0);
        EXPECT_LT(e.strings_keep_J, e.hammer_J);
    }
}

TEST(FlexibleShank, AllKeysOfAPianoBendOrNoneDoes) {
    GrandTouch touch;
    touch.keys.push_back({48, kStiffness, 7.3, false});
    EXPECT_EQ(grand_values(48, touch)[kStiffness], 0.0);
    touch.base[kStiffness] = 7.3;
    touch.keys[0].value = 0.0;
    EXPECT_GT(grand_values(48, touch)[kStiffness], 0.0);
    EXPECT_EQ(grand_values(47, touch)[kStiffness], 7.3);
}

}  // namespace
}  // namespace letoff::keyboard
