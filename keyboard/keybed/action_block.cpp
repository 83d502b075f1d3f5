#include "keyboard/keybed/action_block.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/midi/velocity.h"
#include "core/string/string_design.h"

namespace letoff::keyboard {
namespace {

// A key has to go this much deeper than pick-up before its next release counts.
constexpr double kReleaseHysteresis_m = 5e-4;
constexpr double kBottomLeft_m = 1e-3;  // a key that rose this far off the front rail may meet it anew

std::vector<core::Mechanism> mechanisms_of(std::span<const KeyBuild> keys) {
    std::vector<core::Mechanism> all;
    for (const KeyBuild& key : keys) all.push_back(mechanism_of(key));
    return all;
}

/// Time at which a value that was v0 at the start of a tick and v1 at its end crossed zero, as a share of the tick.
double crossing(double v0, double v1) {
    return v0 == v1 ? 1.0 : std::clamp(v0 / (v0 - v1), 0.0, 1.0);
}

}  // namespace

ActionBlock::ActionBlock(std::span<const KeyBuild> keys, int tick_hz)
    : action_(keys.front().action),
      keys_(static_cast<int>(keys.size())),
      h_s_(1.0 / tick_hz),
      samples_per_tick_(core::kStrikeGrid_hz / tick_hz) {
    const std::vector<core::Mechanism> mechanisms = mechanisms_of(keys);
    model_ = core::make_lane_model(mechanisms);
    state_ = core::drawn_state(mechanisms);
    for (int l = 0; l < core::kLanes; ++l) {
        const KeyBuild& key = keys[static_cast<size_t>(std::min(l, keys_ - 1))];
        Lane& lane = lanes_[static_cast<size_t>(l)];
        lane.key_index = key.key_index;
        lane.geometry = geometry_of(key);
        lane.damped = key.damped;
        if (action_->step != nullptr) lane.numbers = action_->numbers(key.values, key.damped);
        if (action_->lanes != nullptr) {
            // As much of it as of the way that a grand's action is shifted.
            const double share =
                key.strings == nullptr ? 1 : key.strings->una_corda.shift_m / core::StringDesign{}.una_corda_shift_m;
            lane.soft_rail_m = share * action_->lanes->soft_rail_m;
        }
        if (key.velocity_out > 0) lane.velocity_out_mps = core::speed_mps_of_midi_velocity(key.velocity_out);
        if (l < keys_ && key.strings != nullptr && action_->has_hammer()) {
            lane.strings.emplace_back(*key.strings);
            lane.string_state = lane.strings.front().at_rest();
        }
        place_finger(l, core::FingerSetting{}.parked_m, 0);
    }
    wake_all();
}

void ActionBlock::place_finger(int lane, double travel_m, double speed_mps) {
    state_.q[kFinger].lane[lane] = travel_m;
    state_.v[kFinger].lane[lane] = speed_mps;
    wake(lane);
}

void ActionBlock::press(int lane, core::Finger& finger, double start_s, double acceleration_mps2) {
    if (finger.phase() == core::Finger::Phase::idle || finger_travel_m(lane) < touch_dip_m(lane))
        place_finger(lane, touch_dip_m(lane), touch_speed_mps(lane));
    finger.press(start_s, finger_travel_m(lane), acceleration_mps2);
}

double ActionBlock::finger_push_N(int lane, core::Finger& finger, double now_s) {
    if (finger.phase() == core::Finger::Phase::idle) return 0;
    const double push_N = finger.force_N(now_s, h_s_, finger_travel_m(lane), finger_speed_mps(lane));
    if (finger.phase() == core::Finger::Phase::idle) place_finger(lane, finger.setting().parked_m, 0);
    return push_N;
}

double ActionBlock::driven_force_N(int lane) const {
    return output_.driven_force.lane[lane] / touch_arm_m(lane);
}

core::NoiseForces ActionBlock::noise_forces_N(int l) const noexcept {
    const auto of = [&](GrandContact contact) {
        const double force_N = output_.contact_force_N[static_cast<size_t>(contact)].lane[l];
        return std::isfinite(force_N) ? force_N : 0.0;
    };
    core::NoiseForces forces{};
    const auto at = [&](core::NoiseKind kind) -> double& { return forces[static_cast<size_t>(kind)]; };
    at(core::NoiseKind::key_bottom) = of(kKeyFrontRail);
    at(core::NoiseKind::key_return) = of(kKeyBackRail);
    at(core::NoiseKind::let_off) = of(kJackButton);
    at(core::NoiseKind::hammer_return) = of(kHammerRest) + of(kTailBackcheck);
    at(core::NoiseKind::damper) = lanes_[static_cast<size_t>(l)].damped ? of(kDamperString) + of(kDamperStop) : 0.0;
    at(core::NoiseKind::pedal) = of(kDamperTray);
    return forces;
}

double ActionBlock::crown_below_string_m(int lane) const {
    return crown_pose(lane).below_string_m;
}

double ActionBlock::crown_speed_mps(int lane) const {
    const GrandBody carrier = lanes_[static_cast<size_t>(lane)].geometry.crown.carrier;
    return crown_pose(lane).speed_mps(state_.v[kHammer].lane[lane], state_.v[index_of(carrier)].lane[lane]);
}

void ActionBlock::drive_keys(std::span<const double> dip_m, std::span<const double> speed_mps) {
    step_input_.driven_coordinate = kKey;
    for (int l = 0; l < core::kLanes; ++l) {
        const size_t from = std::min(static_cast<size_t>(l), dip_m.size() - 1);
        step_input_.driven_q1.lane[l] = dip_m[from] / -kFingerPointX_m;
        step_input_.driven_v1.lane[l] = speed_mps[from] / -kFingerPointX_m;
    }
    wake_all();
}

void ActionBlock::read_events(int l, std::int64_t tick) noexcept {
    Lane& lane = lanes_[static_cast<size_t>(l)];
    Events& events = events_[static_cast<size_t>(l)];
    const double t0 = static_cast<double>(tick) * h_s_;
    // The jack has let go when it no longer pushes: its felt, springing back slower than the knuckle leaves, may still
    // overlap the drawing.
    const bool pushed = output_.contact_force_N[kJackKnuckle].lane[l] > 0;
    if (lane.jack_pushed && !pushed) lane.escapement_s = t0;
    lane.jack_pushed = pushed;

    const double bottom = output_.compression_m[kKeyFrontRail].lane[l];
    if (lane.bottom_s != lane.bottom_s && bottom > 0) {  // NaN: not at the bottom since it last left it
        lane.bottom_s = t0 + h_s_ * crossing(std::min(lane.bottom_compression_m, 0.0), bottom);
        events.reached_bottom = true;
        events.bottom = {lane.key_index, lane.bottom_s};
    } else if (bottom < -kBottomLeft_m) {
        lane.bottom_s = core::kNotYet_s;
    }
    lane.bottom_compression_m = bottom;

    const double dip = dip_m(l);
    if (dip > lane.geometry.pick_up_dip_m + kReleaseHysteresis_m) lane.release_armed = true;
    if (lane.release_armed && dip <= lane.geometry.pick_up_dip_m) {
        lane.release_armed = false;
        const double share = crossing(lane.dip_m - lane.geometry.pick_up_dip_m, dip - lane.geometry.pick_up_dip_m);
        events.released = true;
        events.release = {lane.key_index, t0 + h_s_ * share, (lane.dip_m - dip) / h_s_};
    }
    lane.dip_m = dip;
}

bool ActionBlock::input_changed(int lane) const noexcept {
    const auto i = static_cast<size_t>(lane);
    return input.finger_force_N[i] != last_input_.finger_force_N[i] ||
           input.key_force_N[i] != last_input_.key_force_N[i] || input.tray_lift_m[i] != last_input_.tray_lift_m[i] ||
           (has_soft_rail() && input.una_corda != last_input_.una_corda);
}

void ActionBlock::take_input() noexcept {
    for (int l = 0; l < core::kLanes; ++l) {
        const size_t from = static_cast<size_t>(std::min(l, keys_ - 1));
        step_input_.force[kFinger].lane[l] =
            input.finger_force_N[from] - model_.body[kFinger].mass.lane[l] * core::kGravity_mps2;
        step_input_.force[kKey].lane[l] = input.key_force_N[from] * touch_arm_m(l);
        step_input_.gap_shift0_m[kDamperTray].lane[l] = last_input_.tray_lift_m[from];
        step_input_.gap_shift1_m[kDamperTray].lane[l] = input.tray_lift_m[from];
        const double soft_rail_m = lanes_[from].soft_rail_m;
        step_input_.gap_shift0_m[kHammerRest].lane[l] = last_input_.una_corda * soft_rail_m;
        step_input_.gap_shift1_m[kHammerRest].lane[l] = input.una_corda * soft_rail_m;
    }
}

/// A key whose state is no number starts anew from where it was, at rest; the others play on.
void ActionBlock::reset_not_finite(const core::LaneState& before) noexcept {
    std::array<double, core::kLanes> wrong{};  // x - x is 0, or no number
    for (size_t b = 0; b < kGrandBodies; ++b) {
        const auto &q = state_.q[b].lane, &v = state_.v[b].lane;
        for (size_t l = 0; l < core::kLanes; ++l) wrong[l] += (q[l] - q[l]) + (v[l] - v[l]);
    }
    for (int l = 0; l < keys_; ++l) {
        if (wrong[static_cast<size_t>(l)] == 0 || asleep(l)) continue;
        ++faults_;
        for (size_t i = 0; i < core::kMaxBodies; ++i) {
            state_.q[i].lane[l] = std::isfinite(before.q[i].lane[l]) ? before.q[i].lane[l] : 0.0;
            state_.v[i].lane[l] = state_.v_change[i].lane[l] = 0;
        }
        for (size_t i = 0; i < core::kMaxFrictions; ++i)
            state_.friction_impulse_Ns[i].lane[l] = state_.friction_side[i].lane[l] = 0;
        state_.phase.lane[l] = 0;
    }
}

/// Forgets what the last tick had to tell; dampers act on ringing strings also while the keys rest.
void ActionBlock::begin_tick() noexcept {
    for (int l = 0; l < keys_; ++l) {
        Events& events = events_[static_cast<size_t>(l)];
        if (stepped(l)) events.struck = events.reached_bottom = events.released = events.on_strings = false;
        Lane& lane = lanes_[static_cast<size_t>(l)];
        if (!lane.string_state.quiet)
            HammerOnString::add_damping(lane.string_state, core::damper_loss_1ps(damper_compression_m(l)), h_s_);
    }
}

void ActionBlock::sleep() noexcept {
    begin_tick();
    stepped_ = 0;
}

void ActionBlock::tick(std::int64_t tick) noexcept {
    begin_tick();
    for (int l = 0; l < keys_; ++l) {
        if (input_changed(l)) wake(l);
    }
    stepped_ = awake_;
    if (asleep()) return;

    take_input();
    take_ties();
    for (int l = 0; l < keys_; ++l) {
        if (!asleep(l)) meet_strings(l, tick);
    }
    for (int l = keys_; l < core::kLanes; ++l) {
        for (const size_t b : {index_of(kHammer), index_of(kHead)}) {
            step_input_.force[b].lane[l] = step_input_.force[b].lane[keys_ - 1];
            step_input_.shift[b].lane[l] = step_input_.shift[b].lane[keys_ - 1];
        }
    }
    const core::LaneState before = state_;
    if (action_->step != nullptr) {
        for (int l = 0; l < keys_; ++l) {
            if (!asleep(l)) step_action(l, tick);
        }
    } else {
        // Lanes that no key owns go with the last key: their state is a copy of its.
        const unsigned beyond = asleep(keys_ - 1) ? 0U : ~0U << keys_;
        core::step_lanes(model_, step_input_, h_s_, state_, output_, static_cast<core::LaneSet>(awake_ | beyond));
    }
    reset_not_finite(before);
    for (int l = 0; l < keys_; ++l) {
        if (asleep(l)) continue;
        Lane& lane = lanes_[static_cast<size_t>(l)];
        lane.other_torque_Nm = other_torque_Nm(l, before);
        read_events(l, tick);
        if (is_tied(l)) read_tie(l, before);
        // Nothing moved and nothing will until an input changes.
        const bool left_alone = !input_changed(l) && !is_tied(l) && step_input_.driven_coordinate < 0 &&
                                !events_[static_cast<size_t>(l)].on_strings && !lane.string_state.contact_open;
        if (left_alone && core::same_lane(before, state_, l)) awake_ = static_cast<core::LaneSet>(awake_ & ~(1U << l));
    }
    last_input_ = input;
    tied_ = 0;
}

}  // namespace letoff::keyboard
