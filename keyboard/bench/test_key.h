// A key on the technician's bench: copies of one key lie side by side in the lanes of a block, each in its own
// experiment. A key counts as it rests after having been played: the friction of the lever's centre holds the hammer up
// to half a millimetre away from where the drawing would settle, and only the played rest is what a technician
// measures. Everything here is pure and deterministic: the same key and tick give the same figures to the bit.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/finger/finger.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

inline constexpr int kBenchTick_hz = 4000;

/// One key and the state in which it rests after a soft stroke; all lanes alike.
struct TestKey {
    KeyBuild build;
    int tick_hz = kBenchTick_hz;
    core::LaneState rest{};
    double rest_dip_m = 0;
    double blow_m = 0;  // crown below the strings at rest
};

TestKey settle_test_key(const KeyBuild& build, int tick_hz = kBenchTick_hz);
/// At most core::kLanes keys side by side, in the time that one takes and with the same results.
std::vector<TestKey> settle_test_keys(std::span<const KeyBuild> builds, int tick_hz = kBenchTick_hz);

class Bench {
  public:
    /// As many copies of the key as `copies` says, at rest; added_mass_kg[l] lies on copy l where the finger touches
    /// (its inertia is added to the key's; its weight is a force that the caller gives).
    explicit Bench(const TestKey& key, int copies = 1, std::span<const double> added_mass_kg = {});
    /// Different keys side by side, of one tick; driven, they go as far as the first, each from its own rest.
    explicit Bench(std::span<const TestKey> keys, std::span<const double> added_mass_kg = {});

    ActionBlock& block() { return block_; }
    const ActionBlock& block() const { return block_; }
    double now_s() const { return static_cast<double>(tick_) * h_s_; }
    double h_s() const { return h_s_; }
    int copies() const { return block_.keys(); }

    void tick();
    template <typename EachTick>
    void run(double seconds, EachTick&& each_tick) {
        const std::int64_t end = tick_ + ticks_in(seconds);
        while (tick_ < end) {
            tick();
            each_tick();
        }
    }
    void run(double seconds) {
        run(seconds, [] {});
    }

    /// The pedal's tray goes up under one key, or under all, in a tenth of a second and the dampers come to rest.
    void lift_damper(int lane);
    void lift_dampers();

    /// Presses or lifts all keys at a constant speed (reached with kDriveAcceleration_mps2) until their dip is to_m.
    template <typename EachTick>
    void drive_at(double speed_mps, double to_m, EachTick&& each_tick) {
        const double way = to_m > driven_dip_m_[0] ? 1.0 : -1.0;
        while (way * (to_m - driven_dip_m_[0]) > 0) {
            drive_tick(step_towards(driven_speed_mps_[0], way * speed_mps));
            each_tick();
        }
    }
    void drive_at(double speed_mps, double to_m) {
        drive_at(speed_mps, to_m, [] {});
    }
    /// One tick of driving, to this speed at its end.
    void drive_tick(double speed_mps);
    /// Stops driven keys and keeps them where they are for a while.
    void stop_and_hold(double seconds);
    /// Presses each key at this speed to a dip of its own, stops it there, and keeps all there for a while.
    void press_each_and_hold(double speed_mps, std::span<const double> to_m, double seconds);
    /// Takes the keys, which all stand at one dip, out of their fingers: from now on they are driven from there.
    void take_hold();
    /// Lets the keys go where they are.
    void let_go() { block_.release_drive(); }

    /// The finger of core/finger begins its stroke now, touching the key.
    void press(int lane, double acceleration_mps2);
    void lift(int lane, double speed_mps);
    /// A fingertip without a stroke of its own: it arrives at the key at a speed, is pushed by a muscle, and leaves.
    void arrive(int lane, double speed_mps) { block_.place_finger(lane, block_.touch_dip_m(lane), speed_mps); }
    void push(int lane, double force_N) { muscle_N_[static_cast<size_t>(lane)] = force_N; }
    void leave(int lane);
    double finger_force_N(int lane) const { return block_.output().contact_force_N[kFingerKey].lane[lane]; }

    double dip_m(int lane) const { return block_.dip_m(lane); }
    double below_string_m(int lane) const { return block_.crown_below_string_m(lane); }
    double contact_N(GrandContact contact, int lane) const {
        return block_.output().contact_force_N[static_cast<size_t>(contact)].lane[lane];
    }
    double compression_m(GrandContact contact, int lane) const {
        return block_.output().compression_m[static_cast<size_t>(contact)].lane[lane];
    }

  private:
    void lift_dampers_from_to(int first, int last);
    void drive_each_tick(std::span<const double> speed_mps);
    std::int64_t ticks_in(double seconds) const { return std::llround(seconds / h_s_); }
    double step_towards(double speed_mps, double wanted_mps) const;

    ActionBlock block_;
    double h_s_;
    std::array<double, core::kLanes> tray_travel_m_{};
    std::array<core::FingerSetting, core::kLanes> finger_setting_{};
    std::array<core::Finger, core::kLanes> fingers_;
    std::array<double, core::kLanes> muscle_N_{}, driven_dip_m_{}, driven_speed_mps_{};
    std::int64_t tick_ = 0;
};

}  // namespace letoff::keyboard
