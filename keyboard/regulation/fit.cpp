#include "keyboard/regulation/fit.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "keyboard/keybed/grand_keys.h"
#include "keyboard/regulation/force_grid.h"

namespace letoff::keyboard {
namespace {

constexpr double kDriven_mps = 0.010, kBottomRest_s = 0.1;
constexpr double kDip_N = 3.0;
constexpr int kRounds = 20;

struct Fitted {
    std::string_view row;
    double nudge, most;  // for the derivative; in one round
};
constexpr std::array<Fitted, core::kLanes - 1> kFitted{{{"key_lead_g", 2, 30},
                                                        {"key_pin_friction_g", 0.3, 6},
                                                        {"let_off_button_y_mm", 0.01, 0.08},
                                                        {"repetition_spring_percent", 3, 20},
                                                        {"knuckle_friction_percent", 5, 40},
                                                        {"damper_gap_mm", 0.05, 0.5},
                                                        {"damper_weight_g", 1, 10}}};
constexpr std::string_view kDipScrew = "front_rail_y_mm";
constexpr std::size_t kCount = kFitted.size();
using Values = std::array<double, kCount>;

double at(const ForceCurve& curve, const std::vector<double>& force_N, double dip_m) {
    const auto& d = curve.dip_m;
    if (d.empty()) return 0;
    const auto above = std::lower_bound(d.begin(), d.end(), dip_m);
    if (above == d.begin()) return force_N.front();
    if (above == d.end()) return force_N.back();
    const auto i = static_cast<std::size_t>(above - d.begin());
    const double share = (dip_m - d[i - 1]) / (d[i] - d[i - 1]);
    return force_N[i - 1] + share * (force_N[i] - force_N[i - 1]);
}

/// Where the force on the way down first reaches kDip_N; 0 where it does not.
template <typename Each>
double dip_at_bottom(std::size_t count, Each&& point) {
    for (std::size_t i = 1; i < count; ++i) {
        const auto [dip0, force0] = point(i - 1);
        const auto [dip1, force1] = point(i);
        if (force0 < kDip_N && force1 >= kDip_N) return dip0 + (kDip_N - force0) / (force1 - force0) * (dip1 - dip0);
    }
    return 0;
}
double dip_at_bottom(const ForceCurve& curve) {
    return dip_at_bottom(curve.dip_m.size(), [&](std::size_t i) { return std::pair(curve.dip_m[i], curve.down_N[i]); });
}

class Fit {
  public:
    Fit(const GrandTouch& touch, int key_index, std::span<const CurvePoint> points, const core::StringSet& strings)
        : touch_(touch), key_index_(key_index), strings_(strings) {
        std::vector<CurvePoint> down;
        for (const CurvePoint& p : points) {
            deepest_m_ = std::max(deepest_m_, p.dip_m);
            if (p.down) down.push_back(p);
            if (p.force_N <= kFittedTo_N) points_.push_back(p);
        }
        std::sort(down.begin(), down.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.dip_m < b.dip_m; });
        bottom_m_ =
            dip_at_bottom(down.size(), [&](std::size_t i) { return std::pair(down[i].dip_m, down[i].force_N); });
        // Beyond the bottom both branches are the front rail's; a curve that ends before tells nothing of where it is.
        constexpr double kNearBottom_m = 5e-4;
        const double end_m = (bottom_m_ > 0 ? bottom_m_ : deepest_m_) - kNearBottom_m;
        std::erase_if(points_, [&](const CurvePoint& p) { return p.dip_m > end_m; });
    }

    CurveFit run() {
        CurveFit out;
        Values x{};
        double bottom_mm = 0, damping = 1e-3;
        std::array<Way, kCount> ways;
        for (std::size_t p = 0; p < kCount; ++p) ways[p] = way_of(touch_, key_index_, kFitted[p].row);
        const Way bottom_way = way_of(touch_, key_index_, kDipScrew);
        auto curves = around(x, bottom_mm);
        out.before = curves.front();
        double error = error_of(curves.front());
        out.rms_before_N = rms(error);
        Values best = x;
        double best_bottom = bottom_mm;
        for (int round = 0; round < kRounds; ++round) {
            const Values step = step_from(curves, damping);
            Values next{};
            for (std::size_t p = 0; p < kCount; ++p)
                next[p] = reached(ways[p], best[p] + std::clamp(step[p], -kFitted[p].most, kFitted[p].most));
            const double next_bottom = reached(bottom_way, best_bottom + bottom_off_mm(curves.front()));
            auto tried = around(next, next_bottom);
            const double tried_error = error_of(tried.front());
            if (tried_error < error || std::abs(bottom_off_mm(curves.front())) > 0.01) {
                const bool settled = tried_error > 0.9999 * error && std::abs(bottom_off_mm(tried.front())) < 0.005;
                error = tried_error;
                best = next;
                best_bottom = next_bottom;
                curves = std::move(tried);
                damping = std::max(damping / 5, 1e-6);
                if (settled) break;
            } else {
                damping *= 10;
                if (damping > 1e3) break;
            }
        }
        out.after = curves.front();
        out.rms_after_N = rms(error);
        out.turns = turns(best, best_bottom);
        return out;
    }

