// Which stroke of the finger gives which hammer speed: found by playing the action itself, key by key, and kept as a
// table.
//
// MIDI velocity MV asks for v = 10^((MV - 57.96) / 71.3) m/s at the string (Disklavier measurement). For some fifty MV
// and a few heights of the pedal's tray (a lifted damper makes the key lighter) an entry holds the acceleration of the
// finger's path and how long the stroke takes from its start to first contact of hammer and string.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/rt/executor.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

struct Stroke {
    double acceleration_mps2 = 0;
    double travel_s = 0;  // finger start to first contact of hammer and strings; 0 where nothing strikes
};

class StrokeTable {
  public:
    // Between these the stroke is taken linear in MV; close together where the curve bends, as the hammer just gets
    // there.
    static constexpr std::array<double, 57> kVelocityKnots{
        1,  3,  5,  6,  7,  8,  9,   10,  11,  12,  13,  14,  16,  18,  20,  22,  24,  27,  30,
        33, 36, 39, 42, 45, 48, 51,  54,  57,  60,  63,  66,  69,  72,  75,  78,  81,  84,  86,
        88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 119, 121, 124, 127};
    static constexpr int kVelocities = static_cast<int>(kVelocityKnots.size());
    static constexpr std::array<double, 6> kTrayShares{
        0.0, 0.2, 0.3, 0.4, 0.55, 0.8};  // pedal tray, share of its travel; beyond, no stroke meets its damper
    static constexpr int kTrays = static_cast<int>(kTrayShares.size());

    /// Linear between the table's velocities and trays.
    Stroke at(double midi_velocity, double tray_share) const;

    struct Entry {
        Stroke stroke;
        double speed_mps = 0;  // that the stroke gave when tried: within 1 % of asked for MV 8-116, 3 % to 127
    };
    const Entry& entry(int tray, int index) const { return entries_[static_cast<size_t>(tray * kVelocities + index)]; }
    Entry& entry(int tray, int index) { return entries_[static_cast<size_t>(tray * kVelocities + index)]; }

    std::vector<double> to_doubles() const;
    /// False where they are not as many as a table has, or no times and speeds.
    static bool from_doubles(std::span<const double> values, StrokeTable& table);

  private:
    std::array<Entry, static_cast<size_t>(kVelocities* kTrays)> entries_{};
};

/// A hash of everything the table of one key depends on: its parameters, the finger, the tick.
std::uint64_t stroke_hash(const KeyBuild& key, int tick_hz);

/// Calibrates the given keys; progress is told the share done, on the calling thread. `stopped` is asked often, on any
/// thread; when it says true, none are given back.
std::vector<StrokeTable> calibrate_strokes(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor,
                                           const std::function<void(double)>& progress = {},
                                           const std::function<bool()>& stopped = {});

}  // namespace letoff::keyboard
