// All of one key that a touch can change while it plays, as numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/finger/finger.h"
#include "core/multibody/lane_numbers.h"
#include "keyboard/action/action.h"
#include "keyboard/action/grand.h"
#include "keyboard/keybed/key_build.h"
#include "keyboard/strike/hammer_string.h"

namespace letoff::keyboard {

/// The mechanism whose lanes are stepped, or for an action that is stepped by itself the grand of its values.
core::Mechanism mechanism_of(const KeyBuild& key);

/// What is read off the mechanism, beside its own numbers.
struct KeyGeometry {
    CrownGeometry crown;
    double touch_arm_m = 0;    // lever of the finger
    double pick_up_dip_m = 0;  // where the damper is picked up
};

struct KeyMechanics {
    core::LaneNumbers numbers{};
    KeyGeometry geometry;
    ActionNumbers own{};  // of an action that is stepped by itself
    HammerFelt felt;      // on its strings, where it has some
};

KeyGeometry geometry_of(const KeyBuild& key);
/// Straight between two; the very numbers of `to` at share 1.
KeyGeometry between(const KeyGeometry& from, const KeyGeometry& to, double share) noexcept;
ActionNumbers between(const ActionNumbers& from, const ActionNumbers& to, double share) noexcept;

/// The pedal's tray under a key's damper: its whole travel, and what of it passes before it lifts.
struct TrayReach {
    double travel_m = 0, gap_m = 0;
};
TrayReach tray_reach(const GrandValues& values);

/// The stamp of no touch.
inline constexpr std::uint64_t kNoTouch = ~std::uint64_t{0};

struct KeyTouch {
    std::uint64_t stamp = 0;  // equal stamps: the same numbers. 0: as the keybed was built
    KeyMechanics mechanics;
    TrayReach tray;
    core::FingerSetting finger;
};

/// A touch of all keys: immutable, made on a control thread, handed over through a core::SnapshotSwap.
struct KeybedTouch {
    std::uint64_t version = 0;   // another one each time; 0: as the keybed was built
    std::vector<KeyTouch> keys;  // none (with version 0), or as many as the keybed has
};

/// Not for a real-time thread.
KeyTouch key_touch(const KeyBuild& key, std::uint64_t stamp);

}  // namespace letoff::keyboard
