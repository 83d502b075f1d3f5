// One key of a simulated motor array and its model, tick by tick on the virtual clock: what the instrument's loop does,
// with meters on the truth.
#pragma once

#include <cmath>
#include <deque>
#include <memory>
#include <vector>

#include "core/rt/executor.h"
#include "hw/sim/sim_key_array.h"
#include "keyboard/bench/test_key.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::test {

using keyboard::haptic_row;

/// From sending a force to when it acts, in the mean: the current follows its set point by the loop's time constant.
inline double acts_after_s(const hw::DeviceNumbers& device) {
    return device.link.command_s + 0.5 * device.link.jitter_s + 1 / device.motor.loop_radps;
}

/// What the device says of itself.
inline keyboard::HapticValues stated(const hw::DeviceNumbers& device) {
    keyboard::HapticValues v = keyboard::haptic_defaults();
    v[haptic_row("device_mass_g")] = device.moving_mass_kg * 1e3;
    v[haptic_row("device_weight_N")] = device.weight_N;
    v[haptic_row("device_dry_friction_N")] = device.dry_friction_N;
    v[haptic_row("device_viscous_Ns_per_m")] = device.viscous_Ns_per_m;
    v[haptic_row("device_delay_ms")] = (acts_after_s(device) - device.link.tick_after_s) * 1e3;
    v[haptic_row("device_stops")] = device.stops ? 1 : 0;
    return v;
}

/// The usual device behind a longer cable: at 0.25 ms as it is, else later by whole ticks there and the rest back.
inline hw::DeviceNumbers with_delay(hw::DeviceNumbers device, double total_s) {
    const double more_s = total_s - 0.25e-3;
    const double there_s = std::floor(0.5 * more_s / 0.25e-3) * 0.25e-3;
    device.link.sense_s += there_s;
    device.link.command_s += more_s - there_s;
    return device;
}

struct RigSetting {
    hw::DeviceNumbers device = hw::wooden_key();
    int tick_hz = 4000;
    std::uint64_t seed = 1;
    keyboard::HapticKey::Options options;
    std::vector<keyboard::HapticValues> values;  // else as the device states itself
};

class Rig {
  public:
    /// A tick as it truly was: at its end, or mean over it.
    struct Moment {
        double t_s = 0;  // of the device
        double dip_m = 0, speed_mps = 0;
        double finger_N = 0;  // what the finger feels, upwards
        double command_N = 0, rendered_N = 0;
        double model_dip_m = 0, below_string_m = 0;
        double beyond_J = 0;  // given to the finger beyond what the model gave, so far
    };

    Rig(const keyboard::TestKey& key, const RigSetting& setting)
        : executor_(std::move(core::make_executor("inline", 1).value())),
          keybed_({&key.build, 1}, setting.tick_hz, *executor_),
          array_(setting.device, setting.tick_hz, setting.seed, 0, 1),
          h_s_(1.0 / setting.tick_hz) {
        keybed_.settle();
        const std::vector<keyboard::HapticValues> own{stated(setting.device)};
        keybed_.use_haptics(setting.values.empty() ? own : setting.values, setting.options);
    }

    hw::SimFinger& finger() { return array_.key(0).finger; }
    hw::SimKeyArray& array() { return array_; }
    keyboard::Keybed& keybed() { return keybed_; }
    const keyboard::HapticKey& haptic() const { return keybed_.haptics().key(0); }
    double now_s() const { return array_.now_s(); }
    double h_s() const { return h_s_; }

    struct FingerStep {
        double travel_m, speed_mps;
    };
    /// After every step of the plant since the start.
    const std::vector<FingerStep>& finger_path() const { return finger_path_; }

    const Moment& tick(core::StrikeSink* strikes = nullptr) {
        double sum_N = 0;
        int steps = 0;
        array_.advance_to(keybed_.now_s(), [&] {
            sum_N += array_.key(0).finger_N();
            ++steps;
            finger_path_.push_back({finger().travel_m(), finger().speed_mps()});
            for (; !given_.empty() && given_.front().at_s <= array_.now_s(); given_.pop_front()) {
                const hw::KeyPlant& key = array_.key(0);
                const double taken_J = key.motor_work_J() - motor_J_;
                motor_J_ = key.motor_work_J();
                model_J_ += given_.front().limited ? std::max(taken_J, std::min(0.0, given_.front().model_J))
                                                   : given_.front().model_J;
                moment_.beyond_J = model_J_ + key.stored_J() - key.finger_work_J();
            }
        });
        array_.newest_motion(motion_);
        keybed_.take_motion(motion_);
        keybed_.tick(nullptr, strikes);
        array_.send_forces(keybed_.forces());
        const hw::KeyPlant& key = array_.key(0);
        moment_.t_s = array_.now_s();
        moment_.dip_m = key.dip_m();
        moment_.speed_mps = key.dip_speed_mps();
        moment_.finger_N = steps > 0 ? sum_N / steps : 0;
        moment_.command_N = keybed_.forces().force_N[0];
        moment_.rendered_N = haptic().rendered_N();
        moment_.model_dip_m = keybed_.dip_m(0);
        moment_.below_string_m = keybed_.block_of(0).crown_below_string_m(0);
        if (haptic().live()) {
            const keyboard::TiedForce& tied = keybed_.block_of(0).tied_force(0);
            const double share = haptic().given_share();
            const double spring_J = share * 0.5 * haptic().stiffness_N_per_m() * tied.stretch_m * tied.stretch_m;
            // Told when it has acted: the device is then where the model thought it would be. Less force is no gift: of
            // a faded force as much of the model's work is compared, and where a limit cut it what the motor took.
            const double work_J = share * haptic().rendered_N() * tied.way_m + spring_J - spring_J_;
            given_.push_back({array_.now_s() + acts_after_s(key.numbers()) + h_s_, work_J, haptic().limited()});
            spring_J_ = spring_J;
        }
        return moment_;
    }
    template <typename Each>
    void run(double seconds, Each&& each) {
        const double end_s = now_s() + seconds;
        while (now_s() < end_s) each(tick());
    }
    void run(double seconds) {
        run(seconds, [](const Moment&) {});
    }

  private:
    std::unique_ptr<core::Executor> executor_;
    keyboard::Keybed keybed_;
    hw::SimKeyArray array_;
    double h_s_;
    core::KeyMotion motion_;
    Moment moment_;
    std::vector<FingerStep> finger_path_;
    struct Given {
        double at_s, model_J;
        bool limited;
    };
    std::deque<Given> given_;
    double model_J_ = 0, spring_J_ = 0, motor_J_ = 0;
};

}  // namespace letoff::test
