#include "keyboard/haptic/haptics.h"

#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

Haptics::Haptics(std::span<const HapticValues> values, int keys, int tick_hz, const HapticKey::Options& options) {
    for (int k = 0; k < keys; ++k) {
        const auto own = values.size() == 1 ? 0 : static_cast<std::size_t>(k);
        keys_.emplace_back(values[own], 1.0 / tick_hz, options);
    }
}

bool Haptics::begin_key(int key_index, ActionBlock& block, int lane, double now_s) noexcept {
    const auto k = static_cast<std::size_t>(key_index);
    KeyTie tie;
    const HapticKey::Reading reading{motion_.time_s, motion_.dip_m[k], motion_.dip_speed_mps[k], motion_.live[k]};
    if (!keys_[k].begin(now_s, reading, block.dip_m(lane), tie)) return false;
    block.tie_key(lane, tie);
    return true;
}

void Haptics::finish_key(int key_index, const ActionBlock& block, int lane, double now_s) noexcept {
    const auto k = static_cast<std::size_t>(key_index);
    forces_.force_N[k] = keys_[k].finish(now_s, block.tied_force(lane));
}

void Haptics::close_tick(std::int64_t tick) noexcept {
    forces_.tick = tick;
    if (rests()) return;
    resting_ = true;
    counts_.live = counts_.limited = counts_.damped = 0;
    for (const HapticKey& key : keys_) {
        resting_ = resting_ && key.rests();
        counts_.live += key.live() ? 1 : 0;
        counts_.limited += key.limited() ? 1 : 0;
        counts_.damped += key.damped() ? 1 : 0;
        counts_.faults += key.faulty() ? 1 : 0;
    }
}

}  // namespace letoff::keyboard
