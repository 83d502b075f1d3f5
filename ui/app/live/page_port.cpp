#include "ui/app/live/page_port.h"

namespace letoff::ui {
namespace {

/// The greatest of the last tick; 0 while the hammer is off its strings.
float string_force_N(const keyboard::ActionBlock& block, int lane) noexcept {
    float greatest_N = 0;
    if (!block.stepped(lane) || !block.events(lane).on_strings) return greatest_N;
    const auto& force = block.events(lane).force;
    for (int i = 0; i < force.count; ++i)
        greatest_N = std::max(greatest_N, static_cast<float>(force.force_N[static_cast<std::size_t>(i)]));
    return greatest_N;
}

}  // namespace

void PagePort::gather(const keyboard::Keybed& keybed) noexcept {
    const int key = watched(keybed);
    if (key != greatest_.key_index) {
        greatest_ = {};
        greatest_.key_index = key;
    }
    if (key < 0) return;
    const keyboard::ActionBlock& block = keybed.block_of(key);
    const int lane = keybed.lane_of(key);
    for (std::size_t c = 0; c < keyboard::kGrandContacts; ++c) {
        greatest_.contact_N[c] =
            std::max(greatest_.contact_N[c], static_cast<float>(block.output().contact_force_N[c].lane[lane]));
    }
    greatest_.string_N = std::max(greatest_.string_N, string_force_N(block, lane));
}

void PagePort::capture(const keyboard::Keybed& keybed, std::int64_t tick) noexcept {
    const int key = scope_.wanted_key();
    if (key < 0 || key >= keybed.keys()) return;
    const keyboard::ActionBlock& block = keybed.block_of(key);
    const int lane = keybed.lane_of(key);
    ScopeCapture::Sample& sample = scope_.next();
    sample.tick = tick;
    const auto of = [&](core::ScopeChannel channel) -> float& {
        return sample.value[static_cast<std::size_t>(channel)];
    };
    using Channel = core::ScopeChannel;
    of(Channel::kDip_m) = static_cast<float>(block.dip_m(lane));
    of(Channel::kCrown_m) = static_cast<float>(block.crown_below_string_m(lane));
    of(Channel::kCrown_mps) = static_cast<float>(block.crown_speed_mps(lane));
    for (std::size_t b = 0; b < core::kMaxBodies; ++b)
        sample.value[core::kScopeBodies + b] = static_cast<float>(block.state().q[b].lane[lane]);
    for (std::size_t c = 0; c < keyboard::kGrandContacts; ++c)
        sample.value[core::kScopeContacts + c] = static_cast<float>(block.output().contact_force_N[c].lane[lane]);
    of(Channel::kFinger_N) = sample.value[core::kScopeContacts + std::size_t{keyboard::kFingerKey}];
    of(Channel::kString_N) = string_force_N(block, lane);
    scope_.keep();
}

void PagePort::tell(const keyboard::Keybed& keybed, std::int64_t tick) noexcept {
    core::Telemetry& t = latest_.draft();
    t.tick = tick;
    for (int k = 0; k < keybed.keys() && k < core::kKeyCount; ++k) {
        const auto key = static_cast<std::size_t>(k);
        const keyboard::ActionBlock& block = keybed.block_of(k);
        t.dip_m[key] = static_cast<float>(block.dip_m(keybed.lane_of(k)));
        t.crown_m[key] = static_cast<float>(block.crown_below_string_m(keybed.lane_of(k)));
    }
    t.strikes = strikes_;
    t.strike_mps = strike_mps_;
    t.sustain = static_cast<float>(keybed.tray_share());
    t.sostenuto = static_cast<float>(keybed.sostenuto());
    t.una_corda = static_cast<float>(keybed.una_corda());
    gather(keybed);
    t.watched = greatest_;
    const int key = greatest_.key_index;
    greatest_ = {};
    greatest_.key_index = key;
    if (key >= 0) {
        const keyboard::ActionBlock& block = keybed.block_of(key);
        const int lane = keybed.lane_of(key);
        for (std::size_t b = 0; b < core::kMaxBodies; ++b)
            t.watched.q[b] = static_cast<float>(block.state().q[b].lane[lane]);
        t.watched.crown_mps = static_cast<float>(block.crown_speed_mps(lane));
        t.watched.finger_N = t.watched.contact_N[keyboard::kFingerKey];
    }
    latest_.publish();
}

}  // namespace letoff::ui
