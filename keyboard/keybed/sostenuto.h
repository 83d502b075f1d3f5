// The sostenuto pedal of a grand: a rod with a lip that turns under the tabs of those dampers that are up at that
// moment and keeps them up; dampers that are lifted later push their tabs past the lip and fall back as ever.
//
// The lip is under the tabs from kCatches of the pedal's travel on. From there to the end it rises from kSeated_m,
// where a damper lies on its strings, to kHolds_m, so a pedal that is not quite down holds dampers half off. Lifts are
// of the damper, upwards from where its felt just touches its strings. Thread rules: move() once a tick before any
// held_m(); held_m() of different keys on any threads. Real-time safe.
#pragma once

#include <array>
#include <cstddef>

#include "core/unit/keys.h"

namespace letoff::keyboard {

class SostenutoRod {
  public:
    static constexpr double kCatches = 0.5;   // where a foot that rests on the pedal does nothing: our choice
    static constexpr double kTabUp_m = 1e-3;  // a tab this high is above the lip: our choice, technicians leave 1-2 mm
    static constexpr double kSeated_m = -0.3e-3;  // felt pressed in by its damper's weight: 0.2 mm
    static constexpr double kHolds_m = 3.5e-3;  // of 4.6 mm that keys lift: a caught damper sinks by about a millimetre

    /// The pedal at the end of the coming tick, 0 up .. 1 down.
    void move(double pedal) noexcept {
        catching_ = pedal >= kCatches && pedal_ < kCatches;
        pedal_ = pedal;
    }

    /// How high the rod holds the key's damper, which was this high in the last tick; kNotHeld_m: not at all.
    static constexpr double kNotHeld_m = -1;
    double held_m(std::size_t key, double damper_lift_m) noexcept {
        if (pedal_ < kCatches) caught_[key] = false;
        if (catching_ && damper_lift_m >= kTabUp_m) caught_[key] = true;
        return held_m(key);
    }
    double held_m(std::size_t key) const noexcept {
        if (!caught_[key]) return kNotHeld_m;
        return kSeated_m + (kHolds_m - kSeated_m) * (pedal_ - kCatches) / (1 - kCatches);
    }

  private:
    double pedal_ = 0;
    bool catching_ = false;
    std::array<bool, core::kKeyCount> caught_{};
};

}  // namespace letoff::keyboard
