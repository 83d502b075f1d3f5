#include "keyboard/gesture/stroke_table.h"

#include <algorithm>
#include <cmath>

#include "core/finger/finger.h"
#include "core/hash.h"
#include "core/midi/velocity.h"
#include "keyboard/gesture/in_blocks.h"
#include "keyboard/gesture/stroke_trial.h"

namespace letoff::keyboard {
namespace {

using core::kLanes;

// The path accelerations that are tried first, log-spaced: below the least nothing is thrown, above the greatest 10 m/s
// is passed.
constexpr int kGrid = 32;
constexpr double kLeast_mps2 = 0.30;
constexpr double kGreatest_mps2 = 450.0;
constexpr double kGoodEnough = 0.003;  // of the speed asked for; else the stroke is corrected and tried again
constexpr int kCorrections = 8;        // a bracket that halves is 0.1 % of a grid step by then; two are the rule

/// log v over log a of one key, made monotone: the softest stroke that gives at least a speed is the one to use.
struct Curve {
    std::array<double, kGrid> log_a{}, log_v{};

    /// The interval of the curve in which a speed lies: tries close it from both ends.
    struct Bracket {
        double log_a0, log_v0, log_a1, log_v1;
    };
    Bracket bracket(double log_speed) const {
        size_t i = 1;
        while (i + 1 < kGrid && log_v[i] < log_speed) ++i;
        return {log_a[i - 1], log_v[i - 1], log_a[i], log_v[i]};
    }
};

/// Next try: straight between the ends, kept off them, so that a curve with a knee is halved too.
double between(const Curve::Bracket& b, double log_speed) {
    const double rise = b.log_v1 - b.log_v0;
    const double share = rise > 1e-9 ? (log_speed - b.log_v0) / rise : 0.5;
    return b.log_a0 + std::clamp(share, 0.1, 0.9) * (b.log_a1 - b.log_a0);
}

void calibrate_block(std::span<const KeyBuild> keys, int tick_hz, std::span<StrokeTable> tables,
                     const std::function<bool()>& stopped) {
    StrokeTrial rest(keys, tick_hz);
    rest.settle();
    // No pedal reaches the dampers of an action without hammers.
    const bool any_damper = std::any_of(keys.begin(), keys.end(),
                                        [](const KeyBuild& key) { return key.damped && key.action->has_hammer(); });
    for (int tray = 0; tray < StrokeTable::kTrays; ++tray) {
        if (tray > 0 && !any_damper) {  // the pedal changes nothing for these keys
            for (StrokeTable& table : tables) {
                for (int v = 0; v < StrokeTable::kVelocities; ++v) table.entry(tray, v) = table.entry(0, v);
            }
            continue;
        }
        StrokeTrial bench = rest;
        bench.set_tray_share(StrokeTable::kTrayShares[static_cast<size_t>(tray)]);
        bench.run(kTraySettles_s);
        LaneValues start_s;
        start_s.fill(bench.now_s());
        const auto try_strokes = [&](const LaneValues& accelerations) {
            return StrokeTrial(bench).strike(start_s, accelerations, kLongestStroke_s);
        };
        std::array<Curve, kLanes> curves;
        for (size_t g = 0; g < kGrid; ++g) {
            if (stopped && stopped()) return;
            const double log_a =
                std::log(kLeast_mps2) + static_cast<double>(g) / (kGrid - 1) * std::log(kGreatest_mps2 / kLeast_mps2);
            LaneValues a;
            a.fill(std::exp(log_a));
            const LaneTrials trials = try_strokes(a);
            for (size_t l = 0; l < keys.size(); ++l) {
                Curve& curve = curves[l];
                curve.log_a[g] = log_a;
                curve.log_v[g] = std::log(std::max(trials[l].speed_mps, 1e-3));
                if (g > 0) curve.log_v[g] = std::max(curve.log_v[g], curve.log_v[g - 1]);
            }
        }
        for (int velocity = 0; velocity < StrokeTable::kVelocities; ++velocity) {
            const double log_wanted =
                std::log(core::speed_mps_of_midi_velocity(StrokeTable::kVelocityKnots[static_cast<size_t>(velocity)]));
            std::array<Curve::Bracket, kLanes> brackets{};
            std::array<double, kLanes> log_a{}, best_error{};
            best_error.fill(1e9);
            for (size_t l = 0; l < keys.size(); ++l) {
                brackets[l] = curves[l].bracket(log_wanted);
                log_a[l] = between(brackets[l], log_wanted);
            }
            for (int attempt = 0; attempt <= kCorrections; ++attempt) {
                if (stopped && stopped()) return;
                LaneValues a{};
                for (size_t l = 0; l < keys.size(); ++l) a[l] = std::exp(log_a[l]);
                const LaneTrials trials = try_strokes(a);
                bool good = true;
                for (size_t l = 0; l < keys.size(); ++l) {
                    const double error = std::log(std::max(trials[l].speed_mps, 1e-3)) - log_wanted;
                    if (std::abs(error) < best_error[l]) {
                        best_error[l] = std::abs(error);
                        const double travel_s = trials[l].strike_s > 0 ? trials[l].strike_s - start_s[l] : 0.0;
                        tables[l].entry(tray, velocity) = {{a[l], travel_s}, trials[l].speed_mps};
                    }
                    if (best_error[l] < kGoodEnough) continue;
                    good = false;
                    Curve::Bracket& bracket = brackets[l];
                    if (error < 0) {
                        bracket.log_a0 = log_a[l];
                        bracket.log_v0 = log_wanted + error;
                    } else {
                        bracket.log_a1 = log_a[l];
                        bracket.log_v1 = log_wanted + error;
                    }
                    log_a[l] = between(bracket, log_wanted);
                }
                if (good) break;
            }
        }
    }
}

/// The interval of sorted knots in which x lies, and where in it, 0..1.
struct Place {
    int index;
    double share;
};
Place place(std::span<const double> knots, double x) {
    size_t i = 0;
    while (i + 2 < knots.size() && knots[i + 1] < x) ++i;
    return {static_cast<int>(i), std::clamp((x - knots[i]) / (knots[i + 1] - knots[i]), 0.0, 1.0)};
}

}  // namespace

Stroke StrokeTable::at(double midi_velocity, double tray_share) const {
    const auto [v0, fv] = place(kVelocityKnots, midi_velocity);
    const auto [t0, ft] = place(kTrayShares, tray_share);
    const auto mix = [&](double Stroke::* field) {
        const auto along_v = [&](int tray) {
            return (1 - fv) * entry(tray, v0).stroke.*field + fv * entry(tray, v0 + 1).stroke.*field;
        };
        return (1 - ft) * along_v(t0) + ft * along_v(t0 + 1);
    };
    return {mix(&Stroke::acceleration_mps2), mix(&Stroke::travel_s)};
}

std::vector<double> StrokeTable::to_doubles() const {
    std::vector<double> values;
    for (const Entry& e : entries_)
        values.insert(values.end(), {e.stroke.acceleration_mps2, e.stroke.travel_s, e.speed_mps});
    return values;
}

bool StrokeTable::from_doubles(std::span<const double> values, StrokeTable& table) {
    if (values.size() != 3 * table.entries_.size()) return false;
    for (size_t i = 0; i < table.entries_.size(); ++i) {
        const Entry entry{{values[3 * i], values[3 * i + 1]}, values[3 * i + 2]};
        const double numbers = entry.stroke.acceleration_mps2 + entry.stroke.travel_s + entry.speed_mps;
        if (!(std::isfinite(numbers) && entry.stroke.acceleration_mps2 >= 0 && entry.stroke.travel_s >= 0))
            return false;
        table.entries_[i] = entry;
    }
    return true;
}

std::uint64_t stroke_hash(const KeyBuild& key, int tick_hz) {
    core::Hash hash;
    for (double value : key.values) hash.add(value);
    const core::FingerSetting finger = finger_for(key.values, *key.action);
    for (double value : {finger.mass_kg, finger.stiffness_N_per_m, finger.damping_Ns_per_m, finger.learnt_force_N,
                         finger.learnt_mass_kg, finger.stroke_end_m, finger.hold_N, finger.relax_s, finger.parked_m,
                         key.damped ? 1.0 : 0.0, static_cast<double>(tick_hz)}) {
        hash.add(value);
    }
    if (!key.action->is_grand()) {  // the grand's tables keep their names
        for (const char c : key.action->name) hash.add(static_cast<double>(c));
        hash.add(static_cast<double>(key.register_index));
    }
    return hash.value();
}

std::vector<StrokeTable> calibrate_strokes(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor,
                                           const std::function<void(double)>& progress,
                                           const std::function<bool()>& stopped) {
    std::vector<StrokeTable> tables(keys.size());
    const bool all = in_blocks(keys.size(), executor, progress, stopped, [&](size_t begin, size_t count) {
        calibrate_block(keys.subspan(begin, count), tick_hz, std::span(tables).subspan(begin, count), stopped);
    });
    return all ? tables : std::vector<StrokeTable>{};
}

}  // namespace letoff::keyboard
