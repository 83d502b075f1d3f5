// Two curves and the way between them: never a gain, whatever the path, and the lanes do what the scalars do.
#include "core/felt/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/felt/micromechanical.h"
#include "core/unit/constants.h"
#include "tests/core/multibody/bodies.h"

namespace letoff::core {
namespace {

FeltCurve curve() {
    const PowerContact contact{1.6e10, 2.7, 2e-3, 50e-6, 6e-4, 0.28};
    const MicromechanicalFelt felt = fit_to_power_law(contact, Fibres{.v_f0 = 0.389});
    return make_felt_curve(contact.deepest_m, [&](double d_m) {
        const FeltStress stress = felt_stress(felt, d_m / contact.thickness_m);
        return CurveForces{contact.area_m2 * stress.loading_Pa, contact.area_m2 * stress.unloading_Pa};
    });
}

TEST(FeltCurve, KeepsTheFunctionItIsMadeOf) {
    const FeltCurve c = make_felt_curve(1e-3, [](double d) { return CurveForces{2e3 * d, 1.5e3 * d}; });
    const FeltCurve::Point p = c.at(0.4321e-3);
    EXPECT_NEAR(p.loading_N, 0.8642, 1e-12);
    EXPECT_NEAR(p.unloading_N, 0.64815, 1e-12);
    EXPECT_NEAR(p.energy_J, 0.5 * 2e3 * 0.4321e-3 * 0.4321e-3, 1e-15);
    EXPECT_NEAR(c.at(2e-3).loading_N, 4, 1e-9) << "straight on beyond the last node";
    EXPECT_EQ(c.at(-1e-4).loading_N, 0);
}

TEST(FeltCurve, NoPathGainsEnergy) {
    const FeltCurve c = curve();
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> to(-2e-4, 9e-4), pace(-3, 0);
    for (int path = 0; path < 200; ++path) {
        double d_m = -1e-4, work_J = 0, taken_J = 0;
        for (int turn = 0; turn < 40; ++turn) {
            const double end_m = turn == 39 ? -1e-4 : to(random), step_m = std::pow(10.0, pace(random)) * 1e-3;
            while (d_m != end_m) {
                const double next_m =
                    std::abs(end_m - d_m) <= step_m ? end_m : d_m + std::copysign(step_m, end_m - d_m);
                const double force_N = mean_curve_force_N(c, d_m, next_m, 1.0 / 4000);
                ASSERT_GE(force_N, 0);
                // Of each step: what went in less what the loading curve holds more.
                const double lost_J = force_N * (next_m - d_m) - (c.at(next_m).energy_J - c.at(d_m).energy_J);
                ASSERT_GE(lost_J, -1e-12 * (1e-6 + c.at(std::max(d_m, next_m)).energy_J));
                work_J += force_N * (next_m - d_m);
                taken_J += std::abs(force_N * (next_m - d_m));
                d_m = next_m;
            }
        }
        EXPECT_GE(work_J, -1e-9 * taken_J) << "from untouched to untouched";
    }
}

TEST(FeltCurve, AFastLoopLosesTheWholeAndASlowOneLess) {
    const FeltCurve c = curve();
    const auto loop_share = [&](double speed_mps) {
        constexpr double kTop_m = 4e-4;
        constexpr int kSteps = 2000;
        double in_J = 0, out_J = 0;
        for (int i = 0; i < kSteps; ++i) {
            const double a = kTop_m * i / kSteps, b = kTop_m * (i + 1) / kSteps, h = (b - a) / speed_mps;
            in_J += mean_curve_force_N(c, a, b, h) * (b - a);
            out_J += mean_curve_force_N(c, b, a, h) * (b - a);
        }
        return 1 - out_J / in_J;
    };
    EXPECT_GT(loop_share(0.1), 0.2);
    EXPECT_NEAR(loop_share(1.0), loop_share(0.1), 0.002) << "the loop does not hang on the speed";
    EXPECT_LT(loop_share(0.0005), 0.2 * loop_share(0.1));
}

/// A mass on a guide, thrown down on to a felt.
struct Thrown {
    double back_mps = 0;
    std::int64_t not_converged = 0;
};
Thrown throw_on(const FeltCurve& felt, double speed_mps, double kg, int hz) {
    Contact contact = felt_under(0, {.k = 1});
    contact.curve = &felt;
    Runner run({.bodies = {on_guide(kg, {0, -1})}, .springs = {}, .contacts = {contact}}, 1.0 / hz);
    double d_m = -1e-4;
    run.set(0, d_m, speed_mps);
    run.push(0, -kg * kGravity_mps2);  // no weight
    for (int i = 0; i < hz / 10; ++i) {
        run.step();
        const double scalar_N = mean_curve_force_N(felt, d_m, run.q(0), 1.0 / hz);
        EXPECT_NEAR(run.force(0), scalar_N, 1e-4 * (1 + scalar_N)) << "step " << i;
        EXPECT_EQ(run.state().q[0].lane[5], run.q(0));
        d_m = run.q(0);
    }
    return {-run.v(0), run.output.not_converged};
}

TEST(FeltCurve, LanesStepTheSameLawAndABallComesBackWithItsShare) {
    const FeltCurve c = curve();
    for (const double speed_mps : {0.05, 0.5, 2.0}) {
        for (const int hz : {1000, 4000, 16000}) {
            const Thrown t = throw_on(c, speed_mps, 0.02, hz);
            EXPECT_EQ(t.not_converged, 0);
            EXPECT_GT(t.back_mps, 0.78 * speed_mps) << hz;
            EXPECT_LT(t.back_mps, 0.92 * speed_mps) << hz;
        }
    }
}

}  // namespace
}  // namespace letoff::core
