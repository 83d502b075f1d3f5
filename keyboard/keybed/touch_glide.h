// One key on its way from one touch to another while it plays.
//
// A jump would throw the hammer: a capstan that is 0.5 mm higher at once presses its felt with some 50 N, and what a
// technician turns in a second moves the hammer by millimetres. So the numbers run straight from what the key has to
// what it is to have, in kGlide_s, a step a tick, whatever the key does meanwhile: rests, is held, flies, is on the
// strings. Bodies keep place, speed and friction; contacts push them to where the new geometry wants them. The blow
// changes by 17 mm where the capstan is turned by 1 mm: that lifts the hammer at 0.08 m/s, a fifth of pp, and lets it
// fly on by v^2 / 2g = 0.4 mm, less than any let-off. To wait until the key rests would keep a held chord or a
// technician's finger from feeling anything, and a key at rest would be thrown all the same.
// The finger on the key goes on as it learnt; it knows the new key when it comes the next time.
// Real-time safe; one owner.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/finger/finger.h"
#include "keyboard/keybed/key_mechanics.h"

namespace letoff::keyboard {

class ActionBlock;

class TouchGlide {
  public:
    static constexpr double kGlide_s = 0.2;

    explicit TouchGlide(int tick_hz) : ticks_(static_cast<int>(kGlide_s * tick_hz)) {}

    /// The stamp that the key is to have. What is on its way to another one stops until start().
    void aim(std::uint64_t stamp) noexcept {
        if (stamp == stamp_) return;
        stamp_ = stamp;
        ticks_left_ = 0;
        waits_ = true;
    }
    void start(const KeyTouch& to, const KeyMechanics& present, const TrayReach& tray) noexcept;
    /// Before a tick: one step on the way to `to`, which start() was told.
    void step(const KeyTouch& to, ActionBlock& block, int lane, core::Finger& finger, TrayReach& tray) noexcept;

    std::uint64_t stamp() const { return stamp_; }
    bool waits() const { return waits_; }
    bool moves() const { return ticks_left_ > 0 || finger_waits_; }
    bool under_way() const { return waits_ || ticks_left_ > 0; }

  private:
    int ticks_;
    std::uint64_t stamp_ = 0;
    bool waits_ = false, finger_waits_ = false;
    int ticks_left_ = 0;
    KeyMechanics from_;
    TrayReach from_tray_;
    std::array<std::uint16_t, core::kLaneNumbers> changed_store_{};
    std::size_t changed_ = 0;
};

}  // namespace letoff::keyboard
