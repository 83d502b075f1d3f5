// A felt's fibres out of its stresses: what was put in comes out, and what cannot be is refused with a sentence.
#include "keyboard/regulation/felt_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace letoff::keyboard {
namespace {

using testing::HasSubstr;

std::vector<FeltPoint> stresses_of(const core::MicromechanicalFelt& felt, double to_strain, int count) {
    std::vector<FeltPoint> points;
    for (const bool loading : {true, false}) {
        for (int i = 1; i <= count; ++i) {
            const double strain = to_strain * i / count;
            points.push_back({strain, core::one_way_stress_Pa(felt, loading, strain), loading});
        }
    }
    return points;
}

TEST(FeltFit, FindsTheNetworksItWasMadeOf) {
    for (const double v_f0 : {0.389, 0.086}) {
        const core::Fibres fibres{.v_f0 = v_f0};
        const core::MicromechanicalFelt made{fibres, {4.2e6, 1.4}, {2.6e6, 1.45}};
        const double to_strain = 0.7 * core::most_strain(v_f0);
        const auto fit = fit_felt(stresses_of(made, to_strain, 30), fibres, "made.csv");
        ASSERT_TRUE(fit) << fit.error();
        EXPECT_NEAR(fit.value().felt.loading.K_p_Pa, 4.2e6, 4.2e3);
        EXPECT_NEAR(fit.value().felt.loading.gamma, 1.4, 1.4e-3);
        EXPECT_NEAR(fit.value().felt.unloading.K_p_Pa, 2.6e6, 2.6e3);
        EXPECT_NEAR(fit.value().felt.unloading.gamma, 1.45, 1.45e-3);
        EXPECT_LT(fit.value().loading_share, 1e-5);
        EXPECT_LT(fit.value().unloading_share, 1e-5);
        EXPECT_GT(fit.value().loop_loss, 0.05);
    }
}

TEST(FeltFit, TellsHowFarItIsOff) {
    const core::Fibres fibres{.v_f0 = 0.389};
    std::vector<FeltPoint> points = stresses_of({fibres, {4.2e6, 1.4}, {2.6e6, 1.7}}, 0.3, 40);
    double square = 0, own = 0;
    for (std::size_t i = 0; i < 40; ++i) {  // every other point 3 % up, the rest 3 % down
        const double off = (i % 2 == 0 ? 0.03 : -0.03) * points[i].stress_Pa;
        own += points[i].stress_Pa * points[i].stress_Pa;
        points[i].stress_Pa += off;
        square += off * off;
    }
    const auto fit = fit_felt(points, fibres, "noisy.csv");
    ASSERT_TRUE(fit) << fit.error();
    EXPECT_NEAR(fit.value().loading_share, std::sqrt(square / own), 0.003);
    EXPECT_NEAR(fit.value().loading_rms_Pa, std::sqrt(square / 40), 0.1 * std::sqrt(square / 40));
}

TEST(FeltFit, RefusesWhatTellsTooLittle) {
    const core::Fibres fibres{.v_f0 = 0.389};
    const core::MicromechanicalFelt made{fibres, {4.2e6, 1.4}, {2.6e6, 1.45}};
    const auto few = fit_felt(stresses_of(made, 0.3, 3), fibres, "few.csv");
    ASSERT_FALSE(few);
    EXPECT_EQ(few.error(), "'few.csv': 3 points of the loading branch: at least 4 are needed");
    std::vector<FeltPoint> deep = stresses_of(made, 0.3, 10);
    deep[4].strain = 0.9;
    const auto dense = fit_felt(deep, fibres, "deep.csv");
    ASSERT_FALSE(dense);
    EXPECT_THAT(dense.error(), HasSubstr("a strain of 0.9 with v_f0 0.389: less than 0.419"));
    std::vector<FeltPoint> slack = stresses_of(made, 0.3, 10);
    for (FeltPoint& p : slack) p.stress_Pa = 0;
    const auto none = fit_felt(slack, fibres, "slack.csv");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error(), HasSubstr("no stress above 0 Pa"));
}

TEST(FeltTest, IsReadAndRefusedLineByLine) {
    const auto points =
        parse_felt_test("# hammer\nstrain,stress_Pa,branch\n0.1, 2500,loading\r\n\n0.05,300,unloading\n", "felt.csv");
    ASSERT_TRUE(points) << points.error();
    ASSERT_EQ(points.value().size(), 2u);
    EXPECT_EQ(points.value()[0].stress_Pa, 2500);
    EXPECT_FALSE(points.value()[1].loading);
    const auto refused = [](const char* text) {
        const auto wrong = parse_felt_test(text, "felt.csv");
        return wrong ? std::string() : wrong.error();
    };
    EXPECT_EQ(refused("0.1,2,up\n"),
              "'felt.csv' line 1: '0.1,2,up' is not strain,stress_Pa,loading or strain,stress_Pa,unloading");
    EXPECT_THAT(refused("0.1,2,loading\n1.2,2,loading\n"), HasSubstr("line 2: a strain of 1.2: 0 to less than 1"));
    EXPECT_THAT(refused("nan,2,loading\n"), HasSubstr("a strain of nan"));
    EXPECT_THAT(refused("0.1,-2,loading\n"), HasSubstr("a stress of -2 Pa: 0 to 1000000000 Pa"));
    EXPECT_NE(refused("0.1,2\n"), "");
}

}  // namespace
}  // namespace letoff::keyboard
