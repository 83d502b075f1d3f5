#include "hw/sensing/key_estimator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace letoff::hw {
namespace {

constexpr double kDt_s = 250e-6;

KeyReading at(double position_m, double velocity_mps) {
    return {position_m, velocity_mps, true};
}

/// A stroke of 10 mm in 30 ms and back up, every 0.2 s; position and speed at t.
KeyReading stroke(double t) {
    const double phase = std::fmod(t, 0.2);
    const double w = 3.14159265358979 / 0.03;
    if (phase > 0.06) return at(0, 0);
    return at(5e-3 * (1 - std::cos(w * phase)), 5e-3 * w * std::sin(w * phase));
}

TEST(KeyEstimator, NoiseOfAHeldKeyIsNearlyGone) {
    // 2 um rms of position; the coil's amplifier 1 mm/s rms and 10 mm/s off.
    KeyEstimator e;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 1);
    double position2 = 0;
    double mean_speed = 0;
    int n = 0;
    for (int i = 0; i < 40000; ++i) {
        e.take(at(4e-3 + 2e-6 * noise(random), 10e-3 + 1e-3 * noise(random)), kDt_s);
        if (i < 20000) continue;
        position2 += (e.position_m() - 4e-3) * (e.position_m() - 4e-3);
        mean_speed += e.velocity_mps();
        ++n;
    }
    EXPECT_FALSE(e.failed());
    EXPECT_LT(std::sqrt(position2 / n), 1.5e-6);  // the coil's 1 mm/s adds to the Hall pair's 0.25 um
    EXPECT_NEAR(mean_speed / n, 0, 0.05e-3);      // the constant was learnt
    EXPECT_NEAR(e.velocity_constant_mps(), 10e-3, 0.1e-3);
}

TEST(KeyEstimator, AFastStrokeIsFollowedThoughTheHallPairErrs) {
    // The Hall pair 10 % wrong in fast motion, the coil right: what Docquier measured.
    KeyEstimator e;
    double worst_hall_m = 0;
    double worst_m = 0;
    double worst_mps = 0;
    for (int i = 0; i < 4000; ++i) {
        const KeyReading truth = stroke(i * kDt_s);
        e.take(at(truth.position_m * 0.9, truth.velocity_mps), kDt_s);
        worst_hall_m = std::max(worst_hall_m, std::abs(truth.position_m * 0.1));
        worst_m = std::max(worst_m, std::abs(e.position_m() - truth.position_m));
        worst_mps = std::max(worst_mps, std::abs(e.velocity_mps() - truth.velocity_mps));
    }
    EXPECT_FALSE(e.failed());
    EXPECT_GT(worst_hall_m, 0.99e-3);
    EXPECT_LT(worst_m, 0.99e-3);
    EXPECT_LT(worst_mps, 0.05);
}

TEST(KeyEstimator, SingleOutliersAreNotBelieved) {
    KeyEstimator e;
    double worst_m = 0;
    for (int i = 0; i < 8000; ++i) {
        const KeyReading truth = stroke(i * kDt_s);
        const bool spike = i % 97 == 0 && i > 0;
        e.take(at(spike ? 14e-3 : truth.position_m, truth.velocity_mps), kDt_s);
        worst_m = std::max(worst_m, std::abs(e.position_m() - truth.position_m));
    }
    EXPECT_FALSE(e.failed());
    EXPECT_EQ(e.outliers(), 82U);
    EXPECT_LT(worst_m, 0.1e-3);
}

TEST(KeyEstimator, ADeadSensorIsFoundWithin20Ms) {
    for (const double dead_m : {-16e-3, 16e-3}) {
        KeyEstimator e;
        for (int i = 0; i < 400; ++i) e.take(at(0, 0), kDt_s);
        int samples = 0;
        while (!e.failed() && samples < 1000) {
            e.take(at(dead_m, 0), kDt_s);
            ++samples;
        }
        EXPECT_EQ(e.trouble(), SensorTrouble::kOutOfTravel);
        EXPECT_LE(samples * kDt_s, 0.0205);
        EXPECT_EQ(e.velocity_mps(), 0);
        e.take(at(0, 0), kDt_s);
        EXPECT_TRUE(e.failed());  // until somebody says otherwise
        e.reset();
        e.take(at(1e-3, 0), kDt_s);
        EXPECT_FALSE(e.failed());
        EXPECT_EQ(e.position_m(), 1e-3);
    }
}

