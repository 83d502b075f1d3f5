// Tries strokes before they are played: up to eight fingers on eight actions in the lanes of one block, run until their
// hammers meet the strings. Used for the tables (eight different keys) and off line to aim a single stroke from the
// state its key is really in (eight strokes on one key).
#pragma once

#include <array>
#include <functional>
#include <span>

#include "core/finger/finger.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

inline constexpr double kLongestStroke_s = 0.6;  // one that has not struck by then is silent
inline constexpr double kTraySettles_s = 0.15;   // until dampers rest on a tray that was moved

struct Trial {
    double speed_mps = 0;  // at first contact; 0: the hammer did not get there
    double strike_s = 0;   // time of first contact; 0: none
};

using LaneTrials = std::array<Trial, core::kLanes>;
using LaneValues = std::array<double, core::kLanes>;

class StrokeTrial {
  public:
    /// The keys' strings are left out: a trial ends where they begin.
    StrokeTrial(std::span<const KeyBuild> keys, int tick_hz);

    double now_s() const { return static_cast<double>(tick_) * h_s_; }

    /// Plays all keys once softly and lets them go: a key rests where playing left it.
    void settle();
    void run(double seconds);
    void set_tray_share(double share);

    /// All lanes become the given lane of a live block, with its finger, at a tick.
    void load(const ActionBlock& from, int lane, const core::Finger& finger, std::int64_t tick);

    /// Strokes beginning at start_s[l]; the pedal's tray follows `tray_share_at_end_of_tick` where given. Ends when all
    /// have struck or at the latest longest_s after the last start. The trial's state is used up: copy it before if it
    /// is needed again.
    LaneTrials strike(const LaneValues& start_s, const LaneValues& acceleration_mps2, double longest_s,
                      const std::function<double(std::int64_t tick)>& tray_share_at_end_of_tick = {});

  private:
    void tick();

    ActionBlock block_;
    int keys_;
    double h_s_;
    LaneValues tray_travel_m_{};
    std::array<core::Finger, core::kLanes> fingers_{};
    std::int64_t tick_ = 0;
};

}  // namespace letoff::keyboard