    std::size_t points() const { return points_.size(); }
    double deepest_m() const { return deepest_m_; }

  private:
    /// In steps of 1e-5 of its unit, and no farther than the screw goes.
    static double reached(const Way& way, double turn) {
        return std::clamp(std::round(turn * 1e5) * 1e-5, std::min(way.least, 0.0), std::max(way.most, 0.0));
    }
    std::vector<Turn> turns(const Values& x, double bottom_mm) const {
        std::vector<Turn> all;
        for (std::size_t p = 0; p < kCount; ++p) {
            if (x[p] != 0) all.push_back({kFitted[p].row, x[p]});
        }
        if (bottom_mm != 0) all.push_back({kDipScrew, std::round(bottom_mm * 1e5) * 1e-5});
        return all;
    }

    /// The curve at x, then with each value nudged.
    std::vector<ForceCurve> around(const Values& x, double bottom_mm) const {
        std::vector<KeyBuild> builds;
        for (std::size_t l = 0; l <= kCount; ++l) {
            Values v = x;
            if (l > 0) v[l - 1] += kFitted[l - 1].nudge;
            builds.push_back(
                grand_keys(strings_, key_index_, 1, turned(touch_, key_index_, turns(v, bottom_mm))).front());
        }
        return swept_curves(builds, deepest_m_);
    }

    double missing(const ForceCurve& curve, const CurvePoint& p) const {
        return p.force_N - at(curve, p.down ? curve.down_N : curve.up_N, p.dip_m);
    }
    double error_of(const ForceCurve& curve) const {
        double sum = 0;
        for (const CurvePoint& p : points_) sum += missing(curve, p) * missing(curve, p);
        return sum;
    }
    double rms(double error) const { return std::sqrt(error / static_cast<double>(points_.size())); }
    /// How far the punching has to go up.
    double bottom_off_mm(const ForceCurve& curve) const {
        const double bottom = dip_at_bottom(curve);
        return bottom_m_ > 0 && bottom > 0 ? (bottom - bottom_m_) * 1e3 : 0.0;
    }

    Values step_from(const std::vector<ForceCurve>& curves, double damping) const {
        using Vector = Eigen::Matrix<double, kCount, 1>;
        using Matrix = Eigen::Matrix<double, kCount, kCount>;
        Matrix a = Matrix::Zero();
        Vector b = Vector::Zero();
        for (const CurvePoint& p : points_) {
            Vector slope;
            const double here = missing(curves[0], p);
            for (std::size_t i = 0; i < kCount; ++i)
                slope[static_cast<Eigen::Index>(i)] = (here - missing(curves[i + 1], p)) / kFitted[i].nudge;
            a += slope * slope.transpose();
            b += slope * here;
        }
        a.diagonal() += (damping * a.diagonal().array() + 1e-12).matrix().eval();
        Values step;
        Eigen::Map<Vector>(step.data()) = a.ldlt().solve(b);
        return step;
    }

    const GrandTouch& touch_;
    int key_index_;
    const core::StringSet& strings_;
    std::vector<CurvePoint> points_;
    double deepest_m_ = 0, bottom_m_ = 0;
};

}  // namespace

std::vector<ForceCurve> swept_curves(std::span<const KeyBuild> builds, double to_dip_m) {
    std::vector<TestKey> keys = settle_test_keys(builds);
    for (TestKey& key : keys) key.build.strings = nullptr;
    Bench bench(keys);
    std::vector<ForceGrid> down(keys.size(), ForceGrid(to_dip_m)), up = down;
    const auto record = [&](std::vector<ForceGrid>& grids) {
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const int lane = static_cast<int>(k);
            grids[k].add(bench.dip_m(lane) - keys[k].rest_dip_m, bench.block().driven_force_N(lane));
        }
    };
    bench.drive_at(kDriven_mps, keys.front().rest_dip_m + to_dip_m, [&] { record(down); });
    bench.stop_and_hold(kBottomRest_s);
    bench.drive_at(kDriven_mps, keys.front().rest_dip_m, [&] { record(up); });
    std::vector<ForceCurve> curves;
    curves.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) curves.push_back(curve_of(down[k], up[k]));
    return curves;
}

CurveFit fit_curve(const GrandTouch& touch, int key_index, std::span<const CurvePoint> points,
                   const core::StringSet& strings) {
    constexpr std::size_t kLeastPoints = 40;
    constexpr double kLeastDip_m = 0.008, kMostDip_m = 0.014;
    Fit fit(touch, key_index, points, strings);
    CurveFit out;
    if (fit.points() < kLeastPoints) {
        out.refused = fmt::format("the curve has {} points below {} N, at least {} are needed", fit.points(),
                                  kFittedTo_N, kLeastPoints);
    } else if (fit.deepest_m() < kLeastDip_m || fit.deepest_m() > kMostDip_m) {
        out.refused = fmt::format("the curve goes to {:.4g} mm, a whole dip of {:g} to {:g} mm is needed",
                                  fit.deepest_m() * 1e3, kLeastDip_m * 1e3, kMostDip_m * 1e3);
    } else {
        out = fit.run();
    }
    return out;
}

}  // namespace letoff::keyboard
