// Eight keys: their actions in the lanes of one mechanism block, each hammer on its own strings, and what a tick
// reports of them. Order of a tick: hammers in reach of their strings meet them on the strike grid; the block's
// mechanics step with that impulse; events are read off the new state. A key at rest sleeps: its step is a fixed point,
// so leaving it out changes no bit; it wakes when its input changes. Blocks share nothing, so they may be ticked on any
// thread, and keys may change places between blocks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/event/sound_frame.h"
#include "core/finger/finger.h"
#include "core/multibody/step.h"
#include "keyboard/action/action.h"
#include "keyboard/action/grand.h"
#include "keyboard/keybed/key_build.h"
#include "keyboard/keybed/key_events.h"
#include "keyboard/keybed/key_mechanics.h"
#include "keyboard/keybed/key_state.h"
#include "keyboard/keybed/key_tie.h"
#include "keyboard/strike/hammer_string.h"

namespace letoff::keyboard {

// A hammer farther below its strings than this at the start of a tick cannot reach them in it, however long the tick is
// and the strings swing (20 m/s in 1 ms).
inline constexpr double kNearStrings_m = 0.020;
inline constexpr double kFastestCrown_mps = 20;  // twice the speed of the hardest blow

class ActionBlock {
  public:
    ActionBlock(std::span<const KeyBuild> keys, int tick_hz);

    /// What acts during the next tick; read again every tick.
    struct Input {
        std::array<double, core::kLanes> finger_force_N{};  // on the finger body, downwards; its weight is carried
        std::array<double, core::kLanes> key_force_N{};     // straight on the key where the finger touches, downwards
        std::array<double, core::kLanes> tray_lift_m{};     // of the pedal tray at the end of the tick
        double una_corda = 0;                               // the soft pedal, 0 up .. 1 down; all keys alike
    };
    Input input;

    /// Prescribes the key's motion (dip at the front and its speed at the end of the next tick) for every lane until
    /// released.
    void drive_keys(std::span<const double> dip_m, std::span<const double> speed_mps);
    void release_drive() { step_input_.driven_coordinate = -1; }
    bool driven() const { return step_input_.driven_coordinate >= 0; }

    /// For the coming tick alone; keeps the key awake. Not while keys are driven.
    void tie_key(int lane, const KeyTie& tie) noexcept;
    /// Of the last tick, in which the key was tied.
    const TiedForce& tied_force(int lane) const { return lanes_[static_cast<size_t>(lane)].tied; }

    /// Puts a finger somewhere, at a speed; used when it arrives at a key or goes away.
    void place_finger(int lane, double travel_m, double speed_mps);

    /// Begins a stroke: a finger that is not on the key arrives there, touching, at the key's own speed.
    void press(int lane, core::Finger& finger, double start_s, double acceleration_mps2);
    /// The finger's push during the tick that begins at now_s; parks it when it has left.
    double finger_push_N(int lane, core::Finger& finger, double now_s);
    /// One key's mechanical state from another block (its strings stay behind).
    void copy_key(const ActionBlock& from, int from_lane, int to_lane);

    KeyState key_state(int lane) const;
    /// From now on the key is there; its finger body too. Strings and pedal stay as they are.
    void set_key_state(int lane, const KeyState& key) noexcept;
    KeyMechanics mechanics(int lane) const noexcept;
    /// The key becomes another, share of the way (0..1): `changed` says which numbers differ. Its bodies stay where
    /// they are and keep their speeds and frictions. Between ticks; wakes the key.
    void set_mechanics(int lane, const KeyMechanics& from, const KeyMechanics& to,
                       std::span<const std::uint16_t> changed, double share) noexcept;
    /// Where the strings are at the hammer at the start of a tick, upwards from rest; turns them on to it in closed
    /// form. Not while the hammer is on them.
    double string_height_m(int lane, std::int64_t tick) noexcept;
    bool on_strings(int lane) const { return lanes_[static_cast<size_t>(lane)].string_state.contact_open; }

    void tick(std::int64_t tick) noexcept;
    void sleep() noexcept;  // the same for one that is asleep and whose input is what it was

    /// Set-up: stops all strings and forgets reported events; time may start anew.
    void silence_strings();

    /// Two keys change places between ticks, with all that belongs to them; both blocks must be full. Some 4 KiB a key.
    static void exchange(ActionBlock& a, int lane_a, ActionBlock& b, int lane_b) noexcept;

