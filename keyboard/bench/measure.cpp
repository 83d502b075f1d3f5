#include "keyboard/bench/measure.h"

#include <algorithm>
#include <cmath>

#include "keyboard/bench/equivalent_mass.h"

namespace letoff::keyboard {
namespace {

constexpr double kSpokenShare = 0.8;  // of the dip: plucked or opened, and not yet at the bottom
constexpr double kDeepShare = 0.95;   // of the dip, the bottom of a repeating finger's way

/// Those of the touches whose speed a finger reaches; energies are not measured yet.
std::vector<TouchReport> reached_strokes(const TestKey& key) {
    constexpr double kReached = 0.01;
    std::vector<double> speeds;
    speeds.reserve(kTouches.size());
    for (const Touch& touch : kTouches) speeds.push_back(touch.hammer_speed_mps);
    const std::vector<PlayedStroke> strokes = find_strokes(key, speeds);
    std::vector<TouchReport> reached;
    for (size_t i = 0; i < strokes.size(); ++i) {
        if (std::abs(strokes[i].hammer_speed_mps - speeds[i]) > kReached * speeds[i]) continue;
        reached.push_back({kTouches[i].name, speeds[i], strokes[i], {}});
    }
    return reached;
}

void measure_strokes(const TestKey& key, KeyReport& report) {
    report.strokes = reached_strokes(key);
    for (TouchReport& touch : report.strokes) {
        const double acceleration = touch.stroke.acceleration_mps2;
        touch.energy = measure_stroke_energy(key, acceleration);
        if (touch.touch != "mf") continue;
        const PlayedStroke watched = play_strokes(key, {&acceleration, 1}, true).front();
        if (watched.held) report.check_distance_m = watched.check_distance_m;
        report.spring = measure_spring_rise(key, acceleration);
    }
}

/// Of an action without the grand's parts: what a finger, a weight and a clock find.
void measure_other_action(const TestKey& key, KeyReport& report) {
    report.has_parts = false;
    if (!key.build.action->has_hammer()) report.speech = measure_speech(key, report.regulation.bottom_dip_m);
    report.has_let_off = has_let_off(key.build, report.regulation);
    if (report.has_let_off) report.touchweight = measure_touchweight(key, report.regulation);
    report.force = measure_force(key, report.regulation);
    // Beyond the pluck, which would be taken for inertia.
    report.equivalent_mass_kg = report.speech
                                    ? measure_equivalent_mass_kg(key, kSpokenShare * report.regulation.key_dip_m)
                                    : measure_equivalent_mass_kg(key);
    report.damper = measure_damper_timing(key);
    if (key.build.strings == nullptr) return;
    report.strokes = reached_strokes(key);
    // As deep as in the grand, of which it is nearly all, and never above the key's rest.
    RepetitionFinger finger;
    finger.deep_m = std::min(finger.deep_m, kDeepShare * report.regulation.key_dip_m);
    report.repetition_lift_m = std::min(kRepetitionLift_m, finger.deep_m);
    report.repetition = max_repetition_hz(key, report.repetition_lift_m, finger);
    report.small_lift = max_repetition_hz(key, std::min(kSmallLift_m, finger.deep_m), finger);
}

}  // namespace

bool has_let_off(const KeyBuild& build, const Regulation& regulation) {
    return build.action->is_grand() || regulation.let_off_dip_m > 0;
}

bool needs_let_off(std::string_view figure) {
    constexpr std::string_view kNeeding[] = {"down_weight_g", "up_weight_g", "friction_g",   "balance_weight_g",
                                             "let_off_mm",    "drop_mm",     "aftertouch_mm"};
    return std::find(std::begin(kNeeding), std::end(kNeeding), figure) != std::end(kNeeding);
}

KeyReport measure_key(const KeyBuild& build, MeasureDepth depth, int tick_hz) {
    const TestKey key = settle_test_key(build, tick_hz);
    KeyReport report;
    report.regulation = measure_regulation(key);
    if (!build.action->is_grand()) {
        measure_other_action(key, report);
        return report;
    }
    report.touchweight = measure_touchweight(key, report.regulation);
    report.stanwood = measure_stanwood(key, report.regulation, report.touchweight);
    report.force = measure_force(key, report.regulation);
    report.equivalent_mass_kg = measure_equivalent_mass_kg(key);
    report.damper = measure_damper_timing(key);
    report.jack = check_jack(key);
    if (build.strings == nullptr) return report;
    report.blocking = test_blocking(key);
    measure_strokes(key, report);
    report.repetition = max_repetition_hz(key);
    report.small_lift = max_repetition_hz(key, kSmallLift_m);
    if (!depth.playing) return report;
    PlayingReport playing;
    playing.trials = try_fingers(key, core::finger_library());
    playing.soft = play_softly(key, report.regulation, false);
    playing.soft_from_escapement = play_softly(key, report.regulation, true);
    playing.repetition_fingers = fingers_that_repeat(key, kSmallLift_m, kAskedRepetition_hz);
    report.playing = std::move(playing);
    return report;
}

}  // namespace letoff::keyboard
