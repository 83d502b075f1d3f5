#include "keyboard/bench/trace.h"

namespace letoff::keyboard {
namespace {

constexpr double kMoving_mps = 1e-3;  // of the crown; slower is standing

StrokePhase phase_of(const TraceRow& row) {
    const auto pushes = [&](GrandContact c) { return row.contact_N[static_cast<size_t>(c)] > 0; };
    if (row.string_N > 0) return StrokePhase::string;
    if (pushes(kTailBackcheck)) return StrokePhase::check;
    const bool jack = pushes(kJackKnuckle), carried = jack || pushes(kLeverKnuckle);
    if (row.crown_mps > kMoving_mps) {
        if (!carried) return StrokePhase::free_flight;
        return pushes(kJackButton) ? StrokePhase::let_off : StrokePhase::push;
    }
    if (row.crown_mps < -kMoving_mps) return carried || pushes(kHammerRest) ? StrokePhase::lower : StrokePhase::fall;
    if (pushes(kLeverDropScrew)) return StrokePhase::drop;
    return StrokePhase::rest;
}

}  // namespace

std::string_view phase_name(StrokePhase phase) {
    constexpr std::array<std::string_view, 9> kNames{"rest", "push",  "let_off", "free_flight", "string",
                                                     "fall", "check", "drop",    "lower"};
    return kNames[static_cast<size_t>(phase)];
}

TraceRow read_row(const Bench& bench, const TestKey& key, int lane, double t_s, double finger_N) {
    const ActionBlock& block = bench.block();
    TraceRow row;
    row.t_s = t_s;
    row.dip_m = bench.dip_m(lane) - key.rest_dip_m;
    row.finger_N = finger_N;
    row.below_string_m = bench.below_string_m(lane);
    row.crown_mps = block.crown_speed_mps(lane);
    if (const ActionBlock::Events& events = block.events(lane); events.on_strings) {
        double sum = 0;
        for (int i = 0; i < events.force.count; ++i) sum += events.force.force_N[static_cast<size_t>(i)];
        row.string_N = sum / events.force.count;
    }
    const core::LaneState& state = block.state();
    for (size_t b = 0; b < kGrandBodies; ++b) {
        row.q[b] = state.q[b].lane[lane];
        row.v[b] = state.v[b].lane[lane];
        row.pivot_side[b] = static_cast<std::int8_t>(state.friction_side[b].lane[lane]);
    }
    for (size_t c = 0; c < kGrandContacts; ++c) {
        row.contact_N[c] = block.output().contact_force_N[c].lane[lane];
        row.contact_side[c] = static_cast<std::int8_t>(state.friction_side[core::kMaxBodies + c].lane[lane]);
    }
    row.q[kDamper] *= block.damper_arm_m();
    row.v[kDamper] *= block.damper_arm_m();
    if (block.model().topology.bodies == kHead) {  // a rigid hammer: its head is where it is
        row.q[kHead] = row.q[kHammer];
        row.v[kHead] = row.v[kHammer];
    }
    row.phase = phase_of(row);
    return row;
}

Trace record_keystroke(const TestKey& key, double acceleration_mps2, const KeystrokeTiming& timing) {
    Bench bench(key);
    Trace trace;
    const auto record = [&] { trace.push_back(read_row(bench, key, 0, bench.now_s(), bench.finger_force_N(0))); };
    bench.run(timing.before_s, record);
    bench.press(0, acceleration_mps2);
    bench.run(timing.hold_s, record);
    bench.lift(0, timing.lift_mps);
    bench.run(timing.after_s, record);
    return trace;
}

}  // namespace letoff::keyboard
