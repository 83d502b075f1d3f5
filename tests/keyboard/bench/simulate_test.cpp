#include "keyboard/bench/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

TEST(Spline, GoesThroughItsPointsTwiceContinuouslyDifferentiable) {
    const std::vector<PathPoint> points{{0, 0}, {0.02, 0.001}, {0.05, 0.007}, {0.06, 0.008}, {0.2, 0.002}};
    const Spline spline(points);
    for (const PathPoint& p : points) EXPECT_NEAR(spline.at(p.t_s).value, p.value, 1e-15);
    EXPECT_EQ(spline.at(0).slope, 0.0);
    constexpr double e = 1e-6;
    for (size_t i = 1; i + 1 < points.size(); ++i) {
        const double t = points[i].t_s;
        const double bend_before = (spline.at(t).slope - spline.at(t - e).slope) / e;
        const double bend_after = (spline.at(t + e).slope - spline.at(t).slope) / e;
        EXPECT_NEAR(bend_before, bend_after, 2e-3 * std::abs(bend_before) + 0.05) << t;
        EXPECT_NEAR((spline.at(t + e).value - spline.at(t - e).value) / (2 * e), spline.at(t).slope, 1e-5) << t;
    }
}

TEST(Spline, IsExactForACubicThatMeetsItsEnds) {
    // s = t^2 (3 - t): s'(0) = 0, s''(1) = 0.
    std::vector<PathPoint> points;
    for (double t : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) points.push_back({t, t * t * (3 - t)});
    const Spline spline(points);
    for (double t = 0; t < 1; t += 0.03) {
        EXPECT_NEAR(spline.at(t).value, t * t * (3 - t), 1e-14);
        EXPECT_NEAR(spline.at(t).slope, 6 * t - 3 * t * t, 1e-13);
    }
}

std::vector<PathPoint> press_path() {
    return {{0, 0},        {0.03, 0.0015}, {0.06, 0.0065}, {0.08, 0.0098}, {0.085, 0.01}, {0.09, 0.01},
            {0.1, 0.01},   {0.15, 0.01},   {0.25, 0.01},   {0.29, 0.01},   {0.3, 0.0099}, {0.35, 0.005},
            {0.4, 0.0001}, {0.41, 0},      {0.42, 0},      {0.44, 0},      {0.5, 0},      {0.9, 0}};
}

TEST(Simulate, PositionIsFollowedAndTheWholeStrokeIsThere) {
    const Trace trace = simulate_key(a4(), DriveMode::position, press_path());
    ASSERT_EQ(trace.size(), 3600u);
    EXPECT_NEAR(trace.back().t_s, 0.9, 1e-12);
    const Spline spline(press_path());
    for (const TraceRow& row : trace) ASSERT_LT(row.finger_N, 200.0) << row.t_s;
    for (const TraceRow& row : trace) ASSERT_NEAR(row.dip_m, spline.at(row.t_s).value, 1e-12) << row.t_s;
    const auto first = [&](StrokePhase phase) {
        return std::find_if(trace.begin(), trace.end(), [&](const TraceRow& r) { return r.phase == phase; });
    };
    EXPECT_LT(first(StrokePhase::push), first(StrokePhase::free_flight));
    EXPECT_LT(first(StrokePhase::free_flight), first(StrokePhase::string));
    EXPECT_LT(first(StrokePhase::string), first(StrokePhase::check));
    EXPECT_LT(first(StrokePhase::check), trace.end());
    EXPECT_NEAR(trace.back().below_string_m, a4().blow_m, 1e-3);
    EXPECT_LT(std::abs(trace.back().crown_mps), 0.02);
    // Let off before the strings: the tick before first contact flies freely.
    EXPECT_EQ((first(StrokePhase::string) - 1)->phase, StrokePhase::free_flight);
}

TEST(Simulate, WorkOfTheFingerIsWorkOfTheReaction) {
    // Driven by the recorded reaction the key goes the same way: what position mode says is the force that force mode
    // needs.
    const std::vector<PathPoint> path{{0, 0}, {0.05, 0.001}, {0.1, 0.003}, {0.2, 0.004}};
    const Trace driven = simulate_key(a4(), DriveMode::position, path);
    Bench bench(a4());
    double worst = 0;
    for (const TraceRow& row : driven) {
        bench.block().input.key_force_N[0] = row.finger_N;
        bench.tick();
        worst = std::max(worst, std::abs(bench.dip_m(0) - a4().rest_dip_m - row.dip_m));
    }
    EXPECT_LT(worst, 2e-5);
}

TEST(Simulate, ForceModeTakesTheMiddleOfEachTick) {
    const std::vector<PathPoint> path{{0, 0}, {0.1, 10}};
    const Trace trace = simulate_key(a4(), DriveMode::force, path);
    ASSERT_EQ(trace.size(), 400u);
    EXPECT_NEAR(trace[0].finger_N, 10 * 0.5 / 400, 1e-12);
    EXPECT_NEAR(trace[399].finger_N, 10 * 399.5 / 400, 1e-12);
}

}  // namespace
}  // namespace letoff::keyboard
