#include "keyboard/gesture/stroke_table.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/finger/finger.h"
#include "core/midi/velocity.h"

namespace letoff::keyboard {
namespace {

using core::Finger;
using core::kLanes;

// The path accelerations that are tried first, log-spaced: below the least nothing is thrown, above the greatest 10 m/s is passed.
constexpr int kGrid = 44;
constexpr double kLeast_mps2 = 0.30;
constexpr double kGreatest_mps2 = 450.0;
constexpr double kLongest_s = 0.6;           // a stroke that has not struck by then is silent
constexpr double kGoodEnough = 0.004;        // of the speed asked for; else the stroke is corrected and tried again
constexpr int kCorrections = 3;
constexpr double kPlayedRest_s = 0.6;

struct Trial {
    double speed_mps = 0;  // 0: silent
    double travel_s = 0;
};

using LaneTrials = std::array<Trial, kLanes>;
using LaneAccelerations = std::array<double, kLanes>;

/// Runs fingers on a block, as Keybed does; returns when all lanes have struck or time is up.
class Bench {
  public:
    Bench(std::span<const KeyBuild> keys, int tick_hz) : block_(keys, tick_hz), keys_(static_cast<int>(keys.size())), h_s_(1.0 / tick_hz) {
        travel_m_ = keys[0].values[grand_row("tray_travel_mm")] * 1e-3;
        // As Keybed::settle: a key rests where playing left it.
        run(0.3);
        press_all({2, 2, 2, 2, 2, 2, 2, 2});
        run(0.4);
        for (Finger& finger : fingers_) finger.lift(now_s(), 0.25);
        run(kPlayedRest_s);
    }

    void set_tray(double share) {
        block_.input.tray_lift_m.fill(share * travel_m_);
        run(0.15);
    }

    LaneTrials try_strokes(const LaneAccelerations& accelerations) const {
        Bench copy = *this;
        return copy.strike(accelerations);
    }

  private:
    double now_s() const { return static_cast<double>(tick_) * h_s_; }

    void press_all(const LaneAccelerations& accelerations) {
        for (int l = 0; l < keys_; ++l) {
            block_.place_finger(l, block_.dip_m(l), 0);
            fingers_[static_cast<size_t>(l)].press(now_s(), block_.dip_m(l), accelerations[static_cast<size_t>(l)]);
        }
    }

    void tick() {
        for (int l = 0; l < keys_; ++l) {
            Finger& finger = fingers_[static_cast<size_t>(l)];
            block_.input.finger_force_N[static_cast<size_t>(l)] =
                finger.phase() == Finger::Phase::idle ? 0.0 : finger.force_N(now_s(), h_s_, block_.finger_travel_m(l), block_.finger_speed_mps(l));
            if (finger.phase() == Finger::Phase::idle) block_.place_finger(l, finger.setting().parked_m, 0);
        }
        block_.tick(tick_++);
    }

    void run(double seconds) {
        for (int i = static_cast<int>(seconds / h_s_); i > 0; --i) tick();
    }

    LaneTrials strike(const LaneAccelerations& accelerations) {
        LaneTrials trials{};
        press_all(accelerations);
        const double start_s = now_s();
        int left = keys_;
        std::array<double, kLanes> below{}, speed{};
        for (int l = 0; l < keys_; ++l) below[static_cast<size_t>(l)] = block_.crown_below_string_m(l);
        while (left > 0 && now_s() - start_s < kLongest_s) {
            const double t0 = now_s();
            tick();
            for (int l = 0; l < keys_; ++l) {
                const size_t i = static_cast<size_t>(l);
                if (trials[i].travel_s > 0) continue;
                const double below1 = block_.crown_below_string_m(l), speed1 = block_.crown_speed_mps(l);
                if (below1 <= 0) {
                    const double share = below[i] / (below[i] - below1);
                    trials[i] = {speed[i] + share * (speed1 - speed[i]), t0 + share * h_s_ - start_s};
                    --left;
                }
                below[i] = below1;
                speed[i] = speed1;
            }
        }
        return trials;
    }

    ActionBlock block_;
    int keys_;
    double h_s_, travel_m_ = 0;
    std::array<Finger, kLanes> fingers_{};
    std::int64_t tick_ = 0;
};

/// log v over log a of one key, made monotone: the softest stroke that gives at least a speed is the one to use.
struct Curve {
    std::array<double, kGrid> log_a{}, log_v{};

