// The motors move their keys slowly down and up by themselves, and what force that takes is kept: from it comes the
// table that takes the cogs of their iron away (hw/sensing/cogging.h). All keys at once:
//
//   still   kStill_s without force: where the key lies
//   begin   from there to kTop_m, then      down to kBottom_m, up to kTop_m: recorded      back   kBack_s without force
//
// Motor's force on the finger, positive upwards: F = K (x - x_wanted) + C (v - v_wanted), at most kMost_N: a finger
// left on a key stops it, and that key gets no table. With K = 2 N/mm a cog of 0.1 N moves a key by 50 um, half a bin
// of the table; C damps a lever of 20 g critically (2 sqrt(K m) = 12.6 N s/m) and a wooden key of 43 g to 0.64 of that.
//
// Pure: motion in, forces out, on a clock of the caller's. step() does not allocate; points() are reserved before.
#pragma once

#include <array>
#include <vector>

#include "core/port/key_array.h"
#include "core/result.h"
#include "hw/sensing/cogging.h"

namespace letoff::hw {

class CoggingDrive {
  public:
    static constexpr double kStill_s = 0.2, kBack_s = 0.3;
    static constexpr double kTop_m = 0.3e-3, kBottom_m = 9.2e-3;  // clear of the felts of both rails
    static constexpr double kSpeed_mps = 4.5e-3;                  // of the test bench that the fit was made on
    static constexpr double kTurn_s = 0.2;                        // not kept after a turn: friction changes its sign
    // Frames that come too late end nothing: all keys go back by kTurn_s, and what is kept has no gap.
    static constexpr double kMostGone_s = 0.05;
    static constexpr double kStiffness_N_per_m = 2000, kDamping_Ns_per_m = 12, kMost_N = 1.5;

    CoggingDrive();
    /// The newest motion, at a time that grows. The forces to send now.
    const core::KeyForces& step(double now_s, const core::KeyMotion& motion) noexcept;
    bool is_over() const noexcept { return over_; }
    /// The key was live, but for moments, from the first to the last.
    bool is_moved(int key_index) const noexcept {
        const Key& key = keys_[static_cast<std::size_t>(key_index)];
        return key.moved && key.live && !key.lost;
    }
    core::Result<CoggingTable> fit(int key_index) const {
        return fit_cogging(keys_[static_cast<std::size_t>(key_index)].points);
    }

  private:
    struct Key {
        bool live = false, moved = false, lost = false;
        double begin_m = 0, gone_s = 0;
        std::vector<CoggingPoint> points;
    };
    struct Want {
        double dip_m = 0, speed_mps = 0;
        bool keep = false;
    };
    static Want wanted(double begin_m, double since_s) noexcept;

    double began_s_ = -1, settled_s_ = -1;
    bool over_ = false;
    std::array<Key, core::kKeyCount> keys_{};
    core::KeyForces forces_;
};

}  // namespace letoff::hw
