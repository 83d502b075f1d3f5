// The Viennese action: its states in order, its figures, and that it repeats only from near its rest.
#include "keyboard/action/fortepiano.h"

#include <gtest/gtest.h>

#include <string>

#include "keyboard/bench/measure.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using C = FortepianoConstants;
constexpr double kMm = 1e-3;

KeyBuild build(int key = 49) {
    return action_build("fortepiano", key);
}
const TestKey& test_key() {
    static const TestKey key = settle_test_key(build());
    return key;
}

struct Seen {
    std::string order = "u";
    int strikes = 0;
    double speed_mps = 0;
};
void look(const Bench& bench, Seen& seen) {
    const char phase = kFortepianoPhases[static_cast<std::size_t>(bench.block().phase(0))].front();
    if (phase != seen.order.back()) seen.order += phase;
    if (!bench.block().events(0).struck) return;
    ++seen.strikes;
    seen.speed_mps = bench.block().events(0).strike.hammer_speed_mps;
}

TEST(Fortepiano, TheBeakSlipsOutAndSnapsUnderAgain) {
    Bench bench(test_key());
    Seen seen;
    const auto watch = [&] { look(bench, seen); };
    bench.drive_at(0.1, test_key().rest_dip_m + 5.3 * kMm, watch);
    for (int i = 0; i < 2000; ++i) {
        bench.drive_tick(0);
        watch();
    }
    EXPECT_EQ(seen.order, "uop") << "thrown, fallen, beside the hopper while the key is down";
    EXPECT_EQ(seen.strikes, 1);
    bench.drive_at(0.1, test_key().rest_dip_m, watch);
    EXPECT_EQ(seen.order, "uopu");
}

TEST(Fortepiano, MeasuresAsSuchPianosAreTold) {
    const KeyReport report = measure_key(build());
    EXPECT_TRUE(report.has_let_off);
    EXPECT_FALSE(report.speech.has_value());
    const Regulation& r = report.regulation;
    EXPECT_NEAR(r.key_dip_m, 5.5 * kMm, 0.3 * kMm);
    EXPECT_NEAR(r.blow_m, 35 * kMm, 0.5 * kMm);
    EXPECT_NEAR(r.let_off_m, C::kLetOff_m, 0.3 * kMm);
    EXPECT_GT(r.aftertouch_m, 0.2 * kMm);
    EXPECT_LT(r.aftertouch_m, 1.2 * kMm);
    // The Kapsel's way over the front's, times head over tail.
    EXPECT_NEAR(r.head_to_key_ratio, C::kKapsel_m / 0.225 * (1 + 120.0 / 16.0), 0.3);
    EXPECT_GT(report.touchweight.down_weight_g, 12);
    EXPECT_LT(report.touchweight.down_weight_g, 30);
    EXPECT_GT(report.touchweight.up_weight_g, 4) << "the key comes back";
    EXPECT_GT(report.repetition.strikes_hz, 5);
    ASSERT_GE(report.strokes.size(), 4U);
}

/// Strikes of a second press from this dip above rest, after a first one.
int strikes_again_from(double up_m) {
    Bench bench(test_key());
    Seen first, second;
    const double down_m = test_key().rest_dip_m + 5.3 * kMm;
    bench.drive_at(0.1, down_m, [&] { look(bench, first); });
    bench.stop_and_hold(0.3);
    EXPECT_EQ(first.strikes, 1);
    bench.drive_at(0.02, test_key().rest_dip_m + up_m);
    bench.stop_and_hold(0.2);
    bench.drive_at(0.2, down_m, [&] { look(bench, second); });
    for (int i = 0; i < 200; ++i) {
        bench.drive_tick(0);
        look(bench, second);
    }
    return second.strikes;
}

TEST(Fortepiano, RepeatsOnlyFromNearItsRest) {
    EXPECT_EQ(strikes_again_from(0.2 * kMm), 1);
    EXPECT_EQ(strikes_again_from(1.5 * kMm), 0);
}

TEST(Fortepiano, TheCheckBrakesTheFallingHead) {
    const auto fall_mps = [](double check_Ns_per_m) {
        // The numbers' last but two; found by its value.
        const ActionNumbers numbers = fortepiano_numbers(test_key().build.values, true);
        ActionNumbers own = numbers;
        for (double& number : own) {
            if (number == C::kCheck_Ns_per_m) number = check_Ns_per_m;
        }
        ActionPose pose;
        pose.phase = kBeakPasses;
        pose.q[kKey] = 5.4 * kMm / 0.225;
        pose.q[kHammer] = -0.13;  // 15 mm under the strings
        pose.v[kHammer] = -1.0 / 0.12;
        pose.q[kFinger] = -0.02;
        ActionStep in;
        in.h_s = 1.0 / 4000;
        in.driven = true;
        in.driven_rad = pose.q[kKey];
        double most = 0;
        for (int i = 0; i < 40; ++i) {
            ActionForces out;
            step_fortepiano(own, in, pose, out);
            most = -pose.v[kHammer] * 0.12;
        }
        return most;
    };
    EXPECT_GT(fall_mps(0), 0.9);
    EXPECT_LT(fall_mps(C::kCheck_Ns_per_m), 0.3);
}

}  // namespace
}  // namespace letoff::keyboard
