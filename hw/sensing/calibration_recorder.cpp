#include "hw/sensing/calibration_recorder.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {
namespace {

double combined_V2(const SensorSample& s) {
    return s.front_V * s.front_V - s.rear_V * s.rear_V;
}

}  // namespace

void CalibrationRecorder::Mean::add(const SensorSample& s) {
    if (count == 0) since_s = s.time_s;
    const double v = combined_V2(s);
    ++count;
    front_V += s.front_V;
    rear_V += s.rear_V;
    pair_V2 += v;
    square += v * v;
}

double CalibrationRecorder::Mean::deviation_V2() const {
    const double m = mean_V2();
    return std::max(kLeastNoise_V2, std::sqrt(std::max(0.0, square / count - m * m)));
}

void CalibrationRecorder::begin(Step step, double position_m) {
    step_ = step;
    position_m_ = position_m;
    for (Key& key : keys_) {
        key.done = key.came_back = false;
        key.now = {};
        key.moved_at_s = -1;
    }
}

int CalibrationRecorder::left() const {
    return static_cast<int>(std::count_if(keys_.begin(), keys_.end(), [](const Key& key) { return !key.done; }));
}

void CalibrationRecorder::take(int index, const SensorSample& sample) {
    Key& key = keys_[static_cast<std::size_t>(index)];
    if (key.done || step_ == Step::kNone) return;
    if (step_ == Step::kStrokes) return take_stroke(key, sample);
    if (step_ == Step::kGauge) return take_gauge(key, sample);
    key.now.add(sample);
    if (sample.time_s - key.now.since_s < kRest_s) return;
    key.rest = key.now;
    key.points = {{key.rest.front_V / key.rest.count, key.rest.rear_V / key.rest.count, 0}};
    key.strokes.clear();
    key.played_s = 0;
    key.done = true;
}

void CalibrationRecorder::take_gauge(Key& key, const SensorSample& sample) {
    if (key.rest.count == 0) return;
    const double noise_V2 = key.rest.deviation_V2();
    const bool at_rest = std::abs(combined_V2(sample) - key.rest.mean_V2()) < kLeft * noise_V2;
    // One that is still on the gauge before has to come up first.
    if (at_rest) key.came_back = true;
    if (at_rest || !key.came_back) {
        key.now = {};
        return;
    }
    if (key.now.count > 0 && std::abs(combined_V2(sample) - key.now.mean_V2()) > kStill * noise_V2) key.now = {};
    key.now.add(sample);
    if (sample.time_s - key.now.since_s < kHold_s) return;
    key.points.push_back({key.now.front_V / key.now.count, key.now.rear_V / key.now.count, position_m_});
    key.done = true;
}

void CalibrationRecorder::take_stroke(Key& key, const SensorSample& sample) {
    const double v = combined_V2(sample);
    if (key.moved_at_s < 0) {
        key.moved_at_s = sample.time_s - kMovesFor_s;
        key.extreme_V2 = v;
    }
    if (std::abs(v - key.extreme_V2) > kMoves_V2) {
        key.extreme_V2 = v;
        key.moved_at_s = sample.time_s;
    }
    if (sample.time_s - key.moved_at_s < kMovesFor_s) {
        if (!key.strokes.empty() && sample.time_s <= key.strokes.back().time_s) return;
        // Between two stretches nothing was recorded: a key at rest adds no way and no voltage but the constant.
        if (!key.strokes.empty() && sample.time_s - key.last_s < 0.01) key.played_s += sample.time_s - key.last_s;
        key.strokes.push_back(sample);
        key.last_s = sample.time_s;
    }
    key.done = key.played_s >= kPlayed_s;
}

core::Result<KeySensorCalibration> CalibrationRecorder::fit(int index) const {
    const Key& key = keys_[static_cast<std::size_t>(index)];
    auto hall = fit_hall(key.points);
    if (!hall || key.strokes.empty()) return hall;
    std::vector<CoilPoint> points;
    points.reserve(key.strokes.size());
    for (const SensorSample& s : key.strokes)
        points.push_back({s.time_s, s.coil_V, hall.value().position_m(s.front_V, s.rear_V)});
    return fit_coil(hall.value(), points);
}

}  // namespace letoff::hw
