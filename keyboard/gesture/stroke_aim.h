// Aims one stroke off line: tries it on a copy of its key, from the state the key is really in and with the pedal as it
// will move, and picks start and acceleration so that the hammer meets the strings at the note's time with the note's
// speed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "keyboard/gesture/stroke_trial.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {

struct AimedStroke {
    double start_s = 0;
    double acceleration_mps2 = 0;
};

class StrokeAim {
  public:
    StrokeAim(const KeyBuild& key, int tick_hz);

    struct Target {
        double strike_s = 0;   // keybed time
        double speed_mps = 0;  // at the strings
        bool rested = true;    // else the key is on its way: wider search
    };

    /// `guess` from the table; the stroke starts no earlier than the keybed's present tick.
    AimedStroke aim(const Keybed& keybed, int key_index, const Target& target, const AimedStroke& guess,
                    const std::function<double(std::int64_t tick)>& tray_share_at_end_of_tick);

  private:
    std::optional<AimedStroke> aim_at_rest(const Keybed& keybed, int key_index, const Target& target,
                                           const AimedStroke& guess);

    StrokeTrial trial_;
};

}  // namespace letoff::keyboard
