// The regulated figures of the grand at A4, as a technician would write them down (design, sections 5 and 7).
#include "keyboard/action/grand.h"

#include <gtest/gtest.h>

#include <cmath>

#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/regulation.h"
#include "keyboard/bench/repetition.h"
#include "keyboard/bench/strokes.h"
#include "keyboard/bench/touchweight.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

const Regulation& regulation() {
    static const Regulation r = measure_regulation(a4());
    return r;
}

TEST(GrandRegulation, DipAndBlow) {
    EXPECT_NEAR(regulation().key_dip_m, 10.0 * kMm, 0.15 * kMm);
    EXPECT_GE(regulation().blow_m, 45.0 * kMm);
    EXPECT_LE(regulation().blow_m, 47.0 * kMm);
    EXPECT_LE(regulation().lost_motion_m, 0.3 * kMm);
    EXPECT_GE(regulation().lost_motion_m, 0.0);
}

TEST(GrandRegulation, LetOffDropAndAftertouch) {
    EXPECT_GE(regulation().let_off_m, 1.5 * kMm);
    EXPECT_LE(regulation().let_off_m, 2.0 * kMm);
    EXPECT_GE(regulation().drop_m, 1.5 * kMm);
    EXPECT_LE(regulation().drop_m, 2.0 * kMm);
    EXPECT_NEAR(regulation().aftertouch_m, 1.0 * kMm, 0.2 * kMm);
}

TEST(GrandRegulation, TheScrewsDoWhatTheyDo) {
    // Regulation report: let-off button 0.1 mm down, let-off +0.67 mm; drop screw 0.1 mm up, drop -0.57 mm.
    KeyBuild button = a4_build(), screw = a4_build();
    button.values[grand_row("let_off_button_y_mm")] -= 0.1;
    screw.values[grand_row("drop_screw_y_mm")] += 0.1;
    EXPECT_NEAR(measure_regulation(settle_test_key(button)).let_off_m - regulation().let_off_m, 0.67 * kMm, 0.1 * kMm);
    EXPECT_NEAR(measure_regulation(settle_test_key(screw)).drop_m - regulation().drop_m, -0.57 * kMm, 0.1 * kMm);
}

TEST(GrandTouch, DownAndUpWeight) {
    const Touchweight t = measure_touchweight(a4(), regulation());
    EXPECT_NEAR(t.down_weight_g, 49.0, 2.0);
    EXPECT_NEAR(t.up_weight_g, 25.0, 2.0);
    EXPECT_DOUBLE_EQ(t.friction_g(), 0.5 * (t.down_weight_g - t.up_weight_g));
    EXPECT_DOUBLE_EQ(t.balance_weight_g(), 0.5 * (t.down_weight_g + t.up_weight_g));
}

TEST(GrandTouch, TenGramsOfLeadTakeOffWhatTheirLeverSays) {
    // 10 g at 150 mm: 6.7 g at the finger point, from both weights.
    KeyBuild leaded = a4_build();
    const double mass = leaded.values[grand_row("key_mass_kg")], com = leaded.values[grand_row("key_com_x_mm")];
    leaded.values[grand_row("key_mass_kg")] = mass + 0.010;
    leaded.values[grand_row("key_com_x_mm")] = (mass * com - 0.010 * 150.0) / (mass + 0.010);
    leaded.values[grand_row("key_inertia_kgm2")] += 0.010 * 0.150 * 0.150;
    const TestKey key = settle_test_key(leaded);
    const Touchweight before = measure_touchweight(a4(), regulation()),
                      after = measure_touchweight(key, measure_regulation(key));
    EXPECT_NEAR(after.down_weight_g - before.down_weight_g, -6.7, 0.51);
    EXPECT_NEAR(after.up_weight_g - before.up_weight_g, -6.7, 0.51);
}

TEST(GrandTouch, WeightBetweenUpAndDownStaysToTheMicrometre) {
    const std::vector<double> dips{0.5 * kMm, 1.5 * kMm, 3.0 * kMm, 4.0 * kMm, 6.0 * kMm};
    for (double grams : {30.0, 37.0, 44.0}) {
        for (const LaidWeight& laid : lay_weight(a4(), grams, dips, 10.0)) {
            EXPECT_LT(std::abs(laid.last_dip_m - laid.first_dip_m), 1e-6)
                << grams << " g at " << laid.start_dip_m / kMm << " mm";
        }
    }
    // 30 g lies inside the friction's band at every dip: the key keeps the place where it was put, but for what its
    // felts give.
    for (const LaidWeight& laid : lay_weight(a4(), 30.0, dips, 0.1))
        EXPECT_LT(std::abs(laid.last_dip_m - laid.start_dip_m), 1e-4);
}

