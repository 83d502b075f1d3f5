// The grand against what the papers measured on theirs: Thorin et al. 2017 and Docquier et al. 2021.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/unit/constants.h"
#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/simulate.h"
#include "keyboard/bench/strokes.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

/// The hammer when jack and lever have pushed it for the last time, and as it meets the strings.
struct Thrown {
    double escapement_mps = 0, way_m = 0, string_mps = 0;
};

Thrown throw_with(const TestKey& key, double force_N) {
    Bench bench(key);
    bench.block().input.key_force_N.fill(force_N);
    Thrown thrown;
    bool pushed = false;
    while (thrown.string_mps == 0 && bench.now_s() < 0.6) {
        bench.tick();
        const bool pushes = bench.contact_N(kJackKnuckle, 0) > 0 || bench.contact_N(kLeverKnuckle, 0) > 0;
        if (pushed && !pushes) thrown = {bench.block().crown_speed_mps(0), bench.below_string_m(0), 0};
        pushed = pushes;
        const ActionBlock::Events& events = bench.block().events(0);
        if (events.struck) thrown.string_mps = events.strike.hammer_speed_mps;
    }
    return thrown;
}

// Thorin table 5: hammer speeds at escapement of 1.00 (piano) and 1.56 m/s (forte). From there it flies alone: v^2 - 2
// g_eff h, g_eff the fall of the crown by weight and pivot friction.
TEST(Thorin, FreeFlightLosesWhatWeightAndFrictionTake) {
    const TestKey key = settle_test_key(a4_build(), 16000);  // the moment of parting to 0.06 ms
    const GrandValues v = grand_defaults();
    const double arm_m = v[grand_row("crown_x_mm")] * kMm;
    const double torque_Nm =
        v[grand_row("hammer_mass_kg")] * core::kGravity_mps2 * v[grand_row("hammer_com_x_mm")] * kMm +
        v[grand_row("hammer_dry_friction_Nm")];
    const double g_eff = torque_Nm / v[grand_row("hammer_inertia_kgm2")] * arm_m;
    for (const double wanted_mps : {1.00, 1.56}) {
        double low_N = 0.5, high_N = 6;
        for (int i = 0; i < 24; ++i) {
            const double middle_N = 0.5 * (low_N + high_N);
            (throw_with(key, middle_N).escapement_mps < wanted_mps ? low_N : high_N) = middle_N;
        }
        const Thrown thrown = throw_with(key, high_N);
        ASSERT_NEAR(thrown.escapement_mps, wanted_mps, 0.005);
        ASSERT_GT(thrown.way_m, 1 * kMm);
        const double expected = std::sqrt(thrown.escapement_mps * thrown.escapement_mps - 2 * g_eff * thrown.way_m);
        EXPECT_NEAR(thrown.string_mps, expected, 0.02 * expected) << wanted_mps << " m/s at escapement";
    }
}

/// The path and the force of a piano stroke (1 m/s at the strings), a point every millisecond, until the key is so deep
/// or the time is over.
struct Piano {
    std::vector<PathPoint> path, force;
};
Piano piano_stroke(double deepest_m, double end_s) {
    const double speed = 1.0;
    const PlayedStroke stroke = find_strokes(a4(), {&speed, 1}).front();
    Piano piano;
    const Trace trace = record_keystroke(a4(), stroke.acceleration_mps2, {0.02, 0.30, 0.1, 0.25});
    for (std::size_t i = 0; i < trace.size() && trace[i].t_s < end_s && trace[i].dip_m < deepest_m; i += 4) {
        piano.path.push_back({trace[i].t_s, trace[i].dip_m});
        piano.force.push_back({trace[i].t_s, trace[i].finger_N});
    }
    return piano;
}

// Thorin section 5, figure 12: forces of a position-driven piano stroke hardly differ between 2 and 10 kHz. 12 kHz
// stands for 10, which does not divide the strike grid. 5 % of the peak, root mean square.
TEST(Thorin, ForcesAtTwoAndTwelveKilohertzAgree) {
    const Piano piano = piano_stroke(1, 0.25);
    const Trace coarse = simulate_key(settle_test_key(a4_build(), 2000), DriveMode::position, piano.path);
    const Trace fine = simulate_key(settle_test_key(a4_build(), 12000), DriveMode::position, piano.path);
    constexpr std::size_t kFiner = 6;
    double squares = 0, peak_N = 0;
    const std::size_t rows = std::min(coarse.size(), fine.size() / kFiner);
    for (std::size_t i = 0; i < rows; ++i) {
        double mean_N = 0;
        for (std::size_t k = 0; k < kFiner; ++k) mean_N += fine[i * kFiner + k].finger_N / kFiner;
        squares += (coarse[i].finger_N - mean_N) * (coarse[i].finger_N - mean_N);
        peak_N = std::max(peak_N, std::abs(mean_N));
    }
    ASSERT_GT(peak_N, 1.0);
    EXPECT_LT(std::sqrt(squares / static_cast<double>(rows)), 0.05 * peak_N);
}

