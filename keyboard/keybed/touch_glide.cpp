#include "keyboard/keybed/touch_glide.h"

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

void TouchGlide::start(const KeyTouch& to, const KeyMechanics& present, const TrayReach& tray) noexcept {
    from_ = present;
    from_tray_ = tray;
    changed_ = core::changed_numbers(from_.numbers, to.mechanics.numbers, std::span(changed_store_)).size();
    waits_ = false;
    finger_waits_ = true;
    ticks_left_ = ticks_;
}

void TouchGlide::step(const KeyTouch& to, ActionBlock& block, int lane, core::Finger& finger,
                      TrayReach& tray) noexcept {
    if (ticks_left_ > 0) {
        --ticks_left_;
        const double share = ticks_left_ == 0 ? 1.0 : 1.0 - static_cast<double>(ticks_left_) / ticks_;
        block.set_mechanics(lane, from_, to.mechanics, std::span(changed_store_).first(changed_), share);
        const auto at = [share](double from, double to_m) {
            return share >= 1 ? to_m : (1 - share) * from + share * to_m;
        };
        tray = {at(from_tray_.travel_m, to.tray.travel_m), at(from_tray_.gap_m, to.tray.gap_m)};
    }
    if (finger_waits_ && finger.phase() == core::Finger::Phase::idle) {
        finger = core::Finger(to.finger);
        finger_waits_ = false;
    }
}

}  // namespace letoff::keyboard
