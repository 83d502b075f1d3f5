// One key of an action that is stepped by itself: from the lanes to the action's own step and back.
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

void ActionBlock::step_action(int l, std::int64_t tick) noexcept {
    ActionStep in;
    ActionPose pose;
    ActionForces out;
    in.h_s = h_s_;
    in.string_samples = samples_per_tick_;
    for (std::size_t b = 0; b < kGrandBodies; ++b) {
        in.force[b] = step_input_.force[b].lane[l];
        pose.q[b] = state_.q[b].lane[l];
        pose.v[b] = state_.v[b].lane[l];
    }
    pose.phase = phase(l);
    in.hammer_shift_rad = step_input_.shift[kHammer].lane[l];
    in.tray_lift0_m = step_input_.gap_shift0_m[kDamperTray].lane[l];
    in.tray_lift1_m = step_input_.gap_shift1_m[kDamperTray].lane[l];
    in.driven = step_input_.driven_coordinate == kKey;
    in.driven_rad = step_input_.driven_q1.lane[l];
    in.driven_radps = step_input_.driven_v1.lane[l];
    if (step_input_.tied_coordinate == kKey) {
        in.tied_drag_Nms = step_input_.tied_drag.lane[l];
        in.tied_inertia_kgm2 = step_input_.tied_inertia.lane[l];
    }
    action_->step(lanes_[static_cast<std::size_t>(l)].numbers, in, pose, out);
    for (std::size_t b = 0; b < kGrandBodies; ++b) {
        state_.q[b].lane[l] = pose.q[b];
        state_.v[b].lane[l] = pose.v[b];
    }
    state_.phase.lane[l] = pose.phase;
    for (std::size_t c = 0; c < kGrandContacts; ++c) {
        output_.contact_force_N[c].lane[l] = out.force_N[c];
        output_.compression_m[c].lane[l] = out.compression_m[c];
    }
    output_.driven_force.lane[l] = out.driven_Nm;
    if (!action_->has_hammer()) read_speech(l, tick, out);
}

/// What takes the place of hammer and strings: the force of a plectrum, and when it let go or a pallet opened.
void ActionBlock::read_speech(int l, std::int64_t tick, const ActionForces& out) noexcept {
    const Lane& lane = lanes_[static_cast<std::size_t>(l)];
    Events& events = events_[static_cast<std::size_t>(l)];
    if (out.on_strings) {
        events.on_strings = true;
        events.force.key_index = lane.key_index;
        events.force.count = samples_per_tick_;
        events.force.force_N = out.string_N;
    }
    if (!out.spoke) return;
    events.struck = true;
    events.spoken_key_mps = out.spoke_key_mps;
    events.strike = {};
    events.strike.key_index = lane.key_index;
    events.strike.strike_time_s = (static_cast<double>(tick) + out.spoke_share) * h_s_;
    events.strike.by_hammer = false;
    events.strike.hammer_speed_mps =
        lane.velocity_out_mps > 0 ? lane.velocity_out_mps : core::kHammerPerKey * out.spoke_key_mps;
    events.strike.key_bottom_time_s = lane.bottom_s;
}

}  // namespace letoff::keyboard
