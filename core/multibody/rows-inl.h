// Sparse rows over the coordinates of a mechanism.
#if defined(LETOFF_CORE_MULTIBODY_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LETOFF_CORE_MULTIBODY_ROWS_INL_H_
#undef LETOFF_CORE_MULTIBODY_ROWS_INL_H_
#else
#define LETOFF_CORE_MULTIBODY_ROWS_INL_H_
#endif

#include <type_traits>
#include <utility>

#include "core/multibody/lane_model.h"
#include "core/simd/repeat-inl.h"
#include "core/simd/vec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::core {
namespace HWY_NAMESPACE {

/// Hands the indices to f in groups, of as many as the constant that f gets first.
template <class F>
HWY_INLINE void in_groups(const int* index, int count, F&& f) {
    constexpr int kGroup = 4;
    int k = 0;
    for (; k + kGroup <= count; k += kGroup) f(std::integral_constant<int, kGroup>(), index + k);
    switch (count - k) {
        case 3:
            return f(std::integral_constant<int, 3>(), index + k);
        case 2:
            return f(std::integral_constant<int, 2>(), index + k);
        case 1:
            return f(std::integral_constant<int, 1>(), index + k);
        default:
            return;
    }
}

/// Calls f with the number of a contact's coordinates as a constant, so that loops over them unroll.
template <class F>
HWY_INLINE void with_slots(int count, F&& f) {
    static_assert(kSlots == 4);
    switch (count) {
        case 1:
            return f(std::integral_constant<int, 1>());
        case 2:
            return f(std::integral_constant<int, 2>());
        case 3:
            return f(std::integral_constant<int, 3>());
        default:
            return f(std::integral_constant<int, 4>());
    }
}
template <int kCount>
HWY_INLINE V row_times(const V* row, const int* coordinate, const V* x) {
    V sum = row[0] * x[coordinate[0]];
#pragma GCC unroll 4
    for (int s = 1; s < kCount; ++s) sum = mul_add(row[s], x[coordinate[s]], sum);
    return sum;
}
/// matrix += left weight right^T over the coordinates of a contact.
template <int kCount>
HWY_INLINE void add_outer(V (*matrix)[kMaxBodies], const V* left, const V* right, V weight, const int* coordinate) {
    V weighted[kCount];
#pragma GCC unroll 4
    for (int b = 0; b < kCount; ++b) weighted[b] = weight * right[b];
#pragma GCC unroll 4
    for (int a = 0; a < kCount; ++a) {
        V* row = matrix[coordinate[a]];
#pragma GCC unroll 4
        for (int b = 0; b < kCount; ++b) row[coordinate[b]] = mul_add(left[a], weighted[b], row[coordinate[b]]);
    }
}
template <int kCount>
HWY_INLINE void add_row(V* vector, const V* row, const int* coordinate, V scale) {
#pragma GCC unroll 4
    for (int s = 0; s < kCount; ++s) vector[coordinate[s]] = mul_add(row[s], scale, vector[coordinate[s]]);
}
}  // namespace HWY_NAMESPACE
}  // namespace letoff::core
HWY_AFTER_NAMESPACE();
#endif
