// A hammer on its own strings: what it weighs there, the blow on the strike grid (keyboard/strike/hammer_string.h), and
// what of it the block's step is told.
#include "core/simd/scalar_math.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {
namespace {

constexpr double kStringMargin_m = 1e-3;    // against rounding; HammerOnString::within_reach decides with 0.01 mm
constexpr double kStrikeImpulse_Ns = 1e-4;  // a strike: contact impulse > 0.1 mN s (design, section 5)

}  // namespace

ActionBlock::CrownGive ActionBlock::crown_give(int l, const CrownGeometry::Pose& pose) const noexcept {
    const double hammer_kgm2 = model_.body[kHammer].inertia.lane[l];
    if (lanes_[static_cast<size_t>(l)].geometry.crown.carrier == kHammer) {
        const double turn = pose.lever_arm_m / hammer_kgm2;
        return {turn, 0, pose.lever_arm_m * turn};
    }
    // Hammer and head coupled by the head's inertia (core/multibody/kinematics-inl.h: M_pp, M_pc, M_cc).
    const core::LaneBody& head = model_.body[kHead];
    const core::SinCos s = core::small_sincos(state_.q[kHammer].lane[l]),
                       h = core::small_sincos(state_.q[kHead].lane[l]);
    const double kg = head.mass.lane[l], hinge_m = head.pivot_x.lane[l];
    const double com_x = head.com_x.lane[l], com_y = head.com_y.lane[l];
    const double rx = h.cos * com_x - h.sin * com_y, ry = h.sin * com_x + h.cos * com_y;
    const double m00 = hammer_kgm2 + kg * hinge_m * hinge_m, m11 = head.inertia.lane[l];
    const double m01 = kg * hinge_m * (s.cos * rx + s.sin * ry), det = m00 * m11 - m01 * m01;
    const double a0 = pose.hammer_arm_m(), a1 = pose.head_arm_m;
    CrownGive give{(m11 * a0 - m01 * a1) / det, (m00 * a1 - m01 * a0) / det, 0};
    give.crown_mps2 = a0 * give.hammer_radps2 + a1 * give.head_radps2;
    return give;
}

double ActionBlock::other_torque_Nm(int l, const core::LaneState& before) const noexcept {
    const auto gained = [&](size_t b) { return (state_.v[b].lane[l] - before.v[b].lane[l]) / h_s_; };
    const CrownGeometry& crown = lanes_[static_cast<size_t>(l)].geometry.crown;
    if (crown.carrier == kHammer)
        return model_.body[kHammer].inertia.lane[l] * gained(kHammer) - step_input_.force[kHammer].lane[l];
    const CrownGeometry::Pose pose = crown.at(before.q[kHammer].lane[l], before.q[kHead].lane[l]);
    const double strings_N = -step_input_.force[kHead].lane[l] / pose.head_arm_m;
    return (pose.speed_mps(gained(kHammer), gained(kHead)) / crown_give(l, pose).crown_mps2 + strings_N) *
           pose.lever_arm_m;
}

