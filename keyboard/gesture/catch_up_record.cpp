// Records catch-up tables: the strokes of a stroke table on a keybed of eight keys without strings, every tick kept
// until the hammer is where its strings would be.
#include <algorithm>
#include <array>

#include "keyboard/gesture/catch_up_table.h"
#include "keyboard/gesture/in_blocks.h"
#include "keyboard/gesture/stroke_trial.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {
namespace {

using core::kLanes;

constexpr double kTrayLifted_share = 1.0;  // beyond StrokeTable::kTrayShares' last no stroke meets its damper

/// What is kept of a key at the end of every tick.
struct Moment {
    KeyState key;
    double finger_N = 0, below_string_m = 0, crown_mps = 0;
};

/// Where in its last tick a stroke came to its strings, or spoke without a hammer, and how fast.
struct Arrival {
    double share = 0, speed_mps = 0;
};
Arrival hammer_arrival(const Moment& before, const Moment& after) {
    const double share = before.below_string_m / (before.below_string_m - after.below_string_m);
    return {share, before.crown_mps + share * (after.crown_mps - before.crown_mps)};
}

/// Cubic by values and slopes at both ends of a tick.
double cubic(double q0, double v0, double q1, double v1, double u, double h_s) {
    const double share = u * u * (3 - 2 * u);
    return q0 + share * (q1 - q0) + h_s * (u * (1 - u) * (1 - u) * v0 + u * u * (u - 1) * v1);
}

CatchUpTable::Node node_between(const Moment& a, const Moment& b, double u, double h_s) {
    const auto along = [u](double x, double y) { return static_cast<float>(x + u * (y - x)); };
    CatchUpTable::Node node;
    for (size_t i = 0; i < kGrandBodies; ++i) {
        node.q[i] = static_cast<float>(cubic(a.key.q[i], a.key.v[i], b.key.q[i], b.key.v[i], u, h_s));
        node.v[i] = along(a.key.v[i], b.key.v[i]);
    }
    const KeyState& last = u < 1 ? a.key : b.key;  // what the step that ended before now left behind
    for (size_t i = 0; i < kKeyFrictions.size(); ++i) {
        const auto friction = static_cast<size_t>(kKeyFrictions[i]);
        node.friction_impulse_Ns[i] = static_cast<float>(last.friction_impulse_Ns[friction]);
        const double side = last.friction_side[friction];
        node.friction_side[i] = static_cast<std::int8_t>(side > 0 ? 1 : side < 0 ? -1 : 0);
    }
    node.phase = static_cast<std::int8_t>(last.phase);
    node.hammer_torque_Nm = static_cast<float>(b.key.hammer_torque_Nm);  // of the tick that holds this time
    node.finger_N = along(a.finger_N, b.finger_N);
    return node;
}

/// `moments`: of every tick from the stroke's start to the first with the crown at the strings.
CatchUpTable::Curve curve_of(std::span<const Moment> moments, const Arrival& arrival, double start_s, double h_s) {
    CatchUpTable::Curve curve;
    curve.speed_mps = arrival.speed_mps;
    curve.travel_s = (static_cast<double>(moments.size()) - 2 + arrival.share) * h_s;
    const double strike_s = start_s + curve.travel_s;
    const Moment& after = moments.back();
    const auto time_before = [&](double time_s) { return time_s <= strike_s ? strike_s - time_s : -1.0; };
    curve.escapement_before_s = time_before(after.key.escapement_s);  // a time that is not a number stays -1
    curve.bottom_before_s = time_before(after.key.bottom_s);
    for (int k = 0; k < CatchUpTable::kNodes; ++k) {
        const double ticks = std::max(0.0, (curve.travel_s - CatchUpTable::before_s(curve, k)) / h_s);
        const size_t i = std::min(static_cast<size_t>(ticks), moments.size() - 2);
        const double u = std::clamp(ticks - static_cast<double>(i), 0.0, 1.0);
        curve.nodes[static_cast<size_t>(k)] = node_between(moments[i], moments[i + 1], u, h_s);
    }
    return curve;
}

/// One stroke on each key of the bench, recorded.
void record_strokes(Keybed trial, std::span<const StrokeTable> strokes, CatchUpTable::Tray tray, int velocity,
                    std::span<CatchUpTable> tables) {
    const int tray_of_strokes = tray == CatchUpTable::Tray::down ? 0 : StrokeTable::kTrays - 1;
    const double h_s = 1.0 / trial.tick_hz(), start_s = trial.now_s();
    std::array<std::vector<Moment>, kLanes> moments;
    std::array<bool, kLanes> done{};
    const auto keep = [&](int l) {
        const ActionBlock& block = trial.block_of(l);
        moments[static_cast<size_t>(l)].push_back({block.key_state(l), trial.finger(l).last_force_N(),
                                                   block.crown_below_string_m(l), block.crown_speed_mps(l)});
    };
    int left = trial.keys();
    for (int l = 0; l < trial.keys(); ++l) {
        const size_t i = static_cast<size_t>(l);
        const Stroke& stroke = strokes[i].entry(tray_of_strokes, velocity * CatchUpTable::kEvery).stroke;
        CatchUpTable::Curve& curve = tables[i].curve(tray, velocity);
        done[i] = !(stroke.acceleration_mps2 > 0) || (tray == CatchUpTable::Tray::lifted && !tables[i].damped());
        if (done[i]) {
            --left;
            continue;
        }
        curve.acceleration_mps2 = stroke.acceleration_mps2;
        curve.from_m = trial.block_of(l).touch_dip_m(trial.lane_of(l));
        trial.press(l, start_s, stroke.acceleration_mps2);
        keep(l);
    }
    while (left > 0 && trial.now_s() < start_s + kLongestStroke_s) {
        trial.tick(nullptr, nullptr);
        for (int l = 0; l < trial.keys(); ++l) {
            const size_t i = static_cast<size_t>(l);
            if (done[i]) continue;
            keep(l);
            const std::vector<Moment>& all = moments[i];
            const ActionBlock& block = trial.block_of(l);
            const ActionBlock::Events& events = block.events(trial.lane_of(l));
            const bool hammer = block.action().has_hammer();
            if (hammer ? all.back().below_string_m > 0 || all[all.size() - 2].below_string_m <= 0 : !events.struck)
                continue;
            const Arrival arrival =
                hammer ? hammer_arrival(all[all.size() - 2], all.back())
                       : Arrival{1 - (trial.now_s() - events.strike.strike_time_s) / h_s, events.touch_mps()};
            done[i] = true;
            --left;
            CatchUpTable::Curve& curve = tables[i].curve(tray, velocity);
            const CatchUpTable::Curve setting = curve;
            curve = curve_of(all, arrival, start_s, h_s);
            curve.acceleration_mps2 = setting.acceleration_mps2;
            curve.from_m = setting.from_m;
        }
    }
}

void record_block(std::span<const KeyBuild> keys, std::span<const StrokeTable> strokes, int tick_hz,
                  std::span<CatchUpTable> tables) {
    std::vector<KeyBuild> bare(keys.begin(), keys.end());
    for (KeyBuild& key : bare) key.strings = nullptr;
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed rest(bare, tick_hz, *executor);
    rest.settle();
    for (size_t k = 0; k < keys.size(); ++k) tables[k] = CatchUpTable(keys[k].damped);
    for (const CatchUpTable::Tray tray : {CatchUpTable::Tray::down, CatchUpTable::Tray::lifted}) {
        Keybed bench = rest;
        if (tray == CatchUpTable::Tray::lifted) {
            bench.set_tray(kTrayLifted_share);
            for (int i = 0; i < static_cast<int>(kTraySettles_s * tick_hz); ++i) bench.tick(nullptr, nullptr);
        }
        for (int v = 0; v < CatchUpTable::kVelocities; ++v) record_strokes(bench, strokes, tray, v, tables);
    }
    for (CatchUpTable& table : tables) table.finish();
}

}  // namespace

std::vector<CatchUpTable> record_catch_up(std::span<const KeyBuild> keys, std::span<const StrokeTable> strokes,
                                          int tick_hz, core::Executor& executor,
                                          const std::function<void(double)>& progress) {
    std::vector<CatchUpTable> tables(keys.size());
    in_blocks(keys.size(), executor, progress, {}, [&](size_t begin, size_t count) {
        record_block(keys.subspan(begin, count), strokes.subspan(begin, count), tick_hz,
                     std::span(tables).subspan(begin, count));
    });
    return tables;
}

}  // namespace letoff::keyboard
