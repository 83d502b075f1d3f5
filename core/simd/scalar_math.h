// core/simd/math-inl.h's circular functions for state that is one number a key: the same operations in one lane, so the
// same bits.
#pragma once

namespace letoff::core {

struct SinCos {
    double sin, cos;
};

/// |x| <= pi/2; truncation below 1e-16 for |x| <= 1.
SinCos small_sincos(double x) noexcept;

}  // namespace letoff::core
