#include "keyboard/bench/measure.h"

#include <cmath>

#include "keyboard/bench/repetition.h"

namespace letoff::keyboard {

KeyReport measure_key(const KeyBuild& build, int tick_hz) {
    constexpr double kReached = 0.01;
    const TestKey key = settle_test_key(build, tick_hz);
    KeyReport report;
    report.regulation = measure_regulation(key);
    report.touchweight = measure_touchweight(key, report.regulation);
    report.force = measure_force(key, report.regulation);
    if (build.strings == nullptr) return report;
    std::vector<double> speeds;
    speeds.reserve(kTouches.size());
    for (const Touch& touch : kTouches) speeds.push_back(touch.hammer_speed_mps);
    const std::vector<PlayedStroke> strokes = find_strokes(key, speeds);
    for (size_t i = 0; i < strokes.size(); ++i) {
        if (std::abs(strokes[i].hammer_speed_mps - speeds[i]) > kReached * speeds[i]) continue;
        report.strokes.push_back({kTouches[i].name, speeds[i], strokes[i]});
        if (kTouches[i].name != "mf") continue;
        const double acceleration = strokes[i].acceleration_mps2;
        const PlayedStroke watched = play_strokes(key, {&acceleration, 1}, true).front();
        if (watched.held) report.check_distance_m = watched.check_distance_m;
    }
    report.max_repetition_hz = max_repetition_hz(key);
    return report;
}

}  // namespace letoff::keyboard
