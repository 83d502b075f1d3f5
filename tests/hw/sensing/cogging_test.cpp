// Field case 64: a slow press over the cogs of a motor, with and without their table.
#include "hw/sensing/cogging.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hw/sim/plant.h"

namespace letoff::hw {
namespace {

constexpr int kStepsATick = 8;  // 4 kHz
constexpr double kTick_s = kStepsATick * kPlantStep_s;

/// A lever whose motor cogs by 0.1 N each 2 mm and rubs by 50 mN; a command acts a tick after its reading.
DeviceNumbers cogging_lever() {
    DeviceNumbers d = light_lever();
    d.motor.cogging_N = 0.1;
    return d;
}

struct Moved {
    KeyPlant key{cogging_lever(), 3};
    double now_s = 0, pending_N = 0;

    /// A tick later, with the force that was asked for a tick ago.
    KeyPlant::Reading tick(double force_N) {
        key.command_N = pending_N;
        pending_N = force_N;
        for (int i = 0; i < kStepsATick; ++i, now_s += kPlantStep_s) key.step(now_s);
        return key.read();
    }
};

/// The motor moves the key down and up at 5 mm/s by itself: 2 N/mm of stiffness, damped critically.
std::vector<CoggingPoint> self_moved() {
    Moved moved;
    std::vector<CoggingPoint> points;
    double dip_m = 0, speed_mps = 0;
    for (int tick = 0; tick < 4 * 4000; ++tick) {
        const double t_s = tick * kTick_s;
        const bool down = t_s < 2;
        const double wanted_m = 0.005 * (down ? t_s : 4 - t_s) * 0.9, wanted_mps = (down ? 0.0045 : -0.0045);
        const double force_N = 2000 * (dip_m - wanted_m) + 12 * (speed_mps - wanted_mps);
        const KeyPlant::Reading r = moved.tick(force_N);
        dip_m = r.dip_m;
        speed_mps = r.dip_speed_mps;
        const bool at_the_turn = std::abs(t_s - 2) < 0.2 || t_s < 0.2 || t_s > 3.8;
        if (!at_the_turn) points.push_back({dip_m, force_N, down});
    }
    return points;
}

/// What a finger feels beside the mean from 1.5 to 7.5 mm while it presses at 1 mm/s against 1 N: rms and most.
std::pair<double, double> felt_N(const CoggingTable& table) {
    Moved moved;
    moved.key.finger = SimFinger::actuator(0.001, 0.009, 0.5);
    std::vector<double> felt;
    double dip_m = 0;
    for (int tick = 0; tick < 9 * 4000; ++tick) {
        dip_m = moved.tick(1.0 + table.force_N(dip_m)).dip_m;
        if (dip_m > 1.5e-3 && dip_m < 7.5e-3) felt.push_back(moved.key.finger_N());
    }
    double mean = 0, squares = 0, most = 0;
    for (const double f : felt) mean += f / static_cast<double>(felt.size());
    for (const double f : felt) {
        squares += (f - mean) * (f - mean);
        most = std::max(most, std::abs(f - mean));
    }
    return {std::sqrt(squares / static_cast<double>(felt.size())), most};
}

TEST(Cogging, ATableThatTheMotorFoundByItselfTakesItAway) {
    const auto table = fit_cogging(self_moved());
    ASSERT_TRUE(table.ok()) << table.error();
    // The motor adds the opposite of 0.1 N sin(2 pi x / 2 mm).
    EXPECT_NEAR(table.value().force_N(2.5e-3), -0.1, 0.02);
    EXPECT_NEAR(table.value().force_N(3.5e-3), 0.1, 0.02);
    EXPECT_NEAR(table.value().force_N(4.0e-3), 0, 0.02);
    EXPECT_EQ(table.value().force_N(-1e-3), 0);
    EXPECT_EQ(table.value().force_N(12e-3), 0);
    const auto [rms_N, most_N] = felt_N({});
    const auto [left_rms_N, left_most_N] = felt_N(table.value());
    RecordProperty("felt_rms_mN", static_cast<int>(1000 * rms_N));
    std::printf("cogs of 0.1 N at 1 mm/s: felt %.1f mN rms, %.0f most; with the table %.1f rms, %.0f most\n",
                1e3 * rms_N, 1e3 * most_N, 1e3 * left_rms_N, 1e3 * left_most_N);
    EXPECT_GT(rms_N, 0.06);
    EXPECT_LT(left_rms_N, 0.02);
}

TEST(Cogging, WhatTellsTooLittleOrTooMuchIsRefused) {
    std::vector<CoggingPoint> points = self_moved();
    std::vector<CoggingPoint> one_way;
    for (const CoggingPoint& p : points) {
        if (p.down) one_way.push_back(p);
    }
    EXPECT_NE(fit_cogging(one_way).error().find("both ways over 6 mm"), std::string::npos);
    EXPECT_FALSE(fit_cogging({}).ok());
    for (CoggingPoint& p : points) p.force_N *= 10;
    EXPECT_NE(fit_cogging(points).error().find("Does it rub?"), std::string::npos);
    for (CoggingPoint& p : points) p.force_N = std::nan("");
    EXPECT_FALSE(fit_cogging(points).ok());
}

}  // namespace
}  // namespace letoff::hw
