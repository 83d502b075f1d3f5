#include "keyboard/keybed/key_tie.h"

#include <algorithm>

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {
namespace {

constexpr double kArm_m = -kFingerPointX_m;  // of the front, where dip and force are told

}  // namespace

void ActionBlock::tie_key(int lane, const KeyTie& tie) noexcept {
    lanes_[static_cast<size_t>(lane)].tie = tie;
    tied_ = static_cast<core::LaneSet>(tied_ | 1U << lane);
    wake(lane);
}

/// With y = arm q and the mean of y over the step y0 + h (y0' + y1') / 4: F = k (x - y0) + c x' - (c + k h / 2) y'.
void ActionBlock::take_ties() noexcept {
    if (driven() || tied_ == 0) {
        step_input_.tied_coordinate = -1;
        return;
    }
    step_input_.tied_coordinate = kKey;
    for (int l = 0; l < core::kLanes; ++l) {
        const int from = std::min(l, keys_ - 1);  // lanes that no key owns go with the last key
        step_input_.tied_drag.lane[l] = step_input_.tied_inertia.lane[l] = 0;
        if (!is_tied(from)) continue;
        const KeyTie& tie = lanes_[static_cast<size_t>(from)].tie;
        const double key_kg = model_.body[kKey].inertia.lane[l] / (kArm_m * kArm_m);
        const double less_kg = std::clamp(tie.own_mass_kg, 0.0, std::max(0.0, key_kg - kLeastTiedMass_kg));
        step_input_.tied_inertia.lane[l] = -less_kg * kArm_m * kArm_m;
        step_input_.tied_drag.lane[l] = (tie.damping_Ns_per_m + 0.5 * h_s_ * tie.stiffness_N_per_m) * (kArm_m * kArm_m);
        const double pull_N = tie.stiffness_N_per_m * (tie.dip_m - kArm_m * state_.q[kKey].lane[from]) +
                              tie.damping_Ns_per_m * tie.speed_mps;
        step_input_.force[kKey].lane[l] += (pull_N - tie.own_weight_N) * kArm_m;
    }
}

void ActionBlock::read_tie(int l, const core::LaneState& before) noexcept {
    Lane& lane = lanes_[static_cast<size_t>(l)];
    const double y0_m = kArm_m * before.q[kKey].lane[l], v0 = before.v[kKey].lane[l];
    const double mean_mps = kArm_m * 0.5 * (v0 + state_.v[kKey].lane[l]);
    const double stretch_m = lane.tie.dip_m - (y0_m + 0.5 * h_s_ * mean_mps);
    const auto contact_N = [&](GrandContact c) { return output_.contact_force_N[static_cast<size_t>(c)].lane[l]; };
    lane.tied.force_N =
        lane.tie.stiffness_N_per_m * stretch_m + lane.tie.damping_Ns_per_m * (lane.tie.speed_mps - mean_mps);
    lane.tied.rails_N = contact_N(kKeyFrontRail) - contact_N(kKeyBackRail) * (kBackRailX_m / kArm_m);
    lane.tied.way_m = h_s_ * mean_mps;
    lane.tied.stretch_m = stretch_m;
}

}  // namespace letoff::keyboard
