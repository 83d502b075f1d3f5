// One lane's numbers of a block, so that a mechanism can turn into another of the same topology while it moves.
//
//   Between two mechanisms a and b, at a share s of the way, 0 <= s <= 1: every number is (1 - s) a + s b, but a felt's
//   k is k_a^(1-s) k_b^s while its exponent runs straight, so that its force k d^r is F_a^(1-s) F_b^s: at every
//   compression between what the two felts give (k and r run straight would meet forces a thousand times of either).
//   Directions of lines run straight too: they may turn little.
//
// Real-time safe, without the C library's functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/multibody/lane_model.h"

namespace letoff::core {

inline constexpr int kBodyNumbers = sizeof(LaneBody) / sizeof(LaneBlock);
inline constexpr int kContactNumbers = sizeof(LaneContact) / sizeof(LaneBlock);
inline constexpr int kSpringNumbers = sizeof(LaneSpring) / sizeof(LaneBlock);
inline constexpr int kLaneNumbers = kMaxBodies * (kBodyNumbers + kSpringNumbers) + kMaxContacts * kContactNumbers;

/// In the order of bodies, contacts, springs, and in each of its struct.
using LaneNumbers = std::array<double, kLaneNumbers>;

LaneNumbers lane_numbers(const LaneModel& model, int lane) noexcept;

/// Which of the numbers differ, by index; the span is the part of `changed` that was filled.
std::span<const std::uint16_t> changed_numbers(const LaneNumbers& from, const LaneNumbers& to,
                                               std::span<std::uint16_t, kLaneNumbers> changed) noexcept;

/// Writes the changed numbers of a lane, `share` of the way; at 1 they are those of `to`, to the bit. What a felt's law
/// derives from its exponent follows, and a contact that has friction on the way or at its end has it in the topology.
void set_lane_between(LaneModel& model, int lane, const LaneNumbers& from, const LaneNumbers& to,
                      std::span<const std::uint16_t> changed, double share) noexcept;

}  // namespace letoff::core
