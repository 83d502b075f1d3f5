// The upright: its regulation against what technicians give, Masoudi & McPhee's events, and its felts.
#include "keyboard/action/upright.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "keyboard/bench/energy.h"
#include "keyboard/bench/regulation.h"
#include "keyboard/bench/repetition.h"
#include "keyboard/bench/simulate.h"
#include "keyboard/bench/strokes.h"
#include "keyboard/bench/touchweight.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

KeyBuild upright_build(int key = 49) {
    GrandTouch touch;
    touch.action = find_action("upright");
    return grand_keys(all_strings(), key - 1, 1, touch).front();
}
const TestKey& upright_key() {
    static const TestKey key = settle_test_key(upright_build());
    return key;
}

TEST(Upright, IsAMechanismThatTheStepIsCompiledFor) {
    const core::Mechanism upright = mechanism_of(upright_build());
    EXPECT_EQ(core::make_lane_model({&upright, 1}).topology.shape, core::Shape::kUpright);
    int curves = 0;
    for (const core::Contact& contact : upright.contacts) curves += contact.curve != nullptr;
    EXPECT_EQ(curves, 14)
        << "of 16 contacts: the strap is a tape, the finger a finger; hammer and strings are a felt more";
}

TEST(Upright, CompiledInOrNotTheBitsAreTheSame) {
    const core::Mechanism upright = mechanism_of(upright_build());
    const core::LaneModel compiled = core::make_lane_model({&upright, 1});
    core::LaneModel any = compiled;
    any.topology.shape = core::Shape::kAny;
    core::LaneState a = core::drawn_state({&upright, 1}), b = a;
    core::StepInput input;
    core::StepOutput out_a, out_b;
    for (int tick = 0; tick < 2000; ++tick) {
        const double push_N = tick < 600 ? 8.0 : tick < 1200 ? -0.5 : 1.5;
        for (double& force_N : input.force[kFinger].lane) force_N = push_N;
        core::step_lanes(compiled, input, 1.0 / 4000, a, out_a);
        core::step_lanes(any, input, 1.0 / 4000, b, out_b);
        ASSERT_TRUE(core::same_lane(a, b, 0)) << "tick " << tick;
    }
    EXPECT_GT(a.q[kKey].lane[0], 0) << "the key has moved";
}

// reference/regulation.csv: N. Hunt, MMD, Schimmel.
TEST(Upright, IsRegulatedAsUprightsAre) {
    for (const int key : {1, 20, 49, 70, 88}) {
        const TestKey test = settle_test_key(upright_build(key));
        const Regulation r = measure_regulation(test);
        std::printf("key %d: dip %.2f blow %.2f let-off %.2f aftertouch %.2f lost %.2f pick-up %.2f mm\n", key,
                    r.key_dip_m / kMm, r.blow_m / kMm, r.let_off_m / kMm, r.aftertouch_m / kMm, r.lost_motion_m / kMm,
                    r.damper_pick_up_m / kMm);
        EXPECT_NEAR(r.key_dip_m, 10.25 * kMm, 0.35 * kMm) << key;
        EXPECT_NEAR(r.blow_m, 46 * kMm, 2 * kMm) << key;
        EXPECT_GT(r.let_off_m, 1.8 * kMm) << key;
        EXPECT_LT(r.let_off_m, 3.3 * kMm) << key;
        EXPECT_GT(r.aftertouch_m, 0.3 * kMm) << key;
        EXPECT_LT(r.aftertouch_m, 1.4 * kMm) << key;
        EXPECT_LT(r.lost_motion_m, 0.5 * kMm) << key;
    }
}

// "Damper spoon engages when the hammer is half way to the string."
TEST(Upright, TheSpoonTakesTheDamperWhenTheHammerIsHalfWay) {
    Bench bench(upright_key());
    double share = -1;
    bench.drive_at(0.01, upright_key().rest_dip_m + 0.008, [&] {
        if (share < 0 && bench.contact_N(kKeyDamper, 0) > 0.05)
            share = 1 - bench.below_string_m(0) / upright_key().blow_m;
    });
    EXPECT_NEAR(share, 0.5, 0.1);
    EXPECT_GT(bench.block().damper_lift_m(0), 1 * kMm);
}

