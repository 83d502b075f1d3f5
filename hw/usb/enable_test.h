// The first push of a key's motor, for whoever has built one: does it move, in the right direction, by what force, and
// how much does its sensor tremble? A slowly growing pull, never above kMost_N, ends as soon as the key has moved by
// kMoved_m. Keys take turns, one of kGroups at once, so that a wrong one is told from its neighbours.
//
//   still   kStill_s without force: the position's mean and noise; a key that moves meanwhile is somebody's
//   pull    the force grows by kGrowth_N_per_s: down where the key lies up, up where it lies down
//   back    kBack_s without force
//
// Motion that stays away for moments, as on a busy machine, is no fault of a key: its group begins again.
//
// Pure: motion in, forces out, on a clock of the caller's.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/port/key_array.h"

namespace letoff::hw {

enum class EnableResult : std::uint8_t { kNotThere, kWaits, kMoves, kMovesByItself, kWrongWay, kDoesNotMove, kLost };
std::string_view what(EnableResult result) noexcept;

class EnableTest {
  public:
    static constexpr int kGroups = 8;
    static constexpr double kStill_s = 0.2, kBack_s = 0.3, kMost_N = 1.0, kGrowth_N_per_s = 2.0;
    static constexpr double kMoved_m = 1.0e-3, kByItself_m = 0.3e-3, kHalfWay_m = 5.0e-3;
    static constexpr double kMostGone_s = 2.0;  // time for motors that fell to be armed again

    struct Key {
        EnableResult result = EnableResult::kNotThere;
        double moved_at_N = 0;  // size of the force
        double noise_m = 0;     // rms of the position without force
        double rest_m = 0;
    };

    /// The newest motion, at a time that grows. The forces to send now.
    const core::KeyForces& step(double now_s, const core::KeyMotion& motion) noexcept;
    bool is_over() const noexcept { return group_ >= kGroups; }
    const Key& key(int key_index) const noexcept { return keys_[static_cast<std::size_t>(key_index)]; }

  private:
    void begin_group(double at_s) noexcept;
    void miss(std::size_t k, double now_s) noexcept;
    void look(std::size_t k, double since_s, double dip_m) noexcept;

    int group_ = -1;
    bool gone_ = false;  // a key of the group is, and may come back
    double began_s_ = 0;
    std::array<Key, core::kKeyCount> keys_{};
    struct Sum {
        double count = 0, sum = 0, square = 0, gone_s = 0;
        bool moving = false, gone = false;
    };
    std::array<Sum, core::kKeyCount> sums_{};
    core::KeyForces forces_;
};

}  // namespace letoff::hw
