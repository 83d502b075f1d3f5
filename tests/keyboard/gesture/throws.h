// Throws the hammers of up to eight neighbouring keys by the finger, without the stroke tables: what a test needs to
// play a note at a wanted hammer speed, and what it measures the tables against.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "core/finger/finger.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {

/// One key's throw, from the finger's start to first contact of hammer and strings.
struct Throw {
    double acceleration_mps2 = 0;
    double speed_mps = 0;  // 0: the hammer did not get there
    double travel_s = 0;
    double tail_N = 0;  // greatest force of the tail on the backcheck before the hammer met the strings
};
using LaneThrows = std::array<Throw, core::kLanes>;

class Thrower {
  public:
    static constexpr int kTick_hz = 4000;
    static constexpr double kLongest_s = 0.6;

    /// Keys first .. of the piano's, settled, without strings.
    Thrower(int first_key, int count) : keys_(piano_keys(first_key, count)), rest_(without_strings(keys_), kTick_hz) {
        std::array<core::Finger, core::kLanes> fingers{};
        run(rest_, fingers, SettleStroke::kBefore_s);
        for (int l = 0; l < count; ++l) rest_.press(l, fingers[at(l)], now_s(), SettleStroke::kAcceleration_mps2);
        run(rest_, fingers, SettleStroke::kHeld_s);
        for (core::Finger& finger : fingers) finger.lift(now_s(), SettleStroke::kLift_mps);
        run(rest_, fingers, SettleStroke::kAfter_s);
    }

    int count() const { return static_cast<int>(keys_.size()); }

    LaneThrows play(const std::array<double, core::kLanes>& acceleration_mps2) const {
        ActionBlock block = rest_;
        std::array<core::Finger, core::kLanes> fingers{};
        LaneThrows throws{};
        std::int64_t tick = tick_;
        for (int l = 0; l < count(); ++l) {
            throws[at(l)].acceleration_mps2 = acceleration_mps2[at(l)];
            block.press(l, fingers[at(l)], now_s(), acceleration_mps2[at(l)]);
        }
        int left = count();
        std::array<double, core::kLanes> below{};
        for (int i = 0; left > 0 && i < static_cast<int>(kLongest_s * kTick_hz); ++i) {
            for (int l = 0; l < count(); ++l) below[at(l)] = block.crown_below_string_m(l);
            const core::LaneState before = block.state();
            push(block, fingers, tick);
            block.tick(tick++);
            for (int l = 0; l < count(); ++l) {
                Throw& t = throws[at(l)];
                if (t.speed_mps != 0) continue;
                const double now = block.crown_below_string_m(l);
                if (below[at(l)] > 0 && now <= 0) {
                    const double share = below[at(l)] / (below[at(l)] - now);
                    const double lever_m = block.crown_speed_mps(l) / block.state().v[kHammer].lane[l];
                    const double v0 = before.v[kHammer].lane[l], v1 = block.state().v[kHammer].lane[l];
                    t.speed_mps = lever_m * (v0 + share * (v1 - v0));
                    t.travel_s = (i + share) / kTick_hz;
                    --left;
                } else {
                    t.tail_N = std::max(t.tail_N, block.output().contact_force_N[kTailBackcheck].lane[l]);
                }
            }
        }
        return throws;
    }

    /// The throws whose speeds are nearest to those wanted, one row a speed; `seen` is told every throw that was tried.
    std::vector<LaneThrows> find(const std::vector<double>& speeds_mps,
                                 const std::function<void(int lane, const Throw&)>& seen = {},
                                 double tolerance = 0.003) const {
        constexpr int kGrid = 40, kRounds = 10;
        constexpr double kLeast_mps2 = 0.3, kGreatest_mps2 = 600;  // nothing is thrown .. beyond any finger
        const auto played = [&](const std::array<double, core::kLanes>& accelerations) {
            const LaneThrows throws = play(accelerations);
            for (int l = 0; seen && l < count(); ++l) seen(l, throws[at(l)]);
            return throws;
        };
        std::vector<LaneThrows> grid;
        for (int g = 0; g < kGrid; ++g) {
            std::array<double, core::kLanes> a;
            a.fill(kLeast_mps2 * std::pow(kGreatest_mps2 / kLeast_mps2, g / (kGrid - 1.0)));
            grid.push_back(played(a));
        }
        std::vector<LaneThrows> found(speeds_mps.size());
        for (size_t s = 0; s < speeds_mps.size(); ++s) {
            const double wanted = speeds_mps[s];
            LaneThrows low{}, high{};
            const auto error = [&](const Throw& t) { return std::abs(t.speed_mps / wanted - 1); };
            for (size_t l = 0; l < keys_.size(); ++l) {
                size_t g = 1;
                while (g + 1 < kGrid && grid[g][l].speed_mps < wanted) ++g;
                low[l] = grid[g - 1][l];
                high[l] = grid[g][l];
                found[s][l] = error(low[l]) < error(high[l]) ? low[l] : high[l];
            }
            for (int round = 0; round < kRounds; ++round) {
                std::array<double, core::kLanes> a{};
                bool good = true;
                for (size_t l = 0; l < keys_.size(); ++l) {
                    const double rise = high[l].speed_mps - low[l].speed_mps;
                    const double share = low[l].speed_mps > 0 ? (wanted - low[l].speed_mps) / rise : 0.5;
                    a[l] = low[l].acceleration_mps2 +
                           std::min(0.9, std::max(0.1, share)) * (high[l].acceleration_mps2 - low[l].acceleration_mps2);
                    good = good && error(found[s][l]) <= tolerance;
                }
                if (good) break;
                const LaneThrows next = played(a);
                for (size_t l = 0; l < keys_.size(); ++l) {
                    if (error(next[l]) < error(found[s][l])) found[s][l] = next[l];
                    (next[l].speed_mps < wanted ? low[l] : high[l]) = next[l];
                }
            }
        }
        return found;
    }

  private:
    static size_t at(int lane) { return static_cast<size_t>(lane); }
    static std::vector<KeyBuild> without_strings(std::vector<KeyBuild> keys) {
        for (KeyBuild& key : keys) key.strings = nullptr;
        return keys;
    }
    double now_s() const { return static_cast<double>(tick_) / kTick_hz; }
    void push(ActionBlock& block, std::array<core::Finger, core::kLanes>& fingers, std::int64_t tick) const {
        for (int l = 0; l < count(); ++l) {
            block.input.finger_force_N[at(l)] =
                block.finger_push_N(l, fingers[at(l)], static_cast<double>(tick) / kTick_hz);
        }
    }
    void run(ActionBlock& block, std::array<core::Finger, core::kLanes>& fingers, double seconds) {
        for (int i = 0; i < static_cast<int>(seconds * kTick_hz); ++i) {
            push(block, fingers, tick_);
            block.tick(tick_++);
        }
    }

    std::vector<KeyBuild> keys_;
    ActionBlock rest_;
    std::int64_t tick_ = 0;
};

}  // namespace letoff::keyboard
