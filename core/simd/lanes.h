// The lane layout: states of several keys lie side by side in blocks of kLanes doubles, the same on every SIMD target.
#pragma once

namespace letoff::core {

inline constexpr int kLanes = 8;  // one AVX-512 register of doubles, two AVX2 registers

/// One value for each key of a block.
struct alignas(64) LaneBlock {
    double lane[kLanes];
};

}  // namespace letoff::core
