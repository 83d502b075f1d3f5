// The haptics of all keys: one HapticKey each. The keybed calls begin_key() and finish_key() round a key's step, on
// whatever thread steps it; keys share nothing. take_motion(), forces() and counts() between ticks.
// Dip 0 of the device's key is dip 0 of the simulated one: where the tail just touches its rail.
#pragma once

#include <span>
#include <vector>

#include "core/port/key_array.h"
#include "keyboard/haptic/haptic_key.h"

namespace letoff::keyboard {

class ActionBlock;

class Haptics {
  public:
    /// One row of numbers for each key, or one for all.
    Haptics(std::span<const HapticValues> values, int keys, int tick_hz, const HapticKey::Options& options = {});

    /// For the coming tick and all until the next: what the keys did last.
    void take_motion(const core::KeyMotion& motion) noexcept { motion_ = motion; }

    /// True: the key is live and tied for the coming tick; its finger is the one on the device.
    bool begin_key(int key_index, ActionBlock& block, int lane, double now_s) noexcept;
    void finish_key(int key_index, const ActionBlock& block, int lane, double now_s) noexcept;
    /// From the coming tick on; not of a key that is live.
    void set_key(int key_index, const HapticKey& key) noexcept { keys_[static_cast<std::size_t>(key_index)] = key; }
    /// No motor plays and nothing is commanded: begin_key and finish_key would change nothing in this tick.
    bool rests() const noexcept { return resting_ && motion_.live.none(); }
    /// After a tick's last key.
    void close_tick(std::int64_t tick) noexcept;

    const core::KeyForces& forces() const { return forces_; }
    const HapticKey& key(int key_index) const { return keys_[static_cast<std::size_t>(key_index)]; }

    /// Keys that were so in the last tick; since the start for faults.
    struct Counts {
        int live = 0, limited = 0, damped = 0;
        std::int64_t faults = 0;
    };
    const Counts& counts() const { return counts_; }

  private:
    std::vector<HapticKey> keys_;
    core::KeyMotion motion_;
    core::KeyForces forces_;
    Counts counts_;
    bool resting_ = false;  // every key
};

}  // namespace letoff::keyboard
