#include "hw/sensing/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace letoff::hw {
namespace {

/// Two sensors in opposition about 2.5 V whose difference of squares is linear in the position, as eq. 17 has it.
HallPoint hall_at(double position_m, double k_m_per_V2, double offset_m, double noise_V = 0) {
    const double difference_V2 = (position_m - offset_m) / k_m_per_V2;
    // (2.5 + a)^2 - (2.5 - a)^2 = 10 a
    return {2.5 + difference_V2 / 10 + noise_V, 2.5 - difference_V2 / 10, position_m};
}

std::vector<CoilPoint> strokes(double kappa, double constant_V, double noise_V) {
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, 1);
    std::vector<CoilPoint> points;
    for (int i = 0; i < 8000; ++i) {
        const double t = i * 250e-6;
        const double w = 6.2832 * 2;
        points.push_back({t, kappa * 5e-3 * w * std::sin(w * t) + constant_V + noise_V * noise(random),
                          5e-3 - 5e-3 * std::cos(w * t) + 2e-6 * noise(random)});
    }
    return points;
}

TEST(Calibration, FindsKAndOffset) {
    std::vector<HallPoint> points;
    for (int i = 0; i <= 10; ++i) points.push_back(hall_at(i * 1e-3, 1.25e-3, 4e-3));
    const auto fit = fit_hall(points);
    ASSERT_TRUE(fit.ok()) << fit.error();
    EXPECT_NEAR(fit.value().k_m_per_V2, 1.25e-3, 1e-12);
    EXPECT_NEAR(fit.value().offset_m, 4e-3, 1e-12);
    EXPECT_LT(fit.value().position_rms_m, 1e-12);
    EXPECT_NEAR(fit.value().position_m(points[7].front_V, points[7].rear_V), 7e-3, 1e-12);
}

TEST(Calibration, ResidualsTellWhatTheSensorsDo) {
    // Docquier's small quadratic deviation at the ends: 0.2 mm.
    std::vector<HallPoint> points;
    for (int i = 0; i <= 20; ++i) {
        const double x = i / 20.0;
        HallPoint p = hall_at(x * 10e-3 + 0.8e-3 * (x - 0.5) * (x - 0.5), 1.25e-3, 4e-3);
        p.position_m = x * 10e-3;
        points.push_back(p);
    }
    const auto fit = fit_hall(points);
    ASSERT_TRUE(fit.ok()) << fit.error();
    EXPECT_NEAR(fit.value().position_worst_m, 0.127e-3, 0.02e-3);
    EXPECT_NEAR(fit.value().position_rms_m, 0.065e-3, 0.02e-3);
}

TEST(Calibration, RefusesWhatCannotBeTrusted) {
    std::vector<HallPoint> points;
    for (int i = 0; i <= 10; ++i) points.push_back(hall_at(i * 0.3e-3, 1.25e-3, 4e-3));
    EXPECT_NE(fit_hall(points).error().find("over 4 mm or more, not 3.00 mm"), std::string::npos);
    points.clear();
    for (int i = 0; i <= 10; ++i) points.push_back({2.5, 2.5, i * 1e-3});
    EXPECT_NE(fit_hall(points).error().find("do not change"), std::string::npos);
    points.clear();
    for (int i = 0; i <= 10; ++i) points.push_back(hall_at(i * 1e-3, 1.25e-3, 4e-3, i % 2 == 0 ? 0.2 : -0.2));
    EXPECT_NE(fit_hall(points).error().find("Is a magnet loose?"), std::string::npos);
    EXPECT_NE(fit_hall(std::vector<HallPoint>(2)).error().find("not 2"), std::string::npos);
}

TEST(Calibration, KappaFromTheWayNotFromDifferences) {
    const auto fit = fit_coil({}, strokes(1.7, 0.013, 2e-3));
    ASSERT_TRUE(fit.ok()) << fit.error();
    EXPECT_NEAR(fit.value().kappa_Vs_per_m, 1.7, 1.7 * 0.003);
    EXPECT_NEAR(fit.value().coil_offset_V, 0.013, 0.5e-3);
    EXPECT_LT(fit.value().velocity_rms_mps, 1e-3);
    EXPECT_NEAR(fit.value().velocity_mps(0.013 + 1.7 * 0.3), 0.3, 0.002);
}

TEST(Calibration, ACoilThatIsNotConnectedIsRefused) {
    EXPECT_NE(fit_coil({}, strokes(0, 0.013, 2e-3)).error().find("Is it connected?"), std::string::npos);
    std::vector<CoilPoint> still(2000);
    for (std::size_t i = 0; i < still.size(); ++i) still[i].time_s = 250e-6 * static_cast<double>(i);
    EXPECT_FALSE(fit_coil({}, still).ok());
    std::vector<CoilPoint> backwards = strokes(1, 0, 0);
    backwards[100].time_s = 0;
    EXPECT_NE(fit_coil({}, backwards).error().find("sample 100"), std::string::npos);
}

}  // namespace
}  // namespace letoff::hw
