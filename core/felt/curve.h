// A felt contact as two precomputed curves, and the law by which the step goes between them (Masoudi & McPhee, eq 22):
//
//   F(d, v) = F_L(d)                                 v >= 0, pressed
//   F(d, v) = F_L(d) + (F_L - F_U)(d) tanh(alpha v)  v < 0, let go
//
// Over a step from d0 to d1 = d0 + h v the loading curve enters by its mean over the way, (E(d1) - E(d0)) / (d1 - d0)
// with E' = F_L, so that it neither makes nor loses energy; the loss F_L - F_U by its mean of both ends. With F_U <=
// F_L every step then loses what the second term says, >= 0, whatever the path.
//
// d: compression, m, 0 where nothing touches. Curves are straight between equally spaced nodes and go on straight
// beyond the last. Reading one takes an index and five numbers: core/multibody/curve_force-inl.h does it in lanes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace letoff::core {

inline constexpr int kCurveIntervals = 256;

/// alpha: half of the loss is there at a contact speed of 2.7 mm/s. The paper gives no value; a slow press (2 mm/s at
/// the key) should show part of the loop, a played key all of it.
inline constexpr double kTransition_s_per_m = 200;

struct FeltCurve {
    /// One interval: F_L, loss and energy at its start, and the rise of F_L and loss over it.
    struct Interval {
        double force_N = 0, force_rise_N = 0, loss_N = 0, loss_rise_N = 0, energy_J = 0;
        double unused[3]{};  // to a cache line
    };
    std::array<Interval, kCurveIntervals> interval{};
    double step_m = 0;

    struct Point {
        double loading_N = 0, unloading_N = 0, energy_J = 0;
    };
    /// Plain scalars, for the bench and tests.
    Point at(double compression_m) const;
};
inline constexpr std::size_t kCurveStride = sizeof(FeltCurve::Interval) / sizeof(double);

/// Both curves from a function of the compression; 0 at none, and never unloading above loading or below 0.
struct CurveForces {
    double loading_N = 0, unloading_N = 0;
};
FeltCurve make_felt_curve(double deepest_m, const std::function<CurveForces(double)>& forces_N);

/// What a step from d0 to d1 has as its mean force: the same law in plain scalars, the C library's tanh.
double mean_curve_force_N(const FeltCurve& curve, double d0_m, double d1_m, double h_s);

}  // namespace letoff::core
