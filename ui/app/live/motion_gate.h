// What of a motor array's motion the keybed is given: each key's in 32 bits (core/event/key_motion_code.h), and keys
// that nobody touches not at all. A recording keeps exactly this, so a replay has the same to the bit and an array that
// is not played costs neither ticks nor disk.
//
//   A key rests after kRest_s within kStill_m and kStill_mps of where it was, less than kTop_m deep: then it keeps that
//   dip, with speed 0, until it leaves them. kStill is five times the noise of a sensor (2 um, 0.2 mm/s rms); 10 um of
//   a key that leaves the top are a fiftieth of what the felt under its tail gives way.
//   Where all live keys rest, their motion is taken as measured at the tick's begin, for as long as something newer
//   than kFresh_s is known: what they do does not depend on when it was measured.
//
// Threads: one, the keybed's, real-time safe.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "core/event/key_motion_code.h"
#include "core/port/key_array.h"
#include "ui/app/recording/take_log.h"

namespace letoff::ui {

class MotionGate {
  public:
    static constexpr double kRest_s = 0.1, kTop_m = 0.5e-3, kStill_m = 10e-6, kStill_mps = 1e-3;
    static constexpr double kFresh_s = 0.005;  // half of what makes a key no longer live (HapticKey::kLost_s)

    explicit MotionGate(int tick_hz) : rest_ticks_(static_cast<int>(kRest_s * tick_hz)) {}

    /// A tick that begins at now_s. `newest`: what was measured last, on the keybed's clock; fresh: since the last
    /// call. True: `given()` is to be taken. `take`, if there is one, is told.
    bool pass(double now_s, const core::KeyMotion& newest, bool fresh, TakeLog* take) noexcept;
    const core::KeyMotion& given() const noexcept { return given_; }

  private:
    struct Key {
        core::KeyMotionCode code, at;  // given; where it was as it began to be still
        int still_ticks = 0;
    };
    bool rests(const Key& key) const noexcept { return key.still_ticks >= rest_ticks_; }
    core::KeyMotionCode next(Key& key, double dip_m, double speed_mps) const noexcept;

    const int rest_ticks_;
    std::array<Key, core::kKeyCount> keys_{};
    core::KeyMotion given_;
    bool all_rest_ = false;
};

}  // namespace letoff::ui