    // Results of the last tick.
    int keys() const { return keys_; }
    bool asleep() const { return awake_ == 0; }
    bool asleep(int lane) const { return (awake_ >> lane & 1U) == 0; }
    /// Whether a key took part in the last tick: else nothing about it has changed.
    bool stepped() const { return stepped_ != 0; }
    bool stepped(int lane) const { return (stepped_ >> lane & 1U) != 0; }
    int awake_keys() const { return std::popcount(static_cast<unsigned>(awake_)); }
    double dip_m(int lane) const { return -kFingerPointX_m * state_.q[kKey].lane[lane]; }
    double dip_speed_mps(int lane) const { return -kFingerPointX_m * state_.v[kKey].lane[lane]; }
    /// Of the key where the finger touches it, and that lever's arm.
    double touch_dip_m(int lane) const { return touch_arm_m(lane) * state_.q[kKey].lane[lane]; }
    double touch_speed_mps(int lane) const { return touch_arm_m(lane) * state_.v[kKey].lane[lane]; }
    double touch_arm_m(int lane) const { return lanes_[static_cast<size_t>(lane)].geometry.touch_arm_m; }
    double finger_travel_m(int lane) const { return state_.q[kFinger].lane[lane]; }
    double finger_speed_mps(int lane) const { return state_.v[kFinger].lane[lane]; }
    /// Force on the finger where it touches a driven key, positive upwards.
    double driven_force_N(int lane) const;
    double damper_lift_m(int lane) const { return damper_arm_m() * state_.q[kDamper].lane[lane]; }
    /// Lift at the strings by the damper's coordinate: 1, or a lever's arm.
    double damper_arm_m() const { return action_->lanes == nullptr ? 1.0 : action_->lanes->damper_arm_m; }
    double damper_compression_m(int lane) const {
        return lanes_[static_cast<size_t>(lane)].damped ? std::max(0.0, output_.compression_m[kDamperString].lane[lane])
                                                        : 0.0;
    }
    /// How the key's parts push on the case.
    core::NoiseForces noise_forces_N(int lane) const noexcept;
    double crown_below_string_m(int lane) const;
    /// Cheaper than how far: so far below its strings that it cannot reach them in a tick. False says nothing.
    bool crown_surely_far(int lane, double far_m = kNearStrings_m) const {
        const CrownGeometry& crown = lanes_[static_cast<size_t>(lane)].geometry.crown;
        return crown.surely_below(far_m, state_.q[kHammer].lane[lane], state_.q[index_of(crown.carrier)].lane[lane]);
    }
    double crown_speed_mps(int lane) const;
    const core::LaneState& state() const { return state_; }
    void set_state(const core::LaneState& state) {
        state_ = state;
        wake_all();
    }
    const core::StepOutput& output() const { return output_; }
    const core::LaneModel& model() const { return model_; }
    double string_energy_J(int lane) const;

    using Events = KeyEvents;
    const Events& events(int lane) const { return events_[static_cast<size_t>(lane)]; }
    std::int64_t faults() const { return faults_; }
    const Action& action() const { return *action_; }
    /// Which of the action's sub-models reigns; 0 for the grand, which has one.
    int phase(int lane) const { return static_cast<int>(state_.phase.lane[lane]); }

  private:
    struct Lane {
        int key_index = 0;
        bool damped = true;
        KeyGeometry geometry;
        double other_torque_Nm = 0;  // on the hammer in the last tick, all but the strings' (as of a rigid one)
        double bottom_compression_m = -1, dip_m = 0;
        bool jack_pushed = false;
        double escapement_s = core::kNotYet_s, bottom_s = core::kNotYet_s;
        bool strike_reported = false, release_armed = false;
        std::vector<HammerOnString> strings;  // one or none
        HammerOnStringState string_state;
        KeyTie tie;  // of the coming tick, where tied_ says so
        TiedForce tied;
        ActionNumbers numbers{};      // of an action that is stepped by itself
        double soft_rail_m = 0;       // way of the hammers' rest rail under the soft pedal
        double velocity_out_mps = 0;  // of one without a hammer, as a hammer's speed; 0: as fast as the key
    };

    CrownGeometry::Pose crown_pose(int lane) const noexcept {
        const CrownGeometry& crown = lanes_[static_cast<size_t>(lane)].geometry.crown;
        return crown.at(state_.q[kHammer].lane[lane], state_.q[index_of(crown.carrier)].lane[lane]);
    }
    /// What a newton downwards on the crown does: accelerations of hammer and head, and of the crown.
    struct CrownGive {
        double hammer_radps2 = 0, head_radps2 = 0, crown_mps2 = 0;  // the last: one over the effective mass
    };
    CrownGive crown_give(int lane, const CrownGeometry::Pose& pose) const noexcept;
    void wake(int lane) noexcept { awake_ |= static_cast<core::LaneSet>(1U << lane); }
    void wake_all() noexcept { awake_ = static_cast<core::LaneSet>((1U << keys_) - 1); }
    bool has_soft_rail() const { return action_->lanes != nullptr && action_->lanes->soft_rail_m > 0; }
    bool input_changed(int lane) const noexcept;
    void take_input() noexcept;
    void step_action(int lane, std::int64_t tick) noexcept;
    void read_speech(int lane, std::int64_t tick, const ActionForces& out) noexcept;
    void meet_strings(int lane, std::int64_t tick) noexcept;
    void read_events(int lane, std::int64_t tick) noexcept;
    /// On the hammer in the tick that led here from `before`, all but the strings'.
    double other_torque_Nm(int lane, const core::LaneState& before) const noexcept;
    void begin_tick() noexcept;
    void reset_not_finite(const core::LaneState& before) noexcept;
    void take_ties() noexcept;
    void read_tie(int lane, const core::LaneState& before) noexcept;
    bool is_tied(int lane) const { return (tied_ >> lane & 1U) != 0; }

    const Action* action_ = nullptr;
    int keys_ = 0;
    double h_s_ = 0;
    int samples_per_tick_ = 0;
    core::LaneModel model_;
    core::LaneState state_;
    core::StepInput step_input_;
    core::StepOutput output_;
    std::array<Lane, core::kLanes> lanes_;
    Input last_input_;
    std::array<Events, core::kLanes> events_;
    core::LaneSet awake_ = 0, stepped_ = 0, tied_ = 0;
    std::int64_t faults_ = 0;
};

}  // namespace letoff::keyboard
