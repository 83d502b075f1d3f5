// Keys that leave a block or come into one.
#include <utility>

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

void ActionBlock::copy_key(const ActionBlock& from, int from_lane, int to_lane) {
    core::copy_lane(from.state_, from_lane, state_, to_lane);
    const size_t a = static_cast<size_t>(from_lane), b = static_cast<size_t>(to_lane);
    input.finger_force_N[b] = from.input.finger_force_N[a];
    input.key_force_N[b] = from.input.key_force_N[a];
    input.tray_lift_m[b] = from.input.tray_lift_m[a];
    last_input_ = input;
    wake(to_lane);
}

void ActionBlock::exchange(ActionBlock& a, int lane_a, ActionBlock& b, int lane_b) noexcept {
    const auto i = static_cast<size_t>(lane_a), k = static_cast<size_t>(lane_b);
    core::exchange_lanes(a.model_, lane_a, b.model_, lane_b);
    core::exchange_lanes(a.state_, lane_a, b.state_, lane_b);
    const auto exchange_block = [&](core::LaneBlock& x, core::LaneBlock& y) {
        std::swap(x.lane[lane_a], y.lane[lane_b]);
    };
    for (size_t c = 0; c < kGrandContacts; ++c) {
        exchange_block(a.output_.contact_force_N[c], b.output_.contact_force_N[c]);
        exchange_block(a.output_.compression_m[c], b.output_.compression_m[c]);
    }
    for (const size_t body : {index_of(kHammer), index_of(kHead)}) {
        exchange_block(a.step_input_.force[body], b.step_input_.force[body]);
        exchange_block(a.step_input_.shift[body], b.step_input_.shift[body]);
    }
    const auto exchange_input = [&](Input& x, Input& y) {
        std::swap(x.finger_force_N[i], y.finger_force_N[k]);
        std::swap(x.key_force_N[i], y.key_force_N[k]);
        std::swap(x.tray_lift_m[i], y.tray_lift_m[k]);
    };
    exchange_input(a.input, b.input);
    exchange_input(a.last_input_, b.last_input_);
    std::swap(a.lanes_[i], b.lanes_[k]);
    std::swap(a.events_[i], b.events_[k]);
    const auto exchange_bit = [&](core::LaneSet& x, core::LaneSet& y) {
        const unsigned differ = (x >> lane_a ^ y >> lane_b) & 1U;
        x = static_cast<core::LaneSet>(x ^ differ << lane_a);
        y = static_cast<core::LaneSet>(y ^ differ << lane_b);
    };
    exchange_bit(a.awake_, b.awake_);
    exchange_bit(a.stepped_, b.stepped_);
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
    key.phase = phase(l);
    key.q[kHead] = key.q[index_of(lane.geometry.crown.carrier)];
    key.v[kHead] = key.v[index_of(lane.geometry.crown.carrier)];
    key.hammer_torque_Nm = lane.other_torque_Nm;
    key.escapement_s = lane.escapement_s;
    key.bottom_s = lane.bottom_s;
    return key;
}

void ActionBlock::set_key_state(int l, const KeyState& key) noexcept {
    Lane& lane = lanes_[static_cast<size_t>(l)];
    for (size_t b = 0; b < static_cast<size_t>(model_.topology.bodies); ++b) {
        state_.q[b].lane[l] = key.q[b];
        state_.v[b].lane[l] = key.v[b];
        state_.v_change[b].lane[l] = 0;
    }
    for (size_t i = 0; i < core::kMaxFrictions; ++i) {
        state_.friction_impulse_Ns[i].lane[l] = key.friction_impulse_Ns[i];
        state_.friction_side[i].lane[l] = key.friction_side[i];
    }
    state_.phase.lane[l] = key.phase;
    lane.other_torque_Nm = key.hammer_torque_Nm;
    lane.escapement_s = key.escapement_s;
    lane.bottom_s = key.bottom_s;
    lane.bottom_compression_m = -1;
    lane.jack_pushed = key.escapement_s != key.escapement_s;  // NaN: it has not let go
    lane.dip_m = dip_m(l);
    wake(l);
}

}  // namespace letoff::keyboard