TEST(GrandTouch, DamperAndForceCurve) {
    EXPECT_GE(regulation().damper_pick_up_m, 4.0 * kMm);
    EXPECT_LE(regulation().damper_pick_up_m, 5.0 * kMm);
    const KeyForce force = measure_force(a4(), regulation());
    EXPECT_GE(force.damper_adds_N, 0.2);
    EXPECT_LE(force.damper_adds_N, 0.3);
    EXPECT_NEAR(force.stroke_mass_kg, 0.26, 0.03);
    const ForceCurve& curve = force.curve;
    ASSERT_GT(curve.dip_m.size(), 90u);
    ASSERT_EQ(curve.down_N.size(), curve.dip_m.size());
    ASSERT_EQ(curve.up_N.size(), curve.dip_m.size());
    for (size_t i = 0; i < curve.dip_m.size(); ++i) {
        if (curve.dip_m[i] > 0.5 * kMm && curve.dip_m[i] < 9.5 * kMm) {
            EXPECT_GT(curve.down_N[i], curve.up_N[i]) << curve.dip_m[i];
        }
    }
    // At 3 mm no damper, no button: the weights of a slow press, DW less its start, UW.
    EXPECT_NEAR(curve.down_N[30], 0.42, 0.05);
    EXPECT_NEAR(curve.up_N[30], 0.25, 0.05);
}

TEST(GrandTouch, KeyWithoutDamperIsLighterAndNeverPicksOneUp) {
    KeyBuild bare = a4_build();
    bare.damped = false;
    const TestKey key = settle_test_key(bare);
    const Regulation r = measure_regulation(key);
    EXPECT_EQ(r.damper_pick_up_m, 0.0);
    EXPECT_EQ(measure_force(key, r).damper_adds_N, 0.0);
}

TEST(GrandBlow, ConstantForceOfFiveNewton) {
    Bench bench(a4());
    bench.block().input.key_force_N.fill(5.0);
    double speed = 0;
    bench.run(0.2, [&] {
        const ActionBlock::Events& events = bench.block().events(0);
        if (events.struck && speed == 0) speed = events.strike.hammer_speed_mps;
    });
    EXPECT_NEAR(speed, 2.34, 0.05);
}

TEST(GrandBlow, EveryBlowIsHeldInCheckAndStrikesOnce) {
    std::vector<double> speeds;
    for (int i = 0; i < 20; ++i) speeds.push_back(std::pow(9.0, i / 19.0));  // 1 ... 9 m/s
    std::vector<double> accelerations;
    for (const PlayedStroke& s : find_strokes(a4(), speeds)) accelerations.push_back(s.acceleration_mps2);
    for (const PlayedStroke& s : play_strokes(a4(), accelerations, true)) {
        EXPECT_TRUE(s.held) << s.hammer_speed_mps << " m/s";
        EXPECT_GE(s.check_distance_m, 10 * kMm) << s.hammer_speed_mps << " m/s";
        EXPECT_LE(s.check_distance_m, 19 * kMm) << s.hammer_speed_mps << " m/s";
        EXPECT_LT(std::abs(s.check_drift_m), 1e-5) << s.hammer_speed_mps << " m/s";
        EXPECT_EQ(s.strikes, 1) << s.hammer_speed_mps << " m/s";
    }
}

TEST(GrandBlow, TailIsClearOfTheCheckBeforeTheString) {
    // From the softest stroke that strikes to beyond MIDI velocity 127 (9.3 m/s).
    std::vector<double> accelerations;
    for (int i = 0; i < 64; ++i) accelerations.push_back(0.5 * std::pow(700.0, i / 63.0));
    double fastest = 0;
    for (const PlayedStroke& s : play_strokes(a4(), accelerations)) {
        if (s.strikes > 0) {
            EXPECT_FALSE(s.check_before_string) << s.hammer_speed_mps << " m/s";
        }
        fastest = std::max(fastest, s.hammer_speed_mps);
    }
    EXPECT_GT(fastest, 9.3);
}

TEST(GrandBlow, PressTooSlowToThrowTheHammerIsSilent) {
    Bench bench(a4());
    int strikes = 0;
    bench.drive_at(0.010, regulation().bottom_dip_m, [&] { strikes += bench.block().events(0).struck ? 1 : 0; });
    EXPECT_EQ(strikes, 0);
}

TEST(GrandBlow, RepeatsAtTenHertz) {
    std::array<double, core::kLanes> rates;
    rates.fill(10.0);
    rates[1] = 2.0;  // half a cosine of 6 mm at 2 Hz throws no hammer at 0.5 m/s
    const auto ok = repeats(a4(), {}, kRepetitionLift_m, rates);
    EXPECT_TRUE(ok[0].strikes);
    EXPECT_FALSE(ok[1].strikes);
}

}  // namespace
}  // namespace letoff::keyboard
