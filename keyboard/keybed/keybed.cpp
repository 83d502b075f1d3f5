#include "keyboard/keybed/keybed.h"

#include <algorithm>

#include "core/hash.h"

namespace letoff::keyboard {

Keybed::Keybed(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor)
    : tick_hz_(tick_hz), executor_(executor), fingers_(keys.size()), forces_(keys.size()) {
    for (size_t first = 0; first < keys.size(); first += core::kLanes) {
        blocks_.emplace_back(keys.subspan(first, std::min<size_t>(core::kLanes, keys.size() - first)), tick_hz);
    }
    for (const KeyBuild& key : keys) tray_travel_m_.push_back(key.values[grand_row("tray_travel_mm")] * 1e-3);
}

void Keybed::settle() {
    const auto run = [&](double seconds) {
        for (int i = 0; i < static_cast<int>(seconds * tick_hz_); ++i) tick(nullptr, nullptr);
    };
    run(SettleStroke::kBefore_s);
    for (int k = 0; k < keys(); ++k) press(k, now_s(), SettleStroke::kAcceleration_mps2);
    run(SettleStroke::kHeld_s);
    for (int k = 0; k < keys(); ++k) lift(k, now_s(), SettleStroke::kLift_mps);
    run(SettleStroke::kAfter_s);
    for (ActionBlock& block : blocks_) block.silence_strings();
    tick_ = 0;
}

void Keybed::press(int key_index, double start_s, double acceleration_mps2) {
    block_of(key_index).press(lane_of(key_index), fingers_[static_cast<size_t>(key_index)], start_s, acceleration_mps2);
}

void Keybed::lift(int key_index, double start_s, double speed_mps) {
    fingers_[static_cast<size_t>(key_index)].lift(start_s, speed_mps);
}

void Keybed::take_over(int key_index, const KeyState& state, const core::Finger& finger) noexcept {
    block_of(key_index).set_key_state(lane_of(key_index), state);
    fingers_[static_cast<size_t>(key_index)] = finger;
}

double Keybed::tray_lift_m(double share, int key_index) const {
    return share * tray_travel_m_[static_cast<size_t>(key_index)];
}

void Keybed::tick_block(int b) noexcept {
    ActionBlock& block = blocks_[static_cast<size_t>(b)];
    for (int l = 0; l < block.keys(); ++l) {
        const size_t key = static_cast<size_t>(b * core::kLanes + l);
        block.input.tray_lift_m[static_cast<size_t>(l)] = tray_share_ * tray_travel_m_[key];
        block.input.finger_force_N[static_cast<size_t>(l)] = block.finger_push_N(l, fingers_[key], now_s());
    }
    block.tick(tick_);
}

void Keybed::tick(core::SoundSink* sound, core::StrikeSink* strikes) noexcept {
    core::parallel_for(executor_, static_cast<int>(blocks_.size()), [this](int b) { tick_block(b); });
    size_t force_count = 0;
    for (size_t b = 0; b < blocks_.size(); ++b) {
        const ActionBlock& block = blocks_[b];
        for (const core::StringForce& force : block.string_forces()) forces_[force_count++] = force;
        for (int l = 0; l < block.keys(); ++l) {
            damper_compression_m_[b * core::kLanes + static_cast<size_t>(l)] = block.damper_compression_m(l);
        }
        if (strikes == nullptr) continue;
        const ActionBlock::Events& events = block.events();
        for (int i = 0; i < events.strike_count; ++i) strikes->on_strike(events.strikes[static_cast<size_t>(i)]);
        for (int i = 0; i < events.bottom_count; ++i) {
            const auto& bottom = events.bottoms[static_cast<size_t>(i)];
            strikes->on_key_bottom(bottom.key_index, bottom.time_s);
        }
        for (int i = 0; i < events.release_count; ++i) strikes->on_release(events.releases[static_cast<size_t>(i)]);
    }
    if (sound != nullptr) {
        sound->on_tick({tick_, tick_hz_, std::span<const core::StringForce>(forces_.data(), force_count),
                        std::span<const double, core::kKeyCount>(damper_compression_m_)});
    }
    ++tick_;
}

int Keybed::sleeping_keys() const {
    int count = 0;
    for (const ActionBlock& block : blocks_) count += block.asleep() ? block.keys() : 0;
    return count;
}

std::uint64_t Keybed::state_hash() const {
    core::Hash hash;
    for (const ActionBlock& block : blocks_) {
        for (int l = 0; l < block.keys(); ++l) {
            for (size_t i = 0; i < kGrandBodies; ++i) {
                hash.add(block.state().q[i].lane[l]);
                hash.add(block.state().v[i].lane[l]);
            }
        }
    }
    return hash.value();
}

std::int64_t Keybed::faults() const {
    std::int64_t sum = 0;
    for (const ActionBlock& block : blocks_) sum += block.faults();
    return sum;
}

std::int64_t Keybed::not_converged() const {
    std::int64_t sum = 0;
    for (const ActionBlock& block : blocks_) sum += block.output().not_converged;
    return sum;
}

}  // namespace letoff::keyboard