TEST(Upright, StrikesThroughItsRangeAndIsChecked) {
    const std::vector<double> accelerations{2, 5, 9, 25};
    for (const PlayedStroke& stroke : play_strokes(upright_key(), accelerations, true)) {
        std::printf("a %.0f: %.2f m/s, contact %.2f ms, check %.1f mm\n", stroke.acceleration_mps2,
                    stroke.hammer_speed_mps, stroke.string_contact_s / kMm, stroke.check_distance_m / kMm);
        EXPECT_EQ(stroke.strikes, 1) << stroke.acceleration_mps2;
        EXPECT_GT(stroke.hammer_speed_mps, 0.4);
        EXPECT_FALSE(stroke.check_before_string) << stroke.acceleration_mps2;
        if (stroke.hammer_speed_mps < 1) continue;
        EXPECT_TRUE(stroke.held) << stroke.acceleration_mps2;
        EXPECT_NEAR(stroke.check_distance_m, 15 * kMm, 5 * kMm) << "MMD 15, British 19 mm";
    }
}

// An upright has no repetition lever: its jack comes back under the butt only when the key is nearly up again.
TEST(Upright, RepeatsSlowerThanTheGrandAndOnlyFromNearFullReturn) {
    const RepetitionRate grand = max_repetition_hz(a4()), grand_small = max_repetition_hz(a4(), kSmallLift_m);
    const RepetitionRate full = max_repetition_hz(upright_key(), 0.009), upright = max_repetition_hz(upright_key()),
                         small = max_repetition_hz(upright_key(), kSmallLift_m);
    std::printf("grand %.2f Hz, lift 4 mm %.2f; upright %.2f Hz, lift 9 mm %.2f, 4 mm %.2f\n", grand.strikes_hz,
                grand_small.strikes_hz, upright.strikes_hz, full.strikes_hz, small.strikes_hz);
    EXPECT_GT(full.strikes_hz, 4);
    EXPECT_LT(std::max(full.strikes_hz, upright.strikes_hz), grand.strikes_hz);
    EXPECT_EQ(small.strikes_hz, 0);
    EXPECT_GT(grand_small.strikes_hz, 10);
}

core::Mechanism make_by_power_law(const GrandValues& values, bool damped, int register_index) {
    return make_upright(values, damped, register_index, FeltCurves::power_law);
}

// The paper's figures 13 and 14: fibres against fitted curves, the same force on the key.
TEST(Upright, FibresAndFittedCurvesMoveHammerAndKeyAlike) {
    static const ActionLanes kLanes{make_by_power_law, kUprightLanes.crown, kUprightLanes.pick_up_dip_m,
                                    kUprightLanes.damper_arm_m};
    static const Action kAction{.name = "upright by power laws", .what = "", .lanes = &kLanes};
    KeyBuild build = upright_build();
    build.action = &kAction;
    const TestKey by_curves = settle_test_key(build);
    // Piano and forte, pressed (the shapes of figures 11 and 12; their sizes are not in the text).
    const std::vector<std::vector<PathPoint>> presses{{{0, 0}, {0.08, 2.0}, {0.25, 2.5}, {0.5, 2.5}},
                                                      {{0, 0}, {0.03, 12.0}, {0.06, 8.0}, {0.5, 6.0}}};
    for (const std::vector<PathPoint>& press : presses) {
        const Trace a = simulate_key(upright_key(), DriveMode::force, press),
                    b = simulate_key(by_curves, DriveMode::force, press);
        ASSERT_EQ(a.size(), b.size());
        double hammer = 0, hammer_way = 0, key = 0, key_way = 0, struck = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            hammer += std::abs(a[i].below_string_m - b[i].below_string_m);
            hammer_way += upright_key().blow_m - std::min(a[i].below_string_m, upright_key().blow_m);
            key += std::abs(a[i].dip_m - b[i].dip_m);
            key_way += std::abs(a[i].dip_m);
            struck = std::max(struck, a[i].string_N);
        }
        std::printf("fibres against power laws: hammer %.2f %%, key %.2f %%\n", 100 * hammer / hammer_way,
                    100 * key / key_way);
        EXPECT_GT(struck, 1) << "the hammer strikes";
        EXPECT_LT(hammer, 0.02 * hammer_way);
        EXPECT_LT(key, 0.02 * key_way);
    }
}

