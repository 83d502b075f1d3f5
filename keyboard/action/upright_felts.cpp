// The upright's felts as curves.
#include <cmath>
#include <vector>

#include "core/felt/micromechanical.h"
#include "keyboard/action/upright.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;
constexpr double kHardest_N = 60;  // to which a contact's curve is fitted and told; beyond it goes on straight

core::FeltCurve curve_of(const UprightFelt& felt, FeltCurves kind) {
    const double deepest_m = std::pow(kHardest_N / felt.k, 1 / felt.r);
    if (kind == FeltCurves::power_law) {
        return core::make_felt_curve(deepest_m, [&](double d_m) {
            const double loading_N = felt.k * std::pow(d_m, felt.r);
            return core::CurveForces{loading_N, (1 - felt.loss) * loading_N};
        });
    }
    const core::PowerContact contact{felt.k,    felt.r,   felt.thickness_mm * kMm, felt.area_mm2 * kMm * kMm,
                                     deepest_m, felt.loss};
    const core::MicromechanicalFelt fibres = core::fit_to_power_law(contact, core::Fibres{.v_f0 = felt.v_f0});
    return core::make_felt_curve(deepest_m, [&](double d_m) {
        const core::FeltStress stress = core::felt_stress(fibres, d_m / contact.thickness_m);
        return core::CurveForces{contact.area_m2 * stress.loading_Pa, contact.area_m2 * stress.unloading_Pa};
    });
}

std::vector<core::FeltCurve> curves_of(FeltCurves kind) {
    std::vector<core::FeltCurve> all;
    for (const UprightFelt& felt : kUprightFelts) all.push_back(curve_of(felt, kind));
    return all;
}

}  // namespace

std::span<const core::FeltCurve> upright_curves(FeltCurves kind) {
    static const std::vector<core::FeltCurve> micromechanical = curves_of(FeltCurves::micromechanical);
    static const std::vector<core::FeltCurve> power_law = curves_of(FeltCurves::power_law);
    return kind == FeltCurves::micromechanical ? micromechanical : power_law;
}

}  // namespace letoff::keyboard
