// core::Telemetry as the bytes of one WebSocket message, little endian; ui/web/src/telemetry.ts reads them.
//
//   0   u8 version 1, u8 bodies B, u8 contacts C, u8 watched key 1..88 or 0
//   4   u32 tick
//   8   u8 sustain, sostenuto, una corda of 255; u8 0
//   12  f32 meter
//   16  u16 dip of the 88 key fronts, um (0: at rest or above)
//   192 u16 crown below string of the 88 hammers, 10 um
//   368 u8 strikes modulo 256, 88
//   456 u8 hammer speed of the last strike, 1/16 m/s, 88
//   544 f32 finger force N, crown speed m/s, string force N
//   556 f32 coordinates, B; f32 contact forces N, C
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/port/instrument_control.h"

namespace letoff::ui {

inline constexpr std::size_t kTelemetryFrame_bytes = 556 + 4 * (core::kMaxBodies + core::kMaxContacts);
using TelemetryFrame = std::array<std::uint8_t, kTelemetryFrame_bytes>;

void write_telemetry(const core::Telemetry& telemetry, TelemetryFrame& frame);

}  // namespace letoff::ui
