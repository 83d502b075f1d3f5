// A simulated motor array on the virtual clock, without any cable: core::KeyArray straight on the plant, with the
// delay and jitter of both ways. Everything is deterministic for a seed.
//
// Every 1/sample_hz the keys are read; a reading arrives sense_s (and up to jitter_s more) later. Forces hold from
// command_s (and up to jitter_s more) after they are sent until the next ones; 10 ms without any, and the motors are
// off (the device's watchdog).
// The keybed's clock runs tick_after_s behind the device's: its tick comes when the sample of the same time is there.
// One thread; advance_to() before the tick at that time, then newest_motion() and send_forces() as the keybed does.
#pragma once

#include <deque>
#include <vector>

#include "core/port/key_array.h"
#include "hw/sim/plant.h"

namespace letoff::hw {

class SimKeyArray final : public core::KeyArray {
  public:
    /// Keys first .. first + count - 1; sample_hz has to divide kPlant_hz.
    SimKeyArray(const DeviceNumbers& numbers, int sample_hz, std::uint64_t seed = 1, int first = 0,
                int count = core::kKeyCount);

    void advance_to(double time_s);  // of the keybed's clock
    bool newest_motion(core::KeyMotion& motion) noexcept override;
    bool send_forces(const core::KeyForces& forces) noexcept override;

    KeyPlant& key(int key_index) { return keys_[static_cast<std::size_t>(key_index - first_)]; }
    /// each() is called after every step of the plant, for meters and plots.
    template <typename Each>
    void advance_to(double time_s, Each&& each) {
        while (next_step_s() <= time_s + numbers_.link.tick_after_s + 0.25 * kPlantStep_s) {
            step();
            each();
        }
    }
    /// By the device's clock.
    double now_s() const { return static_cast<double>(steps_) * kPlantStep_s; }

    /// From now on a key's sensor says what it likes: its readings are no longer trusted.
    void lose_sensor(int key_index) { lost_.set(static_cast<std::size_t>(key_index)); }

  private:
    struct Command {
        double from_s;
        std::array<double, core::kKeyCount> force_N;
    };
    double next_step_s() const { return static_cast<double>(steps_ + 1) * kPlantStep_s; }
    void step();
    void sample();

    DeviceNumbers numbers_;
    int first_, steps_a_sample_;
    std::vector<KeyPlant> keys_;
    Noise noise_;
    std::int64_t steps_ = 0;
    std::deque<std::pair<double, core::KeyMotion>> under_way_;  // when it arrives, what it says
    std::deque<Command> commands_;
    double last_arrival_s_ = 0, last_command_s_ = -1;
    std::bitset<core::kKeyCount> lost_;
};

}  // namespace letoff::hw