void ActionBlock::meet_strings(int l, std::int64_t tick) noexcept {
    Lane& lane = lanes_[static_cast<size_t>(l)];
    for (const size_t b : {index_of(kHammer), index_of(kHead)})
        step_input_.force[b].lane[l] = step_input_.shift[b].lane[l] = 0;
    if (lane.strings.empty()) return;
    HammerOnString& on_string = lane.strings.front();
    const std::int64_t sample = tick * samples_per_tick_;
    // How far the strings swing is known for the blow that the pedal gives.
    const bool bound_known = has_soft_rail() || lane.string_state.blow_pedal == input.una_corda;
    const double far_m = kStringMargin_m + kFastestCrown_mps * h_s_ + lane.string_state.string_bound_m;
    if (!lane.string_state.contact_open &&
        crown_surely_far(l, bound_known ? std::min(far_m, kNearStrings_m) : kNearStrings_m))
        return;
    if (!has_soft_rail()) on_string.set_una_corda(lane.string_state, input.una_corda);
    const CrownGeometry::Pose pose = crown_pose(l);
    const CrownGive give = crown_give(l, pose);
    HammerState hammer;
    hammer.position_m = -pose.below_string_m;
    hammer.speed_mps = crown_speed_mps(l);
    hammer.mass_kg = 1 / give.crown_mps2;
    hammer.other_force_N = lane.other_torque_Nm / pose.lever_arm_m;
    if (pose.below_string_m > kNearStrings_m || !on_string.within_reach(lane.string_state, hammer, h_s_)) {
        if (lane.string_state.contact_open) on_string.advance_to(lane.string_state, sample);
    } else {
        core::StringForce& out = events_[static_cast<size_t>(l)].force;
        const double x0 = hammer.position_m, v0 = hammer.speed_mps;
        on_string.advance_to(lane.string_state, sample);
        on_string.step(lane.string_state, hammer, samples_per_tick_, out.force_N.data());
        double sum = 0;
        for (int i = 0; i < samples_per_tick_; ++i) sum += out.force_N[static_cast<size_t>(i)];
        if (sum > 0) {
            out.key_index = lane.key_index;
            out.count = samples_per_tick_;
            out.set_gain = lane.string_state.blow.gain;
            events_[static_cast<size_t>(l)].on_strings = true;
            // The block's step sees the mean force; what the force's shape within the tick adds to the position goes in
            // as a shift.
            const double mean_N = sum / samples_per_tick_;
            step_input_.force[kHammer].lane[l] = -mean_N * pose.hammer_arm_m();
            step_input_.force[index_of(lane.geometry.crown.carrier)].lane[l] = -mean_N * pose.head_arm_m;
            const double shift_m = hammer.position_m - (x0 + 0.5 * h_s_ * (v0 + hammer.speed_mps));
            step_input_.shift[kHammer].lane[l] = shift_m * give.hammer_radps2 / give.crown_mps2;
            if (lane.geometry.crown.carrier == kHead)
                step_input_.shift[kHead].lane[l] = shift_m * give.head_radps2 / give.crown_mps2;
        }
    }
    const StringContact& contact = lane.string_state.contact;
    if (lane.string_state.contact_open && !lane.strike_reported && contact.impulse_Ns > kStrikeImpulse_Ns &&
        contact.hammer_speed_mps > 0) {  // a ringing string that hits a leaving hammer is not struck by it
        lane.strike_reported = events_[static_cast<size_t>(l)].struck = true;
        core::Strike& strike = events_[static_cast<size_t>(l)].strike;
        strike.key_index = lane.key_index;
        strike.strike_time_s =
            (static_cast<double>(contact.first_sample) + contact.first_fraction) / core::kStrikeGrid_hz;
        strike.hammer_speed_mps = contact.hammer_speed_mps;
        strike.escapement_time_s = lane.escapement_s;
        strike.key_bottom_time_s = lane.bottom_s;
        strike.in_phase = lane.string_state.blow.gain[0];
        strike.felt_hardness = lane.string_state.blow.hardness;
    }
    StringContact finished;
    if (HammerOnString::take_contact(lane.string_state, finished)) lane.strike_reported = false;
}

double ActionBlock::string_height_m(int l, std::int64_t tick) noexcept {
    Lane& lane = lanes_[static_cast<size_t>(l)];
    if (lane.strings.empty() || lane.string_state.quiet) return 0;
    lane.strings.front().advance_to(lane.string_state, tick * samples_per_tick_);
    return lane.string_state.string_m;
}

double ActionBlock::string_energy_J(int lane) const {
    const Lane& l = lanes_[static_cast<size_t>(lane)];
    return l.strings.empty() ? 0.0 : l.strings.front().string_energy_J(l.string_state);
}

void ActionBlock::silence_strings() {
    for (Lane& lane : lanes_) {
        if (!lane.strings.empty()) lane.string_state = lane.strings.front().at_rest();
        lane.escapement_s = lane.bottom_s = core::kNotYet_s;
        lane.strike_reported = false;
    }
}

}  // namespace letoff::keyboard
