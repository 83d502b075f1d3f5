// Stulov's felt: stiff to a fast blow, soft to a slow one, and it never gives more than it got.
#include "core/felt/stulov.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace letoff::core {
namespace {

constexpr StulovFelt kFelt{2e9, 2.5, 0.6, 1e-3};

/// Force at the end of a straight press.
double pressed_N(double seconds) {
    StulovState state;
    constexpr int kSteps = 4000;
    constexpr double kDeep_m = 5e-4;
    double force_N = 0;
    for (int i = 0; i < kSteps; ++i)
        force_N = stulov_step_N(kFelt, kDeep_m * i / kSteps, kDeep_m * (i + 1) / kSteps, seconds / kSteps, state);
    return force_N;
}

TEST(Stulov, AFastBlowMeetsAllOfTheStiffnessASlowOneWhatIsLeft) {
    const double elastic_N = 2e9 * std::pow(5e-4, 2.5);
    EXPECT_NEAR(pressed_N(1e-7), elastic_N, 0.002 * elastic_N);
    EXPECT_NEAR(pressed_N(10.0), 0.4 * elastic_N, 0.002 * elastic_N);
}

TEST(Stulov, NoPathGainsEnergy) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> to(-1e-4, 7e-4), pace(-2, 0.5);
    for (int path = 0; path < 100; ++path) {
        StulovState state;
        double u_m = -1e-4, work_J = 0, taken_J = 0;
        constexpr double kH_s = 1e-5;
        for (int turn = 0; turn < 12; ++turn) {
            const double end_m = turn == 11 ? -1e-4 : to(random), step_m = std::pow(10.0, pace(random)) * kH_s;
            while (u_m != end_m) {
                const double next_m =
                    std::abs(end_m - u_m) <= step_m ? end_m : u_m + std::copysign(step_m, end_m - u_m);
                const double force_N = stulov_step_N(kFelt, u_m, next_m, kH_s, state);
                work_J += force_N * (next_m - u_m);
                taken_J += std::abs(force_N * (next_m - u_m));
                u_m = next_m;
            }
        }
        EXPECT_GE(work_J, -1e-4 * taken_J) << path;
    }
}

}  // namespace
}  // namespace letoff::core
