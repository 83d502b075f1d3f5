// The 88 real or simulated keys under the fingers: their motion comes in, the force that the finger shall feel goes out
// (impedance causality). Dip is positive downwards, force is the force on the finger, positive upwards, at the key
// front.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "core/unit/keys.h"

namespace letoff::core {

struct KeyMotion {
    double time_s = 0;  // when it was measured, on the keybed's clock
    std::array<double, kKeyCount> dip_m{};
    std::array<double, kKeyCount> dip_speed_mps{};
    /// Keys whose motion was measured, is fresh and trusted, and whose motor may push: the others are played without
    /// it.
    std::bitset<kKeyCount> live{};
};

struct KeyForces {
    std::int64_t tick = 0;
    std::array<double, kKeyCount> force_N{};  // 0 for a key that is not live
};

class KeyArray {
  public:
    virtual ~KeyArray() = default;
    /// Both on the keybed's thread, once a tick, without waiting.
    /// False: nothing new was measured since the last call, `motion` is untouched.
    virtual bool newest_motion(KeyMotion& motion) noexcept = 0;
    /// False: not taken, the forces of an earlier tick still hold.
    virtual bool send_forces(const KeyForces& forces) noexcept = 0;
};

}  // namespace letoff::core
