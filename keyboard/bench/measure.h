// Everything the bench measures on one key, in SI.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "keyboard/bench/blocking.h"
#include "keyboard/bench/damper_timing.h"
#include "keyboard/bench/energy.h"
#include "keyboard/bench/finger_trials.h"
#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/jack_check.h"
#include "keyboard/bench/repetition.h"
#include "keyboard/bench/repetition_spring.h"
#include "keyboard/bench/soft_control.h"
#include "keyboard/bench/speech.h"
#include "keyboard/bench/stanwood.h"
#include "keyboard/bench/strokes.h"
#include "keyboard/bench/touchweight.h"

namespace letoff::keyboard {

struct TouchReport {
    std::string_view touch;
    double asked_mps = 0;
    PlayedStroke stroke;
    StrokeEnergy energy;
};

/// What hands find on a key: slower to measure than the rest.
struct PlayingReport {
    std::vector<FingerTrial> trials;  // of core::finger_library(), in its order
    SoftControl soft, soft_from_escapement;
    int repetition_fingers = 0;  // of the 18, at kAskedRepetition_hz with kSmallLift_m
};
inline constexpr double kAskedRepetition_hz = 13;  // asked: at least 13 strikes a second

/// A jack that leaves the knuckle: weights are laid until it begins to. The grand has one, well regulated or not;
/// whether another action has is measured.
bool has_let_off(const KeyBuild& build, const Regulation& regulation);
/// Whether the figure of that name ("drop_mm") means nothing on a key without one.
bool needs_let_off(std::string_view figure);

struct KeyReport {
    bool has_parts = true;  // the grand's parts: what is told of them is meaningless for another action
    bool has_let_off = true;
    std::optional<Speech> speech;  // of an action without a hammer, of which nothing else of the hammer is told
    Regulation regulation;
    Touchweight touchweight;
    StanwoodWeights stanwood;
    KeyForce force;
    double equivalent_mass_kg = 0;
    DamperTiming damper;
    JackCheck jack;
    Blocking blocking;
    SpringRise spring;                      // after the mf stroke
    double check_distance_m = 0;            // of the mf stroke; 0 where the check did not hold it
    RepetitionRate repetition, small_lift;  // with repetition_lift_m, kSmallLift_m
    double repetition_lift_m = kRepetitionLift_m;
    std::vector<TouchReport> strokes;  // those whose speed the finger reached within 1 %
    std::optional<PlayingReport> playing;
};

struct MeasureDepth {
    bool playing = false;
};

KeyReport measure_key(const KeyBuild& build, MeasureDepth depth = {}, int tick_hz = kBenchTick_hz);

}  // namespace letoff::keyboard
