#include "hw/sensing/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace letoff::hw {

namespace {

struct Line {
    double slope = 0, constant = 0;
};

struct Pair {
    double x = 0, y = 0;
};

/// y = slope x + constant by least squares, about the means so that nothing is lost to large constants.
bool fit_line(std::span<const Pair> pairs, Line& line) {
    double mean_x = 0;
    double mean_y = 0;
    for (const Pair& p : pairs) {
        mean_x += p.x;
        mean_y += p.y;
    }
    mean_x /= static_cast<double>(pairs.size());
    mean_y /= static_cast<double>(pairs.size());
    double xx = 0;
    double xy = 0;
    for (const Pair& p : pairs) {
        xx += (p.x - mean_x) * (p.x - mean_x);
        xy += (p.x - mean_x) * (p.y - mean_y);
    }
    if (!(xx > 0) || !std::isfinite(xy)) return false;
    line.slope = xy / xx;
    line.constant = mean_y - line.slope * mean_x;
    return std::isfinite(line.slope) && std::isfinite(line.constant);
}

}  // namespace

core::Result<KeySensorCalibration> fit_hall(std::span<const HallPoint> points) {
    if (points.size() < 3) {
        return core::Error{fmt::format("Calibration needs 3 positions or more, not {}.", points.size())};
    }
    double least_m = points[0].position_m;
    double most_m = least_m;
    std::vector<Pair> pairs;
    pairs.reserve(points.size());
    for (const HallPoint& p : points) {
        pairs.push_back({p.front_V * p.front_V - p.rear_V * p.rear_V, p.position_m});
        least_m = std::min(least_m, p.position_m);
        most_m = std::max(most_m, p.position_m);
    }
    if (!(most_m - least_m >= kLeastRange_m)) {
        return core::Error{fmt::format("Calibration needs positions over {} mm or more, not {:.2f} mm.",
                                       kLeastRange_m * 1e3, (most_m - least_m) * 1e3)};
    }
    Line line;
    if (!fit_line(pairs, line)) return core::Error{"The Hall sensors do not change while the key moves."};
    KeySensorCalibration c;
    c.k_m_per_V2 = line.slope;
    c.offset_m = line.constant;
    double squares = 0;
    for (const HallPoint& p : points) {
        const double residual_m = c.position_m(p.front_V, p.rear_V) - p.position_m;
        squares += residual_m * residual_m;
        c.position_worst_m = std::max(c.position_worst_m, std::abs(residual_m));
    }
    c.position_rms_m = std::sqrt(squares / static_cast<double>(points.size()));
    if (!(c.position_rms_m <= kMostResidual_m)) {
        return core::Error{fmt::format(
            "The Hall sensors follow the key only to {:.2f} mm rms; {} mm or less is accepted. Is a magnet loose?",
            c.position_rms_m * 1e3, kMostResidual_m * 1e3)};
    }
    return c;
}

core::Result<KeySensorCalibration> fit_coil(KeySensorCalibration hall, std::span<const CoilPoint> points) {
    // Over each window: integral of U dt = kappa (z1 - z0) + U0 (t1 - t0); divided by its length a line in the mean
    // velocity, with slope kappa and constant U0.
    std::vector<Pair> windows;
    double integral_Vs = 0;
    std::size_t first = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double dt_s = points[i].time_s - points[i - 1].time_s;
        if (!(dt_s > 0))
            return core::Error{fmt::format("Times of the coil's samples must grow; sample {} does not.", i)};
        integral_Vs += 0.5 * (points[i].coil_V + points[i - 1].coil_V) * dt_s;
        const double length_s = points[i].time_s - points[first].time_s;
        if (length_s < kCoilWindow_s) continue;
        windows.push_back({(points[i].position_m - points[first].position_m) / length_s, integral_Vs / length_s});
        integral_Vs = 0;
        first = i;
    }
    double squares = 0;
    for (const Pair& w : windows) squares += w.x * w.x;
    Line line;
    if (windows.size() < 10 || !fit_line(windows, line) || line.slope == 0) {
        return core::Error{fmt::format("The coil needs {} s or more of a moving key, with a voltage that follows it.",
                                       10 * kCoilWindow_s)};
    }
    hall.kappa_Vs_per_m = line.slope;
    hall.coil_offset_V = line.constant;
    double residuals = 0;
    for (const Pair& w : windows) {
        const double residual_mps = (w.y - line.constant) / line.slope - w.x;
        residuals += residual_mps * residual_mps;
    }
    const auto n = static_cast<double>(windows.size());
    hall.velocity_rms_mps = std::sqrt(residuals / n);
    const double rms_mps = std::sqrt(squares / n);
    if (!(hall.velocity_rms_mps <= kMostVelocityResidual * rms_mps)) {
        return core::Error{fmt::format(
            "The coil follows the key only to {:.1f} % of its speed; {} % or less is accepted. Is it connected?",
            100 * hall.velocity_rms_mps / rms_mps, 100 * kMostVelocityResidual)};
    }
    return hall;
}

}  // namespace letoff::hw
