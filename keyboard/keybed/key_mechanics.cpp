#include "keyboard/keybed/key_mechanics.h"

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {
namespace {

/// Dip at which the grand's damper is picked up, and so where a release is reported (design, section 5).
double pick_up_dip_m(const GrandValues& values) {
    return -kFingerPointX_m * values[grand_row("damper_gap_mm")] / values[grand_row("damper_x_mm")];
}

}  // namespace

core::Mechanism mechanism_of(const KeyBuild& key) {
    const ActionLanes* lanes = key.action->lanes;
    return lanes == nullptr ? make_grand(key.values, key.damped)
                            : lanes->make(key.values, key.damped, key.register_index);
}

KeyGeometry geometry_of(const KeyBuild& key) {
    const double touch_m = touch_arm_m(key.values);
    if (const ActionLanes* lanes = key.action->lanes)
        return {lanes->crown(key.values, key.register_index), touch_m,
                lanes->pick_up_dip_m(key.values, key.register_index)};
    return {crown_geometry(key.values), touch_m, pick_up_dip_m(key.values)};
}

KeyGeometry between(const KeyGeometry& from, const KeyGeometry& to, double share) noexcept {
    if (share >= 1) return to;
    const auto straight = [share](double a, double b) { return (1 - share) * a + share * b; };
    return {{straight(from.crown.x_m, to.crown.x_m), straight(from.crown.y_m, to.crown.y_m),
             straight(from.crown.hinge_m, to.crown.hinge_m),
             straight(from.crown.under_string_m, to.crown.under_string_m), to.crown.carrier},
            straight(from.touch_arm_m, to.touch_arm_m),
            straight(from.pick_up_dip_m, to.pick_up_dip_m)};
}

ActionNumbers between(const ActionNumbers& from, const ActionNumbers& to, double share) noexcept {
    if (share >= 1) return to;
    ActionNumbers numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = (1 - share) * from[i] + share * to[i];
    return numbers;
}

TrayReach tray_reach(const GrandValues& values) {
    return {values[grand_row("tray_travel_mm")] * 1e-3, values[grand_row("tray_gap_mm")] * 1e-3};
}

KeyTouch key_touch(const KeyBuild& key, std::uint64_t stamp) {
    const core::Mechanism mechanism = mechanism_of(key);
    const core::LaneModel model = core::make_lane_model(std::span(&mechanism, 1));
    KeyTouch touch{stamp,
                   {.numbers = core::lane_numbers(model, 0), .geometry = geometry_of(key), .own = {}, .felt = {}},
                   tray_reach(key.values),
                   finger_for(key.values, *key.action)};
    if (key.strings != nullptr) touch.mechanics.felt = felt_of(*key.strings);
    if (key.action->numbers != nullptr) touch.mechanics.own = key.action->numbers(key.values, key.damped);
    return touch;
}

KeyMechanics ActionBlock::mechanics(int lane) const noexcept {
    const Lane& l = lanes_[static_cast<size_t>(lane)];
    return {core::lane_numbers(model_, lane), l.geometry, l.numbers,
            l.strings.empty() ? HammerFelt{} : l.strings.front().felt()};
}

void ActionBlock::set_mechanics(int lane, const KeyMechanics& from, const KeyMechanics& to,
                                std::span<const std::uint16_t> changed, double share) noexcept {
    const int last = lane == keys_ - 1 ? core::kLanes - 1 : lane;  // with the lanes that go with the last key
    for (int l = lane; l <= last; ++l) {
        core::set_lane_between(model_, l, from.numbers, to.numbers, changed, share);
        lanes_[static_cast<size_t>(l)].geometry = between(from.geometry, to.geometry, share);
        if (action_->step != nullptr) lanes_[static_cast<size_t>(l)].numbers = between(from.own, to.own, share);
    }
    // At once, but no blow is half of one felt and half of another; of a glide's many steps one finds the hammer free.
    Lane& own = lanes_[static_cast<size_t>(lane)];
    if (!own.strings.empty() && !own.string_state.contact_open) own.strings.front().set_felt(own.string_state, to.felt);
    wake(lane);
}

}  // namespace letoff::keyboard
