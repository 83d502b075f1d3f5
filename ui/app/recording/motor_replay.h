// The motor array of a recording: what it brought to each tick, given again (ui/app/live/live_array.h is where it came
// from). Nobody feels the forces; where the array had fingers of its own, theirs are in the motion of its keys.
//
// Threads: one.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "core/event/take_event.h"
#include "core/port/hands.h"
#include "core/port/key_array.h"
#include "keyboard/gesture/live_player.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::ui {

class MotorReplay final : public core::Hands {
  public:
    explicit MotorReplay(keyboard::Keybed& keybed) : keybed_(keybed) {}

    /// One event of a motor array, `shift_s` later than it was; true: it was one.
    bool take(const core::TakeEvent& event, double shift_s);
    /// Before the coming tick, when its events were taken.
    void before_tick(keyboard::LivePlayer& player);

    void press(int /*key_index*/, double /*start_s*/, double /*acceleration_mps2*/) noexcept override {}
    void lift(int /*key_index*/, double /*start_s*/, double /*speed_mps*/) noexcept override {}

  private:
    void need_haptics();
    void build_device();

    keyboard::Keybed& keybed_;
    core::KeyMotion motion_;
    std::bitset<core::kKeyCount> live_;  // that the player knows
    int device_key_ = -1;                // whose numbers are being taken
    keyboard::HapticValues device_ = keyboard::haptic_defaults();
    bool given_ = false, rests_ = false;
};

}  // namespace letoff::ui
