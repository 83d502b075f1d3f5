// Stulov's hereditary felt (Stulov 1995, as public copies quote it; reference/felt.csv):
//
//   F(t) = F_0 [g(u(t)) - (e / tau) integral of g(u(s)) exp((s - t) / tau) ds],  g(u) = u^p, u >= 0
//
// F_0: stiffness of a fast blow, (1 - e) F_0 of a slow one. With z' = (g - z) / tau the integral over tau is z, so that
// F = F_0 (g - e z): one number of memory. It is passive: over a closed path the work is e F_0 times the integral of
// (u(g) - u(z)) (g - z) / tau, which is never negative, because u rises with g.
//
// A step takes g as straight in time and z exactly; the force is its mean over the step. Set-up and comparison only:
// no contact uses it yet.
#pragma once

namespace letoff::core {

struct StulovFelt {
    double F0 = 0;  // N / m^p
    double p = 0;
    double hereditary = 0;  // e, 0 .. < 1
    double relax_s = 0;     // tau
};

struct StulovState {
    double memory = 0;  // z
};

/// Mean force of a step from one compression to another; the state goes on.
double stulov_step_N(const StulovFelt& felt, double u0_m, double u1_m, double h_s, StulovState& state);

}  // namespace letoff::core