// Figures 11 and 12: the key meets its punching, swings on it and dies away; the hammer strikes and is checked.
TEST(Upright, ShowsMasoudisEvents) {
    const std::vector<PathPoint> forte{{0, 0}, {0.03, 12.0}, {0.06, 8.0}, {0.5, 6.0}};
    const Trace trace = simulate_key(upright_key(), DriveMode::force, forte);
    double bottom_s = -1, string_s = -1, check_s = -1;
    std::vector<double> deepest, highest;  // turning points of the key after it met the punching
    for (std::size_t i = 1; i + 1 < trace.size(); ++i) {
        const TraceRow& row = trace[i];
        if (bottom_s < 0 && row.contact_N[kKeyFrontRail] > 0) bottom_s = row.t_s;
        if (string_s < 0 && row.string_N > 0) string_s = row.t_s;
        if (check_s < 0 && string_s > 0 && row.contact_N[kTailBackcheck] > 0) check_s = row.t_s;
        if (bottom_s < 0) continue;
        if (row.dip_m > trace[i - 1].dip_m && row.dip_m >= trace[i + 1].dip_m) deepest.push_back(row.dip_m);
        if (row.dip_m < trace[i - 1].dip_m && row.dip_m <= trace[i + 1].dip_m) highest.push_back(row.dip_m);
    }
    std::printf("bottom %.1f ms, string %.1f ms, check %.1f ms\n", bottom_s / kMm, string_s / kMm, check_s / kMm);
    ASSERT_GT(bottom_s, 0);
    ASSERT_GT(string_s, 0);
    EXPECT_GT(check_s, string_s);
    ASSERT_GE(deepest.size(), 2U);
    ASSERT_GE(highest.size(), 2U);
    for (std::size_t i = 0; i < std::min<std::size_t>(4, std::min(deepest.size(), highest.size())); ++i)
        std::printf("swing %zu: %.3f mm down to %.3f mm\n", i + 1, highest[i] / kMm, deepest[i] / kMm);
    EXPECT_LT(std::abs(deepest[1] - highest[1]), std::abs(deepest[0] - highest[0]));
    EXPECT_EQ(trace.back().phase, StrokePhase::check);
}

TEST(Upright, NeitherStrokeNorReturnMakesEnergy) {
    for (const double acceleration : {3.0, 25.0}) {
        Bench bench(upright_key());
        bench.press(0, acceleration);
        EnergyMeter meter(bench, upright_key());
        const auto run = [&](double seconds) { bench.run(seconds, [&] { meter.read(); }); };
        run(0.25);
        bench.lift(0, 0.25);
        run(0.2);
        const EnergyBalance& e = meter.balance();
        EXPECT_NEAR(e.residual_J(), 0, 1e-6 + 1e-3 * e.throughput_J) << "throughput " << e.throughput_J;
        for (const double felt_J : e.felts_J) EXPECT_GT(felt_J, -1e-6);
    }
}

TEST(Upright, ATouchOfTheGrandTurnsItsScrews) {
    KeyBuild build = upright_build();
    build.values[grand_row("let_off_button_y_mm")] -= 0.2;
    const double earlier_m = measure_regulation(settle_test_key(build)).let_off_m;
    EXPECT_GT(earlier_m, measure_regulation(upright_key()).let_off_m + 0.3 * kMm);
    KeyBuild heavy = upright_build();
    heavy.values[grand_row("hammer_mass_kg")] += 0.002;
    EXPECT_NEAR(mechanism_of(heavy).bodies[kHammer].mass_kg,
                mechanism_of(upright_build()).bodies[kHammer].mass_kg + 0.002, 1e-12);
    EXPECT_GT(mechanism_of(upright_build(1)).bodies[kHammer].mass_kg,
              mechanism_of(upright_build(88)).bodies[kHammer].mass_kg + 0.006);
}

}  // namespace
}  // namespace letoff::keyboard
