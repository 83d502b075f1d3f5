#include "keyboard/keybed/touch_glide.h"

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

void TouchGlide::start(const KeyTouch& to, const KeyMechanics& present, double tray_travel_m) noexcept {
    from_ = present;
    from_tray_travel_m_ = tray_travel_m;
    changed_ = core::changed_numbers(from_.numbers, to.mechanics.numbers, std::span(changed_store_)).size();
    waits_ = false;
    finger_waits_ = true;
    ticks_left_ = ticks_;
}

void TouchGlide::step(const KeyTouch& to, ActionBlock& block, int lane, core::Finger& finger,
                      double& tray_travel_m) noexcept {
    if (ticks_left_ > 0) {
        --ticks_left_;
        const double share = ticks_left_ == 0 ? 1.0 : 1.0 - static_cast<double>(ticks_left_) / ticks_;
        block.set_mechanics(lane, from_, to.mechanics, std::span(changed_store_).first(changed_), share);
        tray_travel_m = share >= 1 ? to.tray_travel_m : (1 - share) * from_tray_travel_m_ + share * to.tray_travel_m;
    }
    if (finger_waits_ && finger.phase() == core::Finger::Phase::idle) {
        finger = core::Finger(to.finger);
        finger_waits_ = false;
    }
}

}  // namespace letoff::keyboard
