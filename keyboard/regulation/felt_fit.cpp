#include "keyboard/regulation/felt_fit.h"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

namespace letoff::keyboard {
namespace {

constexpr double kLeastGamma = 1e-3, kMostGamma = 20;  // from van Wyk's cube to a network that is all but solid
constexpr double kLeastK_Pa = 1, kMostK_Pa = 1e14;
constexpr int kMostTrials = 4000;

/// One branch and the felt that it is fitted on.
struct Branch {
    std::span<const FeltPoint> points;
    core::MicromechanicalFelt felt;
    bool loading = true;

    core::FibreNetwork& network() { return loading ? felt.loading : felt.unloading; }
    double sum_of_squares() const {
        double sum = 0;
        for (const FeltPoint& p : points) {
            if (p.loading != loading) continue;
            const double over = core::one_way_stress_Pa(felt, loading, p.strain) - p.stress_Pa;
            sum += over * over;
        }
        return sum;
    }
};

/// The objective, on the logarithms.
double left_over(unsigned, const double* x, double*, void* data) {
    Branch& branch = *static_cast<Branch*>(data);
    branch.network() = {std::exp(x[0]), std::exp(x[1])};
    return branch.sum_of_squares();
}

void fit(Branch& branch, double largest_Pa, double largest_strain) {
    using Optimiser = std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)>;
    const auto minimise = [&](std::array<double, 2> x) {
        const Optimiser simplex(nlopt_create(NLOPT_LN_NELDERMEAD, 2), &nlopt_destroy);
        const std::array<double, 2> low{std::log(kLeastK_Pa), std::log(kLeastGamma)},
            high{std::log(kMostK_Pa), std::log(kMostGamma)};
        nlopt_set_lower_bounds(simplex.get(), low.data());
        nlopt_set_upper_bounds(simplex.get(), high.data());
        nlopt_set_min_objective(simplex.get(), left_over, &branch);
        nlopt_set_xtol_rel(simplex.get(), 1e-10);
        nlopt_set_maxeval(simplex.get(), kMostTrials);
        double best = 0;
        for (std::size_t i = 0; i < 2; ++i) x[i] = std::clamp(x[i], low[i], high[i]);
        nlopt_optimize(simplex.get(), x.data(), &best);
        return std::pair{best, x};
    };
    // From several gammas, each with the K_p that meets the largest stress; and once more from the best.
    std::pair<double, std::array<double, 2>> best{-1, {}};
    for (const double gamma : {0.1, 1.0, 4.0}) {
        branch.network() = {1, gamma};
        if (branch.loading) branch.felt.unloading = branch.felt.loading;
        const double one_Pa = core::one_way_stress_Pa(branch.felt, true, largest_strain);
        const auto found = minimise({std::log(std::max(largest_Pa / one_Pa, kLeastK_Pa)), std::log(gamma)});
        if (best.first < 0 || found.first < best.first) best = found;
    }
    best = minimise(best.second);
    branch.network() = {std::exp(best.second[0]), std::exp(best.second[1])};
}

}  // namespace

core::Result<FeltFit> fit_felt(std::vector<FeltPoint> points, const core::Fibres& fibres, std::string_view file) {
    const auto wrong = [&](std::string_view what) { return core::Error{fmt::format("'{}': {}", file, what)}; };
    FeltFit out;
    const double most = core::most_strain(fibres.v_f0);
    double largest_Pa = 0, largest_strain = 0;
    for (const FeltPoint& p : points) {
        ++(p.loading ? out.loading_points : out.unloading_points);
        if (p.strain > most) {
            return wrong(
                fmt::format("a strain of {} with v_f0 {}: less than {:.3f} is possible", p.strain, fibres.v_f0, most));
        }
        if (p.loading && p.stress_Pa > largest_Pa) {
            largest_Pa = p.stress_Pa;
            largest_strain = p.strain;
        }
    }
    for (const bool loading : {true, false}) {
        const std::size_t count = loading ? out.loading_points : out.unloading_points;
        if (count < kFewestFeltPoints) {
            return wrong(fmt::format("{} points of the {} branch: at least {} are needed", count,
                                     loading ? "loading" : "unloading", kFewestFeltPoints));
        }
    }
    if (!(largest_Pa > 0 && largest_strain > 0))
        return wrong("no stress above 0 Pa at a strain above 0 while loading: a felt that is pressed is needed");

    Branch branch{points, {fibres, {1, 1}, {1, 1}}, true};
    fit(branch, largest_Pa, largest_strain);
    branch.loading = false;
    fit(branch, largest_Pa, largest_strain);
    out.felt = branch.felt;
    const auto told = [&](bool loading, std::size_t count, double& rms_Pa, double& share) {
        branch.loading = loading;
        double own = 0;
        for (const FeltPoint& p : points) own += p.loading == loading ? p.stress_Pa * p.stress_Pa : 0;
        const double over = branch.sum_of_squares();
        rms_Pa = std::sqrt(over / static_cast<double>(count));
        share = own > 0 ? std::sqrt(over / own) : 0;
    };
    told(true, out.loading_points, out.loading_rms_Pa, out.loading_share);
    told(false, out.unloading_points, out.unloading_rms_Pa, out.unloading_share);
    double pressed = 0, released = 0;
    constexpr int kSteps = 400;
    for (int i = 0; i < kSteps; ++i) {
        const core::FeltStress stress = core::felt_stress(out.felt, largest_strain * (i + 0.5) / kSteps);
        pressed += stress.loading_Pa;
        released += stress.unloading_Pa;
    }
    out.loop_loss = pressed > 0 ? 1 - released / pressed : 0;
    return out;
}

}  // namespace letoff::keyboard