    double log_a_for(double log_speed) const {
        if (log_speed <= log_v[0]) return log_a[0];
        size_t i = 1;
        while (i + 1 < kGrid && log_v[i] < log_speed) ++i;
        const double rise = log_v[i] - log_v[i - 1];
        const double share = rise > 1e-9 ? (log_speed - log_v[i - 1]) / rise : 1.0;
        return log_a[i - 1] + std::clamp(share, 0.0, 2.0) * (log_a[i] - log_a[i - 1]);
    }
    /// d log a / d log v round a speed, bounded: where the curve is flat a small correction is enough.
    double slope_at(double log_speed) const {
        size_t i = 1;
        while (i + 1 < kGrid && log_v[i] < log_speed) ++i;
        return std::clamp((log_a[i] - log_a[i - 1]) / std::max(log_v[i] - log_v[i - 1], 1e-3), 0.3, 4.0);
    }
};

void calibrate_block(std::span<const KeyBuild> keys, int tick_hz, std::span<StrokeTable> tables) {
    Bench rest(keys, tick_hz);
    for (int tray = 0; tray < StrokeTable::kTrays; ++tray) {
        Bench bench = rest;
        bench.set_tray(StrokeTable::kTrayShares[static_cast<size_t>(tray)]);
        std::array<Curve, kLanes> curves;
        for (size_t g = 0; g < kGrid; ++g) {
            const double log_a = std::log(kLeast_mps2) + static_cast<double>(g) / (kGrid - 1) * std::log(kGreatest_mps2 / kLeast_mps2);
            LaneAccelerations a;
            a.fill(std::exp(log_a));
            const LaneTrials trials = bench.try_strokes(a);
            for (size_t l = 0; l < keys.size(); ++l) {
                Curve& curve = curves[l];
                curve.log_a[g] = log_a;
                curve.log_v[g] = std::log(std::max(trials[l].speed_mps, 1e-3));
                if (g > 0) curve.log_v[g] = std::max(curve.log_v[g], curve.log_v[g - 1]);
            }
        }
        for (int velocity = 1; velocity <= StrokeTable::kVelocities; ++velocity) {
            const double log_wanted = std::log(core::speed_mps_of_midi_velocity(velocity));
            std::array<double, kLanes> log_a{};
            std::array<double, kLanes> best_error{};
            best_error.fill(1e9);
            for (size_t l = 0; l < keys.size(); ++l) log_a[l] = curves[l].log_a_for(log_wanted);
            for (int attempt = 0; attempt <= kCorrections; ++attempt) {
                LaneAccelerations a{};
                for (size_t l = 0; l < keys.size(); ++l) a[l] = std::exp(log_a[l]);
                const LaneTrials trials = bench.try_strokes(a);
                bool good = true;
                for (size_t l = 0; l < keys.size(); ++l) {
                    const double error = std::log(std::max(trials[l].speed_mps, 1e-3)) - log_wanted;
                    if (std::abs(error) < best_error[l]) {
                        best_error[l] = std::abs(error);
                        tables[l].entry(tray, velocity) = {{a[l], trials[l].travel_s}, trials[l].speed_mps};
                    }
                    if (best_error[l] < kGoodEnough) continue;
                    good = false;
                    log_a[l] -= std::clamp(error, -0.3, 0.3) * curves[l].slope_at(log_wanted);
                }
                if (good) break;
            }
        }
    }
}

}  // namespace

Stroke StrokeTable::at(double midi_velocity, double tray_share) const {
    const double mv = std::clamp(midi_velocity, 1.0, static_cast<double>(kVelocities));
    const int v0 = std::min(static_cast<int>(mv), kVelocities - 1);
    const double fv = mv - v0;
    const double share = std::clamp(tray_share, kTrayShares.front(), kTrayShares.back());
    int t0 = 0;
    while (t0 + 2 < kTrays && kTrayShares[static_cast<size_t>(t0 + 1)] < share) ++t0;
    const double ft = (share - kTrayShares[static_cast<size_t>(t0)]) / (kTrayShares[static_cast<size_t>(t0 + 1)] - kTrayShares[static_cast<size_t>(t0)]);
    const auto mix = [&](double Stroke::*field) {
        const auto along_v = [&](int tray) {
            return (1 - fv) * entry(tray, v0).stroke.*field + fv * entry(tray, v0 + 1).stroke.*field;
        };
        return (1 - ft) * along_v(t0) + ft * along_v(t0 + 1);
    };
    return {mix(&Stroke::acceleration_mps2), mix(&Stroke::travel_s)};
}

std::vector<double> StrokeTable::to_doubles() const {
    std::vector<double> values;
    for (const Entry& e : entries_) values.insert(values.end(), {e.stroke.acceleration_mps2, e.stroke.travel_s, e.speed_mps});
    return values;
}

bool StrokeTable::from_doubles(std::span<const double> values, StrokeTable& table) {
    if (values.size() != 3 * table.entries_.size()) return false;
    for (size_t i = 0; i < table.entries_.size(); ++i) table.entries_[i] = {{values[3 * i], values[3 * i + 1]}, values[3 * i + 2]};
    return true;
}

std::uint64_t stroke_hash(const KeyBuild& key, int tick_hz) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    const auto add = [&](double x) {
        hash ^= std::bit_cast<std::uint64_t>(x);
        hash *= 1099511628211u;
    };
    for (double value : key.values) add(value);
    const core::FingerSetting finger;
    for (double value : {finger.mass_kg, finger.stiffness_N_per_m, finger.damping_Ns_per_m, finger.learnt_force_N, finger.learnt_mass_kg, finger.stroke_end_m,
                         finger.hold_N, finger.relax_s, finger.parked_m, key.damped ? 1.0 : 0.0, static_cast<double>(tick_hz)}) {
        add(value);
    }
    return hash;
}

std::vector<StrokeTable> calibrate_strokes(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor, const std::function<void(double)>& progress) {
    std::vector<StrokeTable> tables(keys.size());
    const int blocks = static_cast<int>((keys.size() + kLanes - 1) / kLanes);
    const int at_once = std::max(1, executor.threads());
    for (int first = 0; first < blocks; first += at_once) {  // in rounds, so that progress is told on the calling thread
        if (progress) progress(static_cast<double>(first) / blocks);
        core::parallel_for(executor, std::min(at_once, blocks - first), [&](int i) {
            const size_t begin = static_cast<size_t>((first + i) * kLanes);
            const size_t count = std::min<size_t>(kLanes, keys.size() - begin);
            calibrate_block(keys.subspan(begin, count), tick_hz, std::span(tables).subspan(begin, count));
        });
    }
    if (progress) progress(1.0);
    return tables;
}

}  // namespace letoff::keyboard
