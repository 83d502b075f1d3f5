// Shapes of mechanism that the step is compiled for, so that its loops over coordinates unroll and empty couplings cost
// nothing. Any other runs the same operations in loops: the same bits, more slowly.
#pragma once

#include <array>
#include <cstdint>

#include "core/multibody/mechanism.h"

namespace letoff::core {

enum class Shape : std::uint8_t { kAny, kGrand, kUpright };

/// The grand with damper and finger (keyboard/action/grand.h): key, wippen, jack and repetition lever on the wippen,
/// hammer, damper, finger.
struct GrandShape {
    static constexpr int kBodies = 7;
    static constexpr std::array<int, kBodies> kParent{kGround, kGround, 1, 1, kGround, kGround, kGround};
    /// As Topology::coupled_below.
    static constexpr std::array<unsigned, kBodies> kCoupledBelow{0, 0b1, 0b11, 0b111, 0b1111, 0b1, 0b1};
};

/// The upright with damper and finger (keyboard/action/upright.h): key, wippen, jack and backcheck wire on the wippen,
/// hammer, damper, finger. Its felts may be curves.
struct UprightShape {
    static constexpr int kBodies = 7;
    static constexpr std::array<int, kBodies> kParent{kGround, kGround, 1, 1, kGround, kGround, kGround};
    static constexpr std::array<unsigned, kBodies> kCoupledBelow{0, 0b1, 0b10, 0b110, 0b1110, 0b10, 0b1};
};

}  // namespace letoff::core
