// Everything one key does over time, tick by tick, and the name of what its hammer is doing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

/// What the hammer does, read off the contacts of one tick.
enum class StrokePhase : std::uint8_t {
    rest,         // nothing moves
    push,         // carried up by jack or lever
    let_off,      // the same, the jack already turned by its button
    free_flight,  // upwards, nothing pushes it
    string,       // on its strings
    fall,         // downwards, nothing carries it
    check,        // its tail in the backcheck
    drop,         // on the lever that hangs on the drop screw
    lower         // carried down by jack, lever or rest cushion
};
std::string_view phase_name(StrokePhase phase);

struct TraceRow {
    double t_s = 0;             // end of the tick
    double dip_m = 0;           // from rest
    double finger_N = 0;        // force on the finger, positive upwards
    double below_string_m = 0;  // crown to strings
    double crown_mps = 0;       // upwards
    double string_N = 0;        // mean over the tick
    std::array<double, kGrandBodies> q{}, v{};
    std::array<double, kGrandContacts> contact_N{};
    std::array<std::int8_t, kGrandBodies> pivot_side{};  // 0 sticks, +1 / -1 slides against the impulse of that sign
    std::array<std::int8_t, kGrandContacts> contact_side{};  // the same, at the contact
    StrokePhase phase = StrokePhase::rest;
};

using Trace = std::vector<TraceRow>;

/// One lane's state after the bench's last tick.
TraceRow read_row(const Bench& bench, const TestKey& key, int lane, double t_s, double finger_N);

/// A stroke of the finger, recorded from a moment of rest until the released key is at rest again.
struct KeystrokeTiming {
    double before_s = 0.02;
    double hold_s = 0.30;   // from the stroke's start until the finger lifts
    double after_s = 0.20;  // from lifting on
    double lift_mps = 0.25;
};
Trace record_keystroke(const TestKey& key, double acceleration_mps2, const KeystrokeTiming& timing = {});

}  // namespace letoff::keyboard
