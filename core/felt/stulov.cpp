#include "core/felt/stulov.h"

#include <algorithm>
#include <cmath>

namespace letoff::core {

double stulov_step_N(const StulovFelt& felt, double u0_m, double u1_m, double h_s, StulovState& state) {
    const auto g = [&](double u_m) { return u_m > 0 ? std::pow(u_m, felt.p) : 0.0; };
    const double g0 = g(u0_m), g1 = g(u1_m), x = h_s / felt.relax_s, decay = std::exp(-x);
    // z' = (g0 + (g1 - g0) s / h - z) / tau: z1 and the mean of z over the step.
    const double rise = g1 - g0, lag = g0 - rise / x;  // z = lag + rise s / h + (z0 - lag) exp(-s / tau)
    const double z0 = state.memory;
    const double mean_z = lag + 0.5 * rise + (z0 - lag) * (1 - decay) / x;
    state.memory = lag + rise + (z0 - lag) * decay;
    // The elastic part by its energy, as everywhere; the hereditary one by its mean.
    const double way_m = u1_m - u0_m;
    const auto energy = [&](double u_m) { return u_m > 0 ? std::pow(u_m, felt.p + 1) / (felt.p + 1) : 0.0; };
    const bool small = std::abs(way_m) <= 1e-5 * std::max({u0_m, u1_m, 0.0});
    const double mean_g = small ? 0.5 * (g0 + g1) : way_m == 0 ? 0.0 : (energy(u1_m) - energy(u0_m)) / way_m;
    return std::max(0.0, felt.F0 * (mean_g - felt.hereditary * mean_z));
}

}  // namespace letoff::core