TEST(KeyEstimator, AStuckSensorIsFoundByTheCoil) {
    KeyEstimator e;
    for (int i = 0; i < 400; ++i) e.take(at(0, 0), kDt_s);
    int samples = 0;
    while (!e.failed() && samples < 1000) {
        e.take(at(0, 0.2), kDt_s);
        ++samples;
    }
    EXPECT_EQ(e.trouble(), SensorTrouble::kStuck);
    EXPECT_LE(samples * kDt_s, 0.010);  // 1.5 mm at 0.2 m/s and what fades meanwhile
}

TEST(KeyEstimator, ACoilThatIs20MmPerSecondOffIsNoStuckSensor) {
    KeyEstimator e;
    for (int i = 0; i < 40000; ++i) e.take(at(0, 0.02), kDt_s);
    EXPECT_FALSE(e.failed());
}

TEST(KeyEstimator, WhatIsNoNumberFailsAtOnce) {
    KeyEstimator e;
    e.take(at(0, 0), kDt_s);
    e.take(at(std::numeric_limits<double>::quiet_NaN(), 0), kDt_s);
    EXPECT_EQ(e.trouble(), SensorTrouble::kNotANumber);
    EXPECT_TRUE(std::isfinite(e.position_m()));
}

TEST(KeyEstimator, DriftIsToldThenFails) {
    KeyEstimator e;
    double t = 0;
    const auto rest_at = [&](double m, double seconds) {
        for (; t < seconds; t += kDt_s) e.take(at(m, 0), kDt_s);
        t = 0;
    };
    rest_at(-0.1e-3, 2);
    EXPECT_FALSE(e.drifting());
    rest_at(-0.3e-3, 2);
    EXPECT_TRUE(e.drifting());
    EXPECT_NEAR(e.rest_m(), -0.3e-3, 0.02e-3);
    EXPECT_FALSE(e.failed());
    rest_at(-1.1e-3, 5);
    EXPECT_EQ(e.trouble(), SensorTrouble::kDrifted);
}

TEST(KeyEstimator, AFingerThatRestsOnTheKeyIsNoDrift) {
    KeyEstimator e;
    for (int i = 0; i < 40000; ++i) e.take(at(1.0e-3, 0), kDt_s);  // 10 s
    EXPECT_FALSE(e.drifting());
}

TEST(KeyEstimator, MissingSamplesAreBridged) {
    KeyEstimator e;
    for (int i = 0; i < 4000; ++i) {
        if (i % 40 >= 30) continue;  // 2.5 ms are missing each 10 ms
        const double dt_s = i % 40 == 0 && i > 0 ? 11 * kDt_s : kDt_s;
        const KeyReading truth = stroke(i * kDt_s);
        e.take(truth, dt_s);
        ASSERT_NEAR(e.position_m(), truth.position_m, 0.5e-3) << i;
    }
    EXPECT_FALSE(e.failed());
    e.take(at(8e-3, 0), 0.2);  // after a long gap: where the sensor says
    EXPECT_EQ(e.position_m(), 8e-3);
}

TEST(KeyEstimator, WithoutAVelocitySensorItStillFollows) {
    KeyEstimator e;
    double worst_m = 0;
    for (int i = 0; i < 4000; ++i) {
        KeyReading truth = stroke(i * kDt_s);
        truth.has_velocity = false;
        e.take(truth, kDt_s);
        worst_m = std::max(worst_m, std::abs(e.position_m() - truth.position_m));
    }
    EXPECT_FALSE(e.failed());
    EXPECT_LT(worst_m, 0.4e-3);
}

}  // namespace
}  // namespace letoff::hw
