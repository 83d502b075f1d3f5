// One key of an action that is stepped by itself: from the lanes to the action's own step and back.
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

void ActionBlock::step_action(int l) noexcept {
    ActionStep in;
    ActionPose pose;
    ActionForces out;
    in.h_s = h_s_;
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
    state_.friction_impulse_Ns[kPhaseSlot].lane[l] = pose.phase;
    for (std::size_t c = 0; c < kGrandContacts; ++c) {
        output_.contact_force_N[c].lane[l] = out.force_N[c];
        output_.compression_m[c].lane[l] = out.compression_m[c];
    }
    output_.driven_force.lane[l] = out.driven_Nm;
}

}  // namespace letoff::keyboard
