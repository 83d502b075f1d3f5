// Events of a recording as bytes and back, little endian, whatever the machine's. Internal to storage.
//
// Packed (form 2, what is written): of each event what is not 0, in this order:
//   kind, one byte; which follow, one byte: bit 0 ticks since the event before (the first: since 0), 1 time_s, 2 value,
//   3 bits, 4 key, 5 message; ticks and bits as numbers of 7 bits a byte, lowest first, bit 7 where more follow, at
//   most ten bytes; time_s and value 8 bytes; key one; message its status byte without channel, channel, data1, data2
//
// Plain (form 1, what earlier builds wrote), 40 bytes each:
//   0 tick  8 time_s  16 value  24 bits  32 kind  33 key  34 message's status byte without channel  35 channel
//   36 data1  37 data2  38 0  39 0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/event/take_event.h"

namespace letoff::storage {

inline constexpr std::size_t kTakeEvent_bytes = 40;

enum class TakeForm : int { kPlain = 1, kPacked = 2 };  // stable: files have these numbers

std::vector<std::uint8_t> packed_take(std::span<const core::TakeEvent> events);
/// Any bytes; what is not a whole event at the end is left out, and everything after what cannot be one. Kinds that
/// this build does not know are kept.
std::vector<core::TakeEvent> packed_events(std::span<const std::uint8_t> bytes);

/// As it is kept beside a chunk's bytes.
std::int64_t sum_of(std::span<const std::uint8_t> bytes);

/// Plain: for tests, nothing is written so any more.
std::vector<std::uint8_t> take_bytes(std::span<const core::TakeEvent> events);
/// Any bytes; what is not a whole event at the end is left out. Kinds that this build does not know are kept.
std::vector<core::TakeEvent> take_events(std::span<const std::uint8_t> bytes);

}  // namespace letoff::storage
