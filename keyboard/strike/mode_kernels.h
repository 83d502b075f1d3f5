// The passes over the modes of one note, compiled for each SIMD target. Sums run in 16 fixed partial sums (two blocks
// of lanes), added in a fixed order, so every target gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "keyboard/strike/hammer_string.h"

namespace letoff::keyboard {

/// blocks is even. z += beta force (the interval that has just ended), z = lambda z; returns sum shape Re z (the next,
/// still without force).
double push_and_turn(const HammerOnString::ModeCoefficients* c, ModePhasors* z, std::size_t blocks,
                     double force_N) noexcept;
/// z += beta force.
void push(const HammerOnString::ModeCoefficients* c, ModePhasors* z, std::size_t blocks, double force_N) noexcept;
/// z = lambda^steps exp(-damper_weight damping) z.
FreeMotion turn_freely(const HammerOnString::ModeCoefficients* c, ModePhasors* z, std::size_t blocks,
                       std::uint64_t steps, double damping) noexcept;

}  // namespace letoff::keyboard
