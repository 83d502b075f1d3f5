#include "core/felt/curve.h"

#include <algorithm>
#include <cmath>

namespace letoff::core {

FeltCurve make_felt_curve(double deepest_m, const std::function<CurveForces(double)>& forces_N) {
    FeltCurve curve;
    curve.step_m = deepest_m / kCurveIntervals;
    CurveForces at{};
    double energy_J = 0;
    for (int i = 0; i < kCurveIntervals; ++i) {
        CurveForces next = forces_N(curve.step_m * (i + 1));
        next.loading_N = std::max(next.loading_N, at.loading_N);
        next.unloading_N = std::clamp(next.unloading_N, 0.0, next.loading_N);
        FeltCurve::Interval& out = curve.interval[static_cast<std::size_t>(i)];
        out.force_N = at.loading_N;
        out.force_rise_N = next.loading_N - at.loading_N;
        out.loss_N = at.loading_N - at.unloading_N;
        out.loss_rise_N = (next.loading_N - next.unloading_N) - out.loss_N;
        out.energy_J = energy_J;
        energy_J += 0.5 * (at.loading_N + next.loading_N) * curve.step_m;
        at = next;
    }
    // Beyond the last node loss must not overtake force.
    FeltCurve::Interval& last = curve.interval.back();
    if (last.loss_rise_N > last.force_rise_N) last.loss_rise_N = last.force_rise_N;
    return curve;
}

FeltCurve::Point FeltCurve::at(double d_m) const {
    if (!(d_m > 0)) return {};
    const double x = d_m / step_m;
    const int i = static_cast<int>(std::min(x, static_cast<double>(kCurveIntervals - 1)));
    const Interval& here = interval[static_cast<std::size_t>(i)];
    const double t = x - i;
    const double loading_N = here.force_N + here.force_rise_N * t;
    return {loading_N, loading_N - (here.loss_N + here.loss_rise_N * t),
            here.energy_J + (here.force_N + 0.5 * here.force_rise_N * t) * t * step_m};
}

double mean_curve_force_N(const FeltCurve& curve, double d0_m, double d1_m, double h_s) {
    const FeltCurve::Point a = curve.at(d0_m), b = curve.at(d1_m);
    const double way_m = d1_m - d0_m;
    const double scale_m = std::max({d0_m, d1_m, 0.0});
    const double elastic_N = std::abs(way_m) <= 1e-5 * scale_m ? 0.5 * (a.loading_N + b.loading_N)
                             : scale_m > 0                     ? (b.energy_J - a.energy_J) / way_m
                                                               : 0.0;
    const double loss_N = 0.5 * ((a.loading_N - a.unloading_N) + (b.loading_N - b.unloading_N));
    return std::max(0.0, elastic_N + loss_N * std::tanh(kTransition_s_per_m * std::min(0.0, way_m / h_s)));
}

}  // namespace letoff::core
