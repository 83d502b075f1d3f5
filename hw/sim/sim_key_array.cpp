#include "hw/sim/sim_key_array.h"

#include <algorithm>

namespace letoff::hw {

SimKeyArray::SimKeyArray(const DeviceNumbers& numbers, int sample_hz, std::uint64_t seed, int first, int count)
    : numbers_(numbers), first_(first), steps_a_sample_(kPlant_hz / sample_hz), noise_(seed) {
    for (int k = 0; k < count; ++k)
        keys_.emplace_back(numbers, seed * 1000003u + static_cast<std::uint64_t>(first + k) + 1);
    sample();
}

void SimKeyArray::sample() {
    core::KeyMotion motion;
    motion.time_s = now_s();
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const auto key = static_cast<std::size_t>(first_) + k;
        const KeyPlant::Reading reading = keys_[k].read();
        motion.dip_m[key] = reading.dip_m;
        motion.dip_speed_mps[key] = reading.dip_speed_mps;
        motion.live[key] = !lost_[key];
    }
    // A frame does not overtake the one before it.
    last_arrival_s_ =
        std::max(last_arrival_s_, now_s() + numbers_.link.sense_s + numbers_.link.jitter_s * noise_.uniform());
    under_way_.emplace_back(last_arrival_s_, motion);
}

void SimKeyArray::step() {
    const double t = now_s();
    while (commands_.size() > 1 && commands_[1].from_s <= t) commands_.pop_front();
    const bool commanded =
        !commands_.empty() && commands_.front().from_s <= t && t - commands_.front().from_s < numbers_.link.watchdog_s;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        keys_[k].command_N = commanded ? commands_.front().force_N[static_cast<std::size_t>(first_) + k] : 0.0;
        keys_[k].step(t);
    }
    ++steps_;
    if (steps_ % steps_a_sample_ == 0) sample();
}

void SimKeyArray::advance_to(double time_s) {
    advance_to(time_s, [] {});
}

bool SimKeyArray::newest_motion(core::KeyMotion& motion) noexcept {
    bool is_new = false;
    while (!under_way_.empty() && under_way_.front().first <= now_s()) {
        motion = under_way_.front().second;
        under_way_.pop_front();
        is_new = true;
    }
    return is_new;
}

bool SimKeyArray::send_forces(const core::KeyForces& forces) noexcept {
    last_command_s_ =
        std::max(last_command_s_, now_s() + numbers_.link.command_s + numbers_.link.jitter_s * noise_.uniform());
    commands_.push_back({last_command_s_, forces.force_N});
    return true;
}

}  // namespace letoff::hw
