#include "keyboard/keybed/keybed.h"

#include <algorithm>
#include <bit>

namespace letoff::keyboard {

Keybed::Keybed(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor)
    : tick_hz_(tick_hz), h_s_(1.0 / tick_hz), executor_(executor), fingers_(keys.size()), forces_(keys.size()) {
    for (size_t first = 0; first < keys.size(); first += core::kLanes) {
        blocks_.emplace_back(keys.subspan(first, std::min<size_t>(core::kLanes, keys.size() - first)), tick_hz);
    }
    for (const KeyBuild& key : keys) tray_travel_m_.push_back(key.values[grand_row("tray_travel_mm")] * 1e-3);
}

void Keybed::settle() {
    constexpr double kRest_s = 0.30, kStroke_s = 0.40, kReturn_s = 0.60;  // a key comes to rest within 0.19 s (measured)
    constexpr double kSoft_mps2 = 2.0;                                    // about 1 m/s at the string
    const auto run = [&](double seconds) {
        for (int i = 0; i < static_cast<int>(seconds * tick_hz_); ++i) tick(nullptr, nullptr);
    };
    run(kRest_s);
    for (int k = 0; k < keys(); ++k) press(k, now_s(), kSoft_mps2);
    run(kStroke_s);
    for (int k = 0; k < keys(); ++k) lift(k, now_s(), 0.25);
    run(kReturn_s);
    for (ActionBlock& block : blocks_) block.silence_strings();
    tick_ = 0;
}

void Keybed::press(int key_index, double start_s, double acceleration_mps2) {
    ActionBlock& block = block_of(key_index);
    const int lane = lane_of(key_index);
    // The finger arrives at the key where it is: touching, at the key's own speed, wherever it was before.
    if (fingers_[static_cast<size_t>(key_index)].phase() == core::Finger::Phase::idle || block.finger_travel_m(lane) < block.dip_m(lane)) {
        block.place_finger(lane, block.dip_m(lane), block.dip_speed_mps(lane));
    }
    fingers_[static_cast<size_t>(key_index)].press(start_s, block.finger_travel_m(lane), acceleration_mps2);
}

void Keybed::lift(int key_index, double start_s, double speed_mps) { fingers_[static_cast<size_t>(key_index)].lift(start_s, speed_mps); }

double Keybed::tray_lift_m(double share, int key_index) const { return share * tray_travel_m_[static_cast<size_t>(key_index)]; }

void Keybed::tick_block(int b) noexcept {
    ActionBlock& block = blocks_[static_cast<size_t>(b)];
    for (int l = 0; l < block.keys(); ++l) {
        const size_t key = static_cast<size_t>(b * core::kLanes + l);
        core::Finger& finger = fingers_[key];
        block.input.tray_lift_m[static_cast<size_t>(l)] = tray_share_ * tray_travel_m_[key];
        if (finger.phase() == core::Finger::Phase::idle) {
            block.input.finger_force_N[static_cast<size_t>(l)] = 0;
            continue;
        }
        block.input.finger_force_N[static_cast<size_t>(l)] = finger.force_N(now_s(), h_s_, block.finger_travel_m(l), block.finger_speed_mps(l));
        if (finger.phase() == core::Finger::Phase::idle) block.place_finger(l, finger.setting().parked_m, 0);
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
        sound->on_tick({tick_, tick_hz_, std::span<const core::StringForce>(forces_.data(), force_count), std::span<const double, core::kKeyCount>(damper_compression_m_)});
    }
    ++tick_;
}

int Keybed::sleeping_keys() const {
    int count = 0;
    for (const ActionBlock& block : blocks_) count += block.asleep() ? block.keys() : 0;
    return count;
}

std::uint64_t Keybed::state_hash() const {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    const auto add = [&](double x) {
        hash ^= std::bit_cast<std::uint64_t>(x);
        hash *= 1099511628211u;
    };
    for (const ActionBlock& block : blocks_) {
        for (int l = 0; l < block.keys(); ++l) {
            for (size_t i = 0; i < kGrandBodies; ++i) {
                add(block.state().q[i].lane[l]);
                add(block.state().v[i].lane[l]);
            }
        }
    }
    return hash;
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
