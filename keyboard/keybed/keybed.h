// The 88 keys and their loop: every tick each finger pushes, each block of actions steps (on the executor given), then
// what happened is told in the order of the keys: contact forces and dampers to the strings, strikes and releases to
// who listens. Thread rules: tick() is real-time safe and the only caller of the sinks; everything else is set-up, or
// asked between ticks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/finger/finger.h"
#include "core/port/hands.h"
#include "core/port/sound_sink.h"
#include "core/port/strike_sink.h"
#include "core/rt/executor.h"
#include "keyboard/haptic/haptics.h"
#include "keyboard/keybed/action_block.h"
#include "keyboard/keybed/sostenuto.h"
#include "keyboard/keybed/touch_glide.h"

namespace letoff::keyboard {

class Keybed {
  public:
    /// `keys` in key order; strings must outlive the keybed. tick_hz has to divide the strike grid (1000, 2000, 4000,
    /// 8000 ...).
    Keybed(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor);

    /// Plays each key once softly and lets it go, so that friction holds it where a played key rests (SettleStroke).
    void settle();

    // Commands for the coming tick; times may lie inside it.
    void press(int key_index, double start_s, double acceleration_mps2);
    void lift(int key_index, double start_s, double speed_mps);
    /// The key and its finger are there from the start of the coming tick on, as if they had come there by themselves.
    void take_over(int key_index, const KeyState& state, const core::Finger& finger) noexcept;
    /// From the coming tick on the keys turn into these, those whose stamps are others (touch_glide.h). The touch must
    /// stay until the next call.
    void take_touch(const KeybedTouch& touch) noexcept;
    /// Set-up: from now on keys may be live, tied to those of a motor array (keyboard/haptic). One row of numbers for
    /// each key, or one for all.
    void use_haptics(std::span<const HapticValues> values, const HapticKey::Options& options = {});
    bool has_haptics() const { return haptics_.has_value(); }
    /// Set-up: strokes for live keys are these hands' from now on, which outlive it or take themselves away with null;
    /// without, such a key is its player's alone.
    void use_hands(core::Hands* hands) { hands_ = hands; }
    // After use_haptics() only.
    // NOLINTBEGIN(bugprone-unchecked-optional-access)
    /// From the coming tick on, a key that is not live: the numbers of the device that it is on.
    void set_haptics(int key_index, const HapticKey& key) noexcept { haptics_->set_key(key_index, key); }
    /// The coming tick's motion of the real keys. Live ones are played by it alone, the others as ever.
    void take_motion(const core::KeyMotion& motion) noexcept { haptics_->take_motion(motion); }
    /// What the last tick gives the fingers; 0 for a key that is not live.
    const core::KeyForces& forces() const { return haptics_->forces(); }
    const Haptics& haptics() const { return *haptics_; }
    // NOLINTEND(bugprone-unchecked-optional-access)

    /// Pedals, 0 (up) to 1 (down), reached by the end of the coming tick: the one that lifts the tray under all
    /// dampers, the one that holds those that are up, and the one that shifts the action.
    void set_tray(double share) { pedals_.tray = share; }
    void set_sostenuto(double share) { pedals_.sostenuto = share; }
    void set_una_corda(double share) { pedals_.una_corda = share; }

    void tick(core::SoundSink* sound, core::StrikeSink* strikes) noexcept;

    std::int64_t now_ticks() const { return tick_; }
    double now_s() const { return static_cast<double>(tick_) / tick_hz_; }
    int tick_hz() const { return tick_hz_; }
    int keys() const { return static_cast<int>(fingers_.size()); }
    int sleeping_keys() const;
    /// Blocks that a tick has to step. A key that wakes moves to a block that is awake already, so that few are.
    int awake_blocks() const;
    double dip_m(int key_index) const { return block_of(key_index).dip_m(lane_of(key_index)); }
    const core::Finger& finger(int key_index) const { return fingers_[static_cast<size_t>(key_index)]; }
    /// The key is what the touch of that stamp made of it: nothing of it is on its way.
    bool has_touch(int key_index, std::uint64_t stamp) const {
        const TouchGlide& glide = glides_[static_cast<size_t>(key_index)];
        return glide.stamp() == stamp && !glide.under_way();
    }
    int gliding_keys() const;
    double tray_share() const { return pedals_.tray; }
    double sostenuto() const { return pedals_.sostenuto; }
    double una_corda() const { return pedals_.una_corda; }
    /// Where a tray would be that lifts the key's damper as high as tray and sostenuto rod do.
    double lift_share(int key_index) const;
    double tray_lift_m(double share, int key_index) const;
    /// A hash of every coordinate and speed, for comparing runs.
    std::uint64_t state_hash() const;
    std::int64_t faults() const;
    std::int64_t not_converged() const;

    /// Where the key is now; it may move at any press(), take_over() and tick().
    ActionBlock& block_of(int key_index) { return blocks_[place_of(key_index).block]; }
    const ActionBlock& block_of(int key_index) const { return blocks_[place_of(key_index).block]; }
    int lane_of(int key_index) const { return place_of(key_index).lane; }

  private:
    struct Place {
        std::size_t block = 0;
        int lane = 0;
    };
    const Place& place_of(int key_index) const { return places_[static_cast<std::size_t>(key_index)]; }
    bool left_alone(int block) const noexcept;
    void tick_block(int block) noexcept;
    void start_glides() noexcept;
    void sum_case_forces() noexcept;
    bool by_hands(int key_index) const { return hands_ != nullptr && haptics_ && haptics_->key(key_index).live(); }
    void tell_key(int key_index, core::StrikeSink& strikes) const noexcept;
    void join_awake(int key_index) noexcept;
    void gather() noexcept;
    int sleeping_lane_elsewhere(std::size_t block, std::size_t& other) const noexcept;
    void exchange(Place a, Place b) noexcept;

    int tick_hz_;
    core::Executor& executor_;
    std::vector<ActionBlock> blocks_;
    std::vector<Place> places_;                           // of each key
    std::vector<std::array<int, core::kLanes>> keys_in_;  // of each block
    int moves_left_ = 0;                                  // in this tick
    std::vector<core::Finger> fingers_;
    std::vector<TrayReach> trays_;
    std::vector<TouchGlide> glides_;
    std::optional<Haptics> haptics_;
    core::Hands* hands_ = nullptr;
    const KeybedTouch* touch_ = nullptr;
    std::uint64_t touch_version_ = 0;
    bool may_start_glides_ = false;
    std::array<double, core::kKeyCount> damper_compression_m_{};
    std::array<core::NoiseForces, core::kKeyCount> noise_forces_N_{};
    core::CaseForces case_forces_;
    std::vector<core::StringForce> forces_;
    struct Pedals {
        double tray = 0, sostenuto = 0, una_corda = 0;
        bool operator==(const Pedals&) const = default;
    };
    Pedals pedals_, pedals_before_;
    // In this tick: motors play, or are given what is left to them; pedals as in the tick before, and no motors.
    bool motors_ = false, acts_as_before_ = false;
    SostenutoRod sostenuto_;
    std::int64_t tick_ = 0;
};

}  // namespace letoff::keyboard
