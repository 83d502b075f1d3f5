#include "keyboard/bench/simulate.h"

#include <algorithm>
#include <cmath>

namespace letoff::keyboard {
namespace {

constexpr double kApproach_mps = 0.02, kApproachRest_s = 0.2;

double linear_at(std::span<const PathPoint> path, double t_s) {
    const auto after =
        std::upper_bound(path.begin(), path.end(), t_s, [](double t, const PathPoint& p) { return t < p.t_s; });
    if (after == path.begin()) return path.front().value;
    if (after == path.end()) return path.back().value;
    const PathPoint& a = *(after - 1);
    return a.value + (after->value - a.value) * ((t_s - a.t_s) / (after->t_s - a.t_s));
}

}  // namespace

Spline::Spline(std::span<const PathPoint> points) : points_(points.begin(), points.end()), bend_(points.size()) {
    // h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (slope_i - slope_{i-1}), m: second derivatives; ends:
    // slope 0, and m = 0.
    const size_t n = points_.size();
    std::vector<double> upper(n), right(n);
    const auto h = [&](size_t i) { return points_[i + 1].t_s - points_[i].t_s; };
    const auto slope = [&](size_t i) { return (points_[i + 1].value - points_[i].value) / h(i); };
    upper[0] = 0.5;
    right[0] = 3 * slope(0) / h(0);
    for (size_t i = 1; i + 1 < n; ++i) {
        const double pivot = 2 * (h(i - 1) + h(i)) - h(i - 1) * upper[i - 1];
        upper[i] = h(i) / pivot;
        right[i] = (6 * (slope(i) - slope(i - 1)) - h(i - 1) * right[i - 1]) / pivot;
    }
    bend_[n - 1] = 0;
    for (size_t i = n - 1; i-- > 0;) bend_[i] = right[i] - upper[i] * bend_[i + 1];
}

Spline::Value Spline::at(double t_s) const {
    if (t_s <= points_.front().t_s) return {points_.front().value, 0};
    if (t_s >= points_.back().t_s) return {points_.back().value, 0};
    const auto after =
        std::upper_bound(points_.begin(), points_.end(), t_s, [](double t, const PathPoint& p) { return t < p.t_s; });
    const size_t i = static_cast<size_t>(after - points_.begin()) - 1;
    const double h = points_[i + 1].t_s - points_[i].t_s;
    const double a = (points_[i + 1].t_s - t_s) / h, b = 1 - a;
    const double m0 = bend_[i], m1 = bend_[i + 1], h2_6 = h * h / 6;
    const double value =
        a * points_[i].value + b * points_[i + 1].value + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h2_6;
    const double slope =
        (points_[i + 1].value - points_[i].value) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
    return {value, slope};
}

Trace simulate_key(const TestKey& key, DriveMode mode, std::span<const PathPoint> path) {
    Bench bench(key);
    const double start_s = path.front().t_s, end_s = path.back().t_s;
    const auto ticks = static_cast<std::int64_t>(std::ceil((end_s - start_s) / bench.h_s() - 1e-9));
    Trace trace;
    trace.reserve(static_cast<size_t>(ticks));
    if (mode == DriveMode::force) {
        for (std::int64_t i = 0; i < ticks; ++i) {
            const double t0 = start_s + static_cast<double>(i) * bench.h_s();
            const double force_N = linear_at(path, t0 + 0.5 * bench.h_s());
            bench.block().input.key_force_N[0] = force_N;
            bench.tick();
            trace.push_back(read_row(bench, key, 0, t0 + bench.h_s(), force_N));
        }
        return trace;
    }
    const Spline spline(path);
    if (path.front().value != 0) {
        bench.drive_at(kApproach_mps, key.rest_dip_m + path.front().value);
        bench.stop_and_hold(kApproachRest_s);
    }
    for (std::int64_t i = 0; i < ticks; ++i) {
        const double t1 = start_s + static_cast<double>(i + 1) * bench.h_s();
        const Spline::Value at = spline.at(std::min(t1, end_s));
        const double dip_m = key.rest_dip_m + at.value;
        bench.block().drive_keys({&dip_m, 1}, {&at.slope, 1});
        bench.tick();
        trace.push_back(read_row(bench, key, 0, t1, bench.block().driven_force_N(0)));
    }
    return trace;
}

}  // namespace letoff::keyboard
