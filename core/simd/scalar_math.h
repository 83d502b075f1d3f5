// Scalar twin of core/simd/math-inl.h's circular functions, for state that is one number a key. Same series, fused
// explicitly.
#pragma once

#include <cmath>
#include <initializer_list>

namespace letoff::core {

struct SinCos {
    double sin, cos;
};

/// |x| <= pi/2; truncation below 1e-16 for |x| <= 1.
inline SinCos small_sincos(double x) {
    const double z = x * x;
    double p = 2.8114572543455208e-15;
    for (double c : {7.6471637318198165e-13, 1.6059043836821613e-10, 2.5052108385441719e-08, 2.7557319223985893e-06,
                     1.9841269841269841e-04, 8.3333333333333333e-03, 1.6666666666666667e-01, 1.0}) {
        p = std::fma(-p, z, c);
    }
    double q = 1.5619206968586225e-16;
    for (double c : {4.7794773323873853e-14, 1.1470745597729725e-11, 2.0876756987868099e-09, 2.7557319223985888e-07,
                     2.4801587301587302e-05, 1.3888888888888889e-03, 4.1666666666666664e-02, 0.5, 1.0}) {
        q = std::fma(-q, z, c);
    }
    return {p * x, q};
}

}  // namespace letoff::core