/// Thorin's relative error: integral of the difference by integral of the reference.
template <typename Value>
double relative_change(const Trace& reference, const Trace& other, Value&& value) {
    double difference = 0, whole = 0;
    for (std::size_t i = 0; i < std::min(reference.size(), other.size()); ++i) {
        difference += std::abs(value(reference[i]) - value(other[i]));
        whole += std::abs(value(reference[i]));
    }
    return difference / whole;
}

// Thorin section 5: with rigid felts ("bad model") a force-driven key goes almost the same way (9 % on their action), a
// position-driven one gives quite another force. Descent only: rigid, the key ends earlier.
TEST(Thorin, RigidFeltsShowInTheForceAndHardlyInTheMotion) {
    KeyBuild rigid = a4_build();
    for (std::size_t i = 0; i < kGrandRowCount; ++i) {
        if (kGrandRows[i].id.ends_with("_felt_k")) rigid.values[i] *= 1000;
    }
    const TestKey bad = settle_test_key(rigid);
    const Piano piano = piano_stroke(8 * kMm, 1);
    ASSERT_GT(piano.path.back().value, 7.5 * kMm);
    const auto dip = [](const TraceRow& row) { return row.dip_m; };
    const auto force = [](const TraceRow& row) { return row.finger_N; };
    const double in_motion = relative_change(simulate_key(a4(), DriveMode::force, piano.force),
                                             simulate_key(bad, DriveMode::force, piano.force), dip);
    const double in_force = relative_change(simulate_key(a4(), DriveMode::position, piano.path),
                                            simulate_key(bad, DriveMode::position, piano.path), force);
    EXPECT_LT(in_motion, 0.15);
    EXPECT_GT(in_force, 5 * in_motion);
}

ForceCurve curve_of(const KeyBuild& build) {
    const TestKey key = settle_test_key(build);
    return measure_force(key, measure_regulation(key)).curve;
}

/// The let-off's bump: the greatest force between the damper's carrying and the key bottom.
struct Bump {
    double dip_m = 0, force_N = 0;
};
Bump bump_of(const ForceCurve& curve) {
    Bump bump;
    for (std::size_t i = 0; i < curve.dip_m.size(); ++i) {
        if (curve.dip_m[i] > 6 * kMm && curve.dip_m[i] < 9.6 * kMm && curve.down_N[i] > bump.force_N)
            bump = {curve.dip_m[i], curve.down_N[i]};
    }
    return bump;
}

// Docquier figures 24 and 25: full dip at 10 mm/s, the escapement's bump at 8-9 mm; let-off button 0.5 mm lower:
// earlier and lower; 0.5 mm higher: later.
TEST(Docquier, LetOffBumpStandsAtEightToNineMillimetresAndFollowsTheButton) {
    const Bump normal = bump_of(curve_of(a4_build()));
    EXPECT_GE(normal.dip_m, 8 * kMm);
    EXPECT_LE(normal.dip_m, 9 * kMm);
    EXPECT_GT(normal.force_N, 0.8) << "0.47 N carry hammer and damper so far";
    const Bump low = bump_of(curve_of(turned(a4_build(), grand_row("let_off_button_y_mm"), -0.5)));
    const Bump high = bump_of(curve_of(turned(a4_build(), grand_row("let_off_button_y_mm"), 0.5)));
    EXPECT_LT(low.dip_m, normal.dip_m - 0.3 * kMm);
    EXPECT_GT(high.dip_m, normal.dip_m + 0.3 * kMm);
    EXPECT_LT(low.force_N, normal.force_N - 0.1);
}

// Docquier figure 26: a point mass of 3 and 6 g on the hammer raises the force on the way to the let-off, and its bump.
TEST(Docquier, AHeavierHammerRaisesTheCurveAndItsBump) {
    const auto with_mass = [](double kg) {
        KeyBuild build = a4_build();
        const auto row = [&](std::size_t id) -> double& { return build.values[id]; };
        const double x = 130, y = 30, mass = row(grand_row("hammer_mass_kg"));  // mm, on the head
        row(grand_row("hammer_com_x_mm")) = (mass * row(grand_row("hammer_com_x_mm")) + kg * x) / (mass + kg);
        row(grand_row("hammer_com_y_mm")) = (mass * row(grand_row("hammer_com_y_mm")) + kg * y) / (mass + kg);
        row(grand_row("hammer_mass_kg")) += kg;
        row(grand_row("hammer_inertia_kgm2")) += kg * (x * x + y * y) * kMm * kMm;
        return curve_of(build);
    };
    const ForceCurve none = with_mass(0), three = with_mass(0.003), six = with_mass(0.006);
    int compared = 0;
    for (std::size_t i = 0; i < none.dip_m.size(); ++i) {
        if (none.dip_m[i] < 0.5 * kMm || none.dip_m[i] > 7.3 * kMm) continue;
        ++compared;
        EXPECT_GT(three.down_N[i], none.down_N[i] + 0.05) << none.dip_m[i];
        EXPECT_GT(six.down_N[i], three.down_N[i] + 0.05) << none.dip_m[i];
    }
    EXPECT_GT(compared, 60);
    EXPECT_GT(bump_of(three).force_N, bump_of(none).force_N + 0.05);
    EXPECT_GT(bump_of(six).force_N, bump_of(three).force_N + 0.05);
}

}  // namespace
}  // namespace letoff::keyboard
