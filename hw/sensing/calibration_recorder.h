// Records what is needed to calibrate the sensors of a motor array's keys, while a technician moves them; every key at
// its own time, in any order:
//
//   rest    all keys lie still for kRest_s: their voltages at position 0, and how much they tremble by themselves
//   gauge   each key in turn is held down on a gauge of known thickness for kHold_s: voltages at that position. A key
//           counts as held when it was at rest, has left that by kLeft of its own noise, and stands within kStill of it
//   stroke  each key is moved up and down for kPlayed_s in all, for the coil: its voltage beside the Hall pair's way
//
// Then fit() has one calibration a key, or the sentence why that key has none (hw/sensing/calibration.h).
// One thread at a time: whoever calls holds a lock where samples come on another thread. Allocates.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.h"
#include "hw/sensing/calibration.h"

namespace letoff::hw {

struct SensorSample {
    double time_s = 0;  // of the device
    double front_V = 0, rear_V = 0, coil_V = 0;
};

class CalibrationRecorder {
  public:
    enum class Step { kNone, kRest, kGauge, kStrokes };
    static constexpr double kRest_s = 1.0, kHold_s = 0.3, kPlayed_s = 2.0;
    static constexpr double kLeft = 30, kStill = 4;  // in standard deviations of the key at rest
    static constexpr double kLeastNoise_V2 = 5e-3;   // of the Hall pair's squares: 5 to 10 um at 1 to 2 mm/V^2
    static constexpr double kMoves_V2 = 0.3;         // over which the coil is worth recording: 0.3 to 0.6 mm
    static constexpr double kMovesFor_s = 0.25;      // after a key has last moved so far

    explicit CalibrationRecorder(int keys) : keys_(static_cast<std::size_t>(keys)) {}

    void begin_rest() { begin(Step::kRest, 0); }
    void begin_gauge(double position_m) { begin(Step::kGauge, position_m); }
    void begin_strokes() { begin(Step::kStrokes, 0); }
    void take(int key, const SensorSample& sample);

    bool is_done(int key) const { return keys_[static_cast<std::size_t>(key)].done; }
    /// Keys that the present step still waits for.
    int left() const;
    int keys() const { return static_cast<int>(keys_.size()); }

    core::Result<KeySensorCalibration> fit(int key) const;

  private:
    /// Mean and spread of what came in the last stretch of a step.
    struct Mean {
        double count = 0, front_V = 0, rear_V = 0, pair_V2 = 0, square = 0;
        double since_s = 0;
        void add(const SensorSample& s);
        double mean_V2() const { return pair_V2 / count; }
        double deviation_V2() const;
    };
    struct Key {
        bool done = false, came_back = false;
        Mean now, rest;
        std::vector<HallPoint> points;
        std::vector<SensorSample> strokes;
        double moved_at_s = -1, played_s = 0, last_s = 0, extreme_V2 = 0;
    };
    void begin(Step step, double position_m);
    void take_gauge(Key& key, const SensorSample& sample);
    static void take_stroke(Key& key, const SensorSample& sample);

    Step step_ = Step::kNone;
    double position_m_ = 0;
    std::vector<Key> keys_;
};

}  // namespace letoff::hw
