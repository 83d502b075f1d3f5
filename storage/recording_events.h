// Events of a recording as bytes and back: 40 bytes each, little endian, whatever the machine's. Internal to storage.
//
//   0 tick  8 time_s  16 value  24 bits  32 kind  33 key  34 message's status byte without channel  35 channel  36
//   data1 37 data2  38 0  39 0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/event/take_event.h"

namespace letoff::storage {

inline constexpr std::size_t kTakeEvent_bytes = 40;

std::vector<std::uint8_t> take_bytes(std::span<const core::TakeEvent> events);
/// Any bytes; what is not a whole event at the end is left out. Kinds that this build does not know are kept.
std::vector<core::TakeEvent> take_events(std::span<const std::uint8_t> bytes);

}  // namespace letoff::storage
