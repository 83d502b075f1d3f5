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
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

KeyBuild upright_build(int key = 49) {
    return action_build("upright", key);
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
    const auto fastest_hz = [](const TestKey& key) {
        double hz = 0;
        for (const double lift_m : {0.006, 0.0075, 0.0085, 0.009})
            hz = std::max(hz, max_repetition_hz(key, lift_m).strikes_hz);
        return hz;
    };
    constexpr double kHalf_m = 0.0045;  // of the dip, half of it
    const double grand_hz = fastest_hz(a4()), upright_hz = fastest_hz(upright_key());
    const double grand_half_hz = max_repetition_hz(a4(), kHalf_m).strikes_hz,
                 upright_half_hz = max_repetition_hz(upright_key(), kHalf_m).strikes_hz;
    std::printf("grand %.2f Hz, from half way %.2f; upright %.2f Hz, from half way %.2f\n", grand_hz, grand_half_hz,
                upright_hz, upright_half_hz);
    EXPECT_GT(upright_hz, 5);
    EXPECT_LT(upright_hz, 0.8 * grand_hz);
    EXPECT_GT(grand_half_hz, 10);
    EXPECT_EQ(upright_half_hz, 0) << "at no rate";
}

core::Mechanism make_by_fit(const GrandValues& values, bool damped, int register_index) {
    return make_upright(values, damped, register_index, FeltCurves::exponential);
}

// The paper's figures 13 and 14: fibres against fitted curves, the same force on the key.
TEST(Upright, FibresAndFittedCurvesMoveHammerAndKeyAlike) {
    static const ActionLanes kLanes{make_by_fit, kUprightLanes.crown, kUprightLanes.pick_up_dip_m,
                                    kUprightLanes.damper_arm_m};
    static const Action kAction{.name = "upright by fitted curves", .what = "", .lanes = &kLanes};
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
        // At forte the key swings by two millimetres on its punching and the check lets go and catches again, in one
        // model a swing later than in the other: most of what the hammer differs by comes from there.
        std::size_t caught = a.size();
        for (std::size_t i = 0; i < a.size() && caught == a.size(); ++i) {
            const auto checked = [&](const Trace& trace) { return trace[i].contact_N[kTailBackcheck] > 0; };
            if (checked(a) || checked(b)) caught = i;
        }
        ASSERT_LT(caught, a.size());
        double hammer_m = 0, until_caught_m = 0, key_m = 0, most_m = 0, struck_N = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double off_m = std::abs(a[i].below_string_m - b[i].below_string_m);
            hammer_m += off_m / static_cast<double>(a.size());
            if (i < caught) until_caught_m += off_m / static_cast<double>(caught);
            key_m += std::abs(a[i].dip_m - b[i].dip_m) / static_cast<double>(a.size());
            most_m = std::max(most_m, off_m);
            struck_N = std::max(struck_N, a[i].string_N);
        }
        const double blow_m = upright_key().blow_m, dip_m = 0.010;
        std::printf(
            "fibres against exponentials, mean of their travel: hammer %.2f %% (until caught %.2f %%), key %.2f %%; "
            "most "
            "%.2f mm\n",
            100 * hammer_m / blow_m, 100 * until_caught_m / blow_m, 100 * key_m / dip_m, most_m / kMm);
        EXPECT_GT(struck_N, 1) << "the hammer strikes";
        EXPECT_LT(until_caught_m, 0.006 * blow_m);
        EXPECT_LT(hammer_m, 0.02 * blow_m);
        EXPECT_LT(key_m, 0.02 * dip_m);
    }
}

// Figures 11 and 12: the key meets its punching, swings on it and dies away; the hammer strikes and is checked.
TEST(Upright, ShowsMasoudisEvents) {
    const std::vector<PathPoint> forte{{0, 0}, {0.03, 12.0}, {0.06, 8.0}, {0.5, 6.0}};
    const Trace trace = simulate_key(upright_key(), DriveMode::force, forte);
    double bottom_s = -1, string_s = -1, check_s = -1;
    std::vector<double> turns;  // of the key after it met the punching: deepest, highest, deepest ...
    for (std::size_t i = 1; i + 1 < trace.size(); ++i) {
        const TraceRow& row = trace[i];
        if (bottom_s < 0 && row.contact_N[kKeyFrontRail] > 0) bottom_s = row.t_s;
        if (string_s < 0 && row.string_N > 0) string_s = row.t_s;
        if (check_s < 0 && string_s > 0 && row.contact_N[kTailBackcheck] > 0) check_s = row.t_s;
        if (bottom_s < 0) continue;
        const bool deepest = row.dip_m > trace[i - 1].dip_m && row.dip_m >= trace[i + 1].dip_m;
        const bool highest = row.dip_m < trace[i - 1].dip_m && row.dip_m <= trace[i + 1].dip_m;
        if (deepest || (highest && !turns.empty())) turns.push_back(row.dip_m);
    }
    std::printf("bottom %.1f ms, string %.1f ms, check %.1f ms\n", bottom_s / kMm, string_s / kMm, check_s / kMm);
    ASSERT_GT(bottom_s, 0);
    ASSERT_GT(string_s, 0);
    EXPECT_GT(check_s, string_s);
    std::vector<double> swings;  // up from a deepest to the highest after it
    for (std::size_t i = 0; i + 1 < turns.size(); i += 2) swings.push_back(turns[i] - turns[i + 1]);
    for (std::size_t i = 0; i < std::min<std::size_t>(5, swings.size()); ++i)
        std::printf("swing %zu: %.3f mm\n", i + 1, swings[i] / kMm);
    // The first is cut short by the hammer that comes back into the check; then the key swings freely.
    const auto largest = std::max_element(swings.begin(), swings.end());
    ASSERT_GE(swings.end() - largest, 3);
    EXPECT_GT(largest[1], 0.1 * kMm) << "a second one to be seen";
    EXPECT_LT(largest[1], 0.8 * largest[0]) << "and it dies away";
    EXPECT_LT(largest[2], 0.8 * largest[1]);
    EXPECT_EQ(trace.back().phase, StrokePhase::check);
}

TEST(Upright, NeitherStrokeNorReturnMakesEnergy) {
    for (const double acceleration : {3.0, 25.0}) {
        const EnergyBalance e = measure_stroke_energy(upright_key(), acceleration).balance;
        EXPECT_NEAR(e.residual_J(), 0, 1e-6 + 1e-3 * e.throughput_J) << "throughput " << e.throughput_J;
        for (const double felt_J : e.felts_J) EXPECT_GT(felt_J, -1e-6);
    }
    // Pushed down and let up again by forces on the key.
    Bench bench(upright_key());
    EnergyMeter meter(bench, upright_key());
    for (const double push_N : {8.0, 1.0, 0.0, 3.0, 0.0}) {
        bench.block().input.key_force_N.fill(push_N);
        bench.run(0.15, [&] { meter.read(); });
    }
    EXPECT_NEAR(meter.balance().residual_J(), 0, 1e-6 + 1e-3 * meter.balance().throughput_J);
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
