// The upright's felts as curves.
#include <cmath>
#include <functional>
#include <vector>

#include "core/felt/micromechanical.h"
#include "keyboard/action/upright.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;

/// a (exp(b d) - 1) for one branch of a curve: b by golden section, a by least squares.
struct Exponential {
    double a_N = 0, b_1pm = 0;
    double at(double d_m) const { return a_N * std::expm1(b_1pm * d_m); }
};
Exponential fit_exponential(const std::function<double(double)>& force_N, double deepest_m) {
    constexpr int kPoints = 64, kRounds = 60;
    const auto fitted = [&](double b_1pm, double& left_over) {
        double ff = 0, fg = 0, gg = 0;
        for (int i = 1; i <= kPoints; ++i) {
            const double d_m = deepest_m * i / kPoints, f = std::expm1(b_1pm * d_m), g = force_N(d_m);
            ff += f * f;
            fg += f * g;
            gg += g * g;
        }
        left_over = gg - fg * fg / ff;
        return Exponential{fg / ff, b_1pm};
    };
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    double low = 0.01 / deepest_m, high = 20 / deepest_m, at_a = 0, at_b = 0;
    for (int i = 0; i < kRounds; ++i) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        fitted(a, at_a);
        fitted(b, at_b);
        (at_a < at_b ? high : low) = at_a < at_b ? b : a;
    }
    return fitted(0.5 * (low + high), at_a);
}

core::FeltCurve curve_of(const UprightFelt& felt, FeltCurves kind) {
    const double deepest_m = std::pow(felt.hardest_N / felt.k, 1 / felt.r);
    const core::PowerContact contact{felt.k,    felt.r,   felt.thickness_mm * kMm, felt.area_mm2 * kMm * kMm,
                                     deepest_m, felt.loss};
    const core::MicromechanicalFelt fibres = core::fit_to_power_law(contact, core::Fibres{.v_f0 = felt.v_f0});
    const auto stress = [&](double d_m) { return core::felt_stress(fibres, d_m / contact.thickness_m); };
    const auto loading_N = [&](double d_m) { return contact.area_m2 * stress(d_m).loading_Pa; };
    const auto unloading_N = [&](double d_m) { return contact.area_m2 * stress(d_m).unloading_Pa; };
    if (kind == FeltCurves::micromechanical) {
        return core::make_felt_curve(deepest_m,
                                     [&](double d_m) { return core::CurveForces{loading_N(d_m), unloading_N(d_m)}; });
    }
    const Exponential loading = fit_exponential(loading_N, deepest_m),
                      unloading = fit_exponential(unloading_N, deepest_m);
    return core::make_felt_curve(deepest_m,
                                 [&](double d_m) { return core::CurveForces{loading.at(d_m), unloading.at(d_m)}; });
}

std::vector<core::FeltCurve> curves_of(FeltCurves kind) {
    std::vector<core::FeltCurve> all;
    for (const UprightFelt& felt : kUprightFelts) all.push_back(curve_of(felt, kind));
    return all;
}

}  // namespace

std::span<const core::FeltCurve> upright_curves(FeltCurves kind) {
    static const std::vector<core::FeltCurve> micromechanical = curves_of(FeltCurves::micromechanical);
    static const std::vector<core::FeltCurve> exponential = curves_of(FeltCurves::exponential);
    return kind == FeltCurves::micromechanical ? micromechanical : exponential;
}

}  // namespace letoff::keyboard
