// One key of a block taken out and put in: for aiming a stroke on a copy, and for catching up.
#include <cstddef>

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

void ActionBlock::copy_key(const ActionBlock& from, int from_lane, int to_lane) {
    core::copy_lane(from.state_, from_lane, state_, to_lane);
    const size_t a = static_cast<size_t>(from_lane), b = static_cast<size_t>(to_lane);
    input.finger_force_N[b] = from.input.finger_force_N[a];
    input.key_force_N[b] = from.input.key_force_N[a];
    input.tray_lift_m[b] = from.input.tray_lift_m[a];
    last_input_ = input;
    asleep_ = false;
}

KeyState ActionBlock::key_state(int l) const {
    const Lane& lane = lanes_[static_cast<size_t>(l)];
    KeyState key;
    for (size_t b = 0; b < kGrandBodies; ++b) {
        key.q[b] = state_.q[b].lane[l];
        key.v[b] = state_.v[b].lane[l];
    }
    for (size_t i = 0; i < core::kMaxFrictions; ++i) {
        key.friction_impulse_Ns[i] = state_.friction_impulse_Ns[i].lane[l];
        key.friction_side[i] = state_.friction_side[i].lane[l];
    }
    key.hammer_torque_Nm = lane.other_torque_Nm;
    key.escapement_s = lane.escapement_s;
    key.bottom_s = lane.bottom_s;
    return key;
}

void ActionBlock::set_key_state(int l, const KeyState& key) noexcept {
    Lane& lane = lanes_[static_cast<size_t>(l)];
    for (size_t b = 0; b < kGrandBodies; ++b) {
        state_.q[b].lane[l] = key.q[b];
        state_.v[b].lane[l] = key.v[b];
        state_.v_change[b].lane[l] = 0;
    }
    for (size_t i = 0; i < core::kMaxFrictions; ++i) {
        state_.friction_impulse_Ns[i].lane[l] = key.friction_impulse_Ns[i];
        state_.friction_side[i].lane[l] = key.friction_side[i];
    }
    lane.other_torque_Nm = key.hammer_torque_Nm;
    lane.escapement_s = key.escapement_s;
    lane.bottom_s = key.bottom_s;
    lane.bottom_compression_m = -1;
    lane.jack_pushed = key.escapement_s != key.escapement_s;  // NaN: it has not let go
    lane.dip_m = dip_m(l);
    asleep_ = false;
}

}  // namespace letoff::keyboard
