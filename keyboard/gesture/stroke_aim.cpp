#include "keyboard/gesture/stroke_aim.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace letoff::keyboard {
namespace {

using core::kLanes;

constexpr double kLongest_s = 0.5;
// Accelerations tried, as a share round the guess. The table is right within a few per cent for a rested key; a key on
// its way up may need half or four times as much.
constexpr double kRestedSpread = 0.12;
constexpr double kMovingSpread = 0.9;
constexpr double kFineSpread = 0.02;
constexpr double kNarrowing = 0.4, kWidening = 1.7;
constexpr int kAttempts = 8, kRefinements = 3;  // one or two are the rule; all are used under a pumped pedal
constexpr double kStartMoved_s = 1e-4;          // a start that moved by less needs no second try on a rested key

struct Found {
    double acceleration_mps2 = 0, travel_s = 0;
    bool bracketed = false;
};

/// Among the tries, the softest pair that brackets the speed; else the try nearest to it.
Found find(const LaneTrials& trials, const LaneValues& start_s, const LaneValues& a, double speed_mps) {
    Found found;
    double nearest = 1e9;
    for (size_t l = 0; l < kLanes; ++l) {
        if (trials[l].strike_s == 0) continue;
        const double off = std::abs(std::log(std::max(trials[l].speed_mps, 1e-3) / speed_mps));
        if (off < nearest) {
            nearest = off;
            found = {a[l], trials[l].strike_s - start_s[l], false};
        }
    }
    for (size_t l = 0; l + 1 < kLanes; ++l) {
        const Trial &low = trials[l], &high = trials[l + 1];
        if (low.strike_s == 0 || high.strike_s == 0 || low.speed_mps > speed_mps || high.speed_mps < speed_mps ||
            high.speed_mps <= low.speed_mps)
            continue;
        const double share = (speed_mps - low.speed_mps) / (high.speed_mps - low.speed_mps);
        return {a[l] + share * (a[l + 1] - a[l]),
                (1 - share) * (low.strike_s - start_s[l]) + share * (high.strike_s - start_s[l + 1]), true};
    }
    return found;
}

/// Accelerations spread evenly round a guess, softest first.
LaneValues spread_round(double acceleration_mps2, double spread) {
    LaneValues a;
    for (size_t l = 0; l < kLanes; ++l)
        a[l] = acceleration_mps2 * (1 + spread * (static_cast<double>(l) / (kLanes - 1) * 2 - 1));
    return a;
}

bool stands_still(const Keybed& keybed, int key_index, double until_s,
                  const std::function<double(std::int64_t)>& lift_share) {
    for (std::int64_t tick = keybed.now_ticks(); static_cast<double>(tick) < until_s * keybed.tick_hz(); ++tick) {
        if (lift_share(tick) != keybed.lift_share(key_index)) return false;
    }
    return true;
}

}  // namespace

StrokeAim::StrokeAim(const KeyBuild& key, int tick_hz) : trial_(std::vector<KeyBuild>(kLanes, key), tick_hz) {}

/// A sleeping key under a tray that stands still does not know when its finger comes: one round of tries from the
/// guessed start gives the travel for any. Nothing found: the tries did not bracket the speed or there is no time.
std::optional<AimedStroke> StrokeAim::aim_at_rest(const Keybed& keybed, int key_index, const Target& target,
                                                  const AimedStroke& guess) {
    const LaneValues a = spread_round(guess.acceleration_mps2, kRestedSpread);
    LaneValues start_s;
    start_s.fill(std::max(guess.start_s, keybed.now_s()));
    const auto first_tick = static_cast<std::int64_t>(start_s[0] * keybed.tick_hz());
    trial_.load(keybed.block_of(key_index), keybed.lane_of(key_index), keybed.finger(key_index), first_tick);
    trial_.set_tray_share(keybed.lift_share(key_index));
    const LaneTrials trials = trial_.strike(start_s, a, kLongest_s);
    const Found found = find(trials, start_s, a, target.speed_mps);
    const AimedStroke aimed{target.strike_s - found.travel_s, found.acceleration_mps2};
    if (!found.bracketed || aimed.start_s < keybed.now_s()) return std::nullopt;
    return aimed;
}

AimedStroke StrokeAim::aim(const Keybed& keybed, int key_index, const Target& target, const AimedStroke& guess,
                           const std::function<double(std::int64_t)>& tray_share_at_end_of_tick) {
    if (target.rested && keybed.block_of(key_index).asleep(keybed.lane_of(key_index)) &&
        stands_still(keybed, key_index, target.strike_s, tray_share_at_end_of_tick)) {
        if (const auto aimed = aim_at_rest(keybed, key_index, target, guess)) return *aimed;
    }
    AimedStroke best = guess;
    double spread = target.rested ? kRestedSpread : kMovingSpread;
    double start_per_acceleration = 0;  // a harder stroke is quicker: it starts later for the same strike
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const LaneValues a = spread_round(best.acceleration_mps2, spread);
        LaneValues start_s;
        for (size_t l = 0; l < kLanes; ++l) {
            start_s[l] =
                std::max(best.start_s + start_per_acceleration * (a[l] - best.acceleration_mps2), keybed.now_s());
        }
        double moved_s = 0;
        Found found;
        for (int refine = 0; refine < (attempt == 0 ? 1 : kRefinements); ++refine) {
            trial_.load(keybed.block_of(key_index), keybed.lane_of(key_index), keybed.finger(key_index),
                        keybed.now_ticks());
            const LaneTrials trials = trial_.strike(start_s, a, kLongest_s, tray_share_at_end_of_tick);
            found = find(trials, start_s, a, target.speed_mps);
            if (found.travel_s == 0) return guess;  // nothing strikes: the mechanics cannot
            const double start = std::max(target.strike_s - found.travel_s, keybed.now_s());
            moved_s = std::abs(start - best.start_s);
            best.start_s = start;
            // Each stroke's own start, so that all meet the strings at the target time, under the same pedal.
            double lane_moved_s = 0;
            for (size_t l = 0; l < kLanes; ++l) {
                if (trials[l].strike_s == 0) continue;
                const double own = std::max(target.strike_s - (trials[l].strike_s - start_s[l]), keybed.now_s());
                lane_moved_s = std::max(lane_moved_s, std::abs(own - start_s[l]));
                start_s[l] = own;
            }
            if (lane_moved_s < kStartMoved_s) break;
        }
        start_per_acceleration = (start_s[kLanes - 1] - start_s[0]) / (a[kLanes - 1] - a[0]);
        best.acceleration_mps2 = found.acceleration_mps2;
        if (found.bracketed && moved_s < kStartMoved_s) break;
        spread =
            found.bracketed ? std::max(kNarrowing * spread, kFineSpread) : std::min(kMovingSpread, kWidening * spread);
    }
    return best;
}

}  // namespace letoff::keyboard
