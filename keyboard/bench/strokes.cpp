#include "keyboard/bench/strokes.h"

#include <algorithm>
#include <cmath>

namespace letoff::keyboard {
namespace {

// A stroke that has not struck by then is silent: 10 mm at the slowest 0.2 m/s2 take 0.32 s.
constexpr double kLongest_s = 0.6;
constexpr double kAfterStrike_s = 0.03;  // key bottom and the end of the contact lie within
constexpr double kLook_s = 0.3, kHold_s = 0.5;
constexpr double kOneContact_s = 0.002;  // touches closer than this are one contact (keyboard/strike)
constexpr double kTouching_N = 1e-6;

/// What is watched of one lane while its stroke goes on.
struct Watch {
    PlayedStroke stroke;
    double first_touch_s = -1, last_touch_s = -1;
    double jack_pushed_s = core::kNotYet_s;  // last time that the jack pushed the knuckle
    double look_below_m = -1;
    bool looked_in_check = false;
};

void read_touches(Watch& w, const core::StringForce& force, double start_s) {
    for (int i = 0; i < force.count; ++i) {
        if (force.force_N[static_cast<size_t>(i)] <= 0) continue;
        const double t = start_s + static_cast<double>(i) / core::kStrikeGrid_hz;
        if (w.first_touch_s < 0) w.first_touch_s = t;
        if (w.last_touch_s < 0 || t - w.last_touch_s < kOneContact_s) w.last_touch_s = t + 1.0 / core::kStrikeGrid_hz;
    }
}

void play_block(std::span<const TestKey> keys, std::span<const double> accelerations, bool watch_check,
                std::vector<PlayedStroke>& out) {
    const int copies = static_cast<int>(accelerations.size());
    Bench bench(keys);
    std::array<Watch, core::kLanes> watch{};
    for (int l = 0; l < copies; ++l) {
        watch[static_cast<size_t>(l)].stroke.acceleration_mps2 = accelerations[static_cast<size_t>(l)];
        bench.press(l, accelerations[static_cast<size_t>(l)]);
    }
    const double after_s = watch_check ? kLook_s + kHold_s : kAfterStrike_s;
    const auto wanted_until = [&](const Watch& w) {
        return w.stroke.strikes > 0 ? w.stroke.strike_s + after_s : kLongest_s;
    };
    const auto going = [&] {
        return std::any_of(watch.begin(), watch.begin() + copies,
                           [&](const Watch& w) { return bench.now_s() < wanted_until(w); });
    };
    while (going()) {
        const double start_s = bench.now_s();
        bench.tick();
        for (int l = 0; l < copies; ++l) {
            const ActionBlock::Events& events = bench.block().events(l);
            Watch& w = watch[static_cast<size_t>(l)];
            if (events.on_strings) read_touches(w, events.force, start_s);
            if (events.struck && w.stroke.strikes++ == 0) {
                w.stroke.hammer_speed_mps = events.touch_mps();
                w.stroke.strike_s = events.strike.strike_time_s;
                w.stroke.escapement_s = w.jack_pushed_s;
            }
            if (events.reached_bottom && !(w.stroke.key_bottom_s == w.stroke.key_bottom_s))
                w.stroke.key_bottom_s = events.bottom.time_s;
            const bool in_check = bench.contact_N(kTailBackcheck, l) > kTouching_N;
            w.stroke.key_peak_mps = std::max(w.stroke.key_peak_mps, bench.block().dip_speed_mps(l));
            if (keys[static_cast<size_t>(l)].build.damped && w.stroke.damper_off_s != w.stroke.damper_off_s &&
                bench.contact_N(kDamperString, l) <= 0)
                w.stroke.damper_off_s = bench.now_s();
            if (w.stroke.strikes == 0) {
                w.stroke.check_before_string |= in_check;
                if (bench.contact_N(kJackKnuckle, l) > 0) w.jack_pushed_s = bench.now_s();
                continue;
            }
            const double since_s = bench.now_s() - w.stroke.strike_s;
            if (w.look_below_m < 0 && since_s >= kLook_s) {
                w.look_below_m = w.stroke.check_distance_m = bench.below_string_m(l);
                w.looked_in_check = in_check;
            }
            if (since_s < kLook_s + kHold_s) w.stroke.held = w.looked_in_check && in_check;
            if (w.look_below_m >= 0) w.stroke.check_drift_m = bench.below_string_m(l) - w.look_below_m;
        }
    }
    for (int l = 0; l < copies; ++l) {
        Watch& w = watch[static_cast<size_t>(l)];
        w.stroke.string_contact_s = w.last_touch_s - w.first_touch_s;
        out.push_back(w.stroke);
    }
}

/// A bracket in the logarithms of acceleration and speed.
struct Bracket {
    double low_a = 0, low_v = 0, high_a = 0, high_v = 0;
};

}  // namespace

std::vector<PlayedStroke> play_strokes(const TestKey& key, std::span<const double> accelerations_mps2,
                                       bool watch_check) {
    std::vector<PlayedStroke> all;
    for (size_t first = 0; first < accelerations_mps2.size(); first += core::kLanes) {
        const size_t count = std::min<size_t>(core::kLanes, accelerations_mps2.size() - first);
        play_block(std::vector<TestKey>(count, key), accelerations_mps2.subspan(first, count), watch_check, all);
    }
    return all;
}

std::vector<PlayedStroke> play_each(std::span<const TestKey> keys, std::span<const double> accelerations_mps2,
                                    bool watch_check) {
    std::vector<PlayedStroke> all;
    play_block(keys, accelerations_mps2, watch_check, all);
    return all;
}

std::vector<PlayedStroke> find_strokes(const TestKey& key, std::span<const double> hammer_speeds_mps,
                                       double tolerance) {
    constexpr double kSlowest_mps2 = 0.2, kFastest_mps2 = 800;  // a press that strikes nothing .. beyond any finger
    constexpr int kTrials = 32, kRounds = 12;
    std::vector<double> trials(kTrials);
    for (int i = 0; i < kTrials; ++i)
        trials[static_cast<size_t>(i)] = kSlowest_mps2 * std::pow(kFastest_mps2 / kSlowest_mps2, i / (kTrials - 1.0));
    const std::vector<PlayedStroke> table = play_strokes(key, trials);

    const size_t count = hammer_speeds_mps.size();
    std::vector<PlayedStroke> best(count);
    std::vector<Bracket> bracket(count);
    const auto better = [&](size_t i, const PlayedStroke& s) {
        const double wanted = hammer_speeds_mps[i];
        if (std::abs(s.hammer_speed_mps - wanted) < std::abs(best[i].hammer_speed_mps - wanted)) best[i] = s;
    };
    for (size_t i = 0; i < count; ++i) {
        const double wanted = hammer_speeds_mps[i];
        // The last trial below and the first above it: speed rises with acceleration but for small steps of friction.
        size_t above = 1;
        while (above + 1 < table.size() && table[above].hammer_speed_mps < wanted) ++above;
        for (const PlayedStroke& s : {table[above - 1], table[above]}) better(i, s);
        bracket[i] = {table[above - 1].acceleration_mps2, table[above - 1].hammer_speed_mps,
                      table[above].acceleration_mps2, table[above].hammer_speed_mps};
    }
    for (int round = 0; round < kRounds; ++round) {
        std::vector<double> next;
        std::vector<size_t> of;
        for (size_t i = 0; i < count; ++i) {
            const double wanted = hammer_speeds_mps[i];
            if (std::abs(best[i].hammer_speed_mps - wanted) <= tolerance * wanted) continue;
            const Bracket& b = bracket[i];
            const double la = std::log(b.low_a), ha = std::log(b.high_a);
            double share = 0.5;
            if (b.low_v > 0 && round % 3 != 2) share = std::log(wanted / b.low_v) / std::log(b.high_v / b.low_v);
            next.push_back(std::exp(la + std::clamp(share, 0.05, 0.95) * (ha - la)));
            of.push_back(i);
        }
        if (next.empty()) break;
        const std::vector<PlayedStroke> played = play_strokes(key, next);
        for (size_t k = 0; k < played.size(); ++k) {
            const PlayedStroke& s = played[k];
            Bracket& b = bracket[of[k]];
            better(of[k], s);
            if (s.hammer_speed_mps < hammer_speeds_mps[of[k]]) {
                b.low_a = s.acceleration_mps2;
                b.low_v = s.hammer_speed_mps;
            } else {
                b.high_a = s.acceleration_mps2;
                b.high_v = s.hammer_speed_mps;
            }
        }
    }
    return best;
}

}  // namespace letoff::keyboard
