// Physical constants and unit conversions; SI inside, the suffix of every name says the unit.
#pragma once

namespace letoff::core {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kGravity_mps2 = 9.80665;                // standard gravity (CGPM 1901)
inline constexpr double kNewtonPerGram = kGravity_mps2 * 1e-3;  // a technician's gram weight as a force

/// The hammer meets its strings on this grid, whatever the tick and the audio block are (design: >= 96 kHz).
inline constexpr int kStrikeGrid_hz = 96000;
/// Slowest tick allowed is 1 kHz, so a tick holds at most this many samples of the strike grid.
inline constexpr int kMaxStrikeSamplesPerTick = kStrikeGrid_hz / 1000;

}  // namespace letoff::core
