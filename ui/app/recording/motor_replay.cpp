#include "ui/app/recording/motor_replay.h"

#include <cmath>

#include "core/event/key_motion_code.h"

namespace letoff::ui {
namespace {

constexpr int kBitsInOne = 64;

std::bitset<core::kKeyCount> live_of(const core::TakeEvent& event) {
    std::bitset<core::kKeyCount> live;
    const bool sound = event.value >= 0 && event.value < 4294967296.0;
    const auto upper = sound ? static_cast<std::uint32_t>(event.value) : 0U;
    for (int k = 0; k < core::kKeyCount; ++k) {
        live[static_cast<std::size_t>(k)] =
            k < kBitsInOne ? (event.bits >> k & 1U) != 0 : (upper >> (k - kBitsInOne) & 1U) != 0;
    }
    return live;
}

}  // namespace

void MotorReplay::need_haptics() {
    if (keybed_.has_haptics()) return;
    const keyboard::HapticValues defaults = keyboard::haptic_defaults();
    keybed_.use_haptics({&defaults, 1});
}

void MotorReplay::build_device() {
    if (device_key_ < 0) return;
    keybed_.set_haptics(device_key_, keyboard::HapticKey(device_, 1.0 / keybed_.tick_hz()));
    device_key_ = -1;
}

bool MotorReplay::take(const core::TakeEvent& event, double shift_s) {
    const auto key = static_cast<std::size_t>(event.key);
    const bool has_key = event.key >= 0 && event.key < keybed_.keys();
    switch (event.kind) {
        case core::TakeKind::hands:
            need_haptics();
            keybed_.use_hands(this);
            return true;
        case core::TakeKind::device_key:
            need_haptics();
            build_device();
            if (has_key) device_key_ = event.key;
            device_ = keyboard::haptic_defaults();
            return true;
        case core::TakeKind::device_row:
            if (event.key == device_key_ && event.bits < device_.size()) device_[event.bits] = event.value;
            return true;
        case core::TakeKind::live_keys:
            need_haptics();
            motion_.live = live_of(event);
            return true;
        case core::TakeKind::motion:
            motion_.time_s = event.time_s + shift_s;
            rests_ = event.key != 0;
            given_ = true;
            return true;
        case core::TakeKind::key_moved:
            if (!has_key) return true;
            motion_.dip_m[key] = core::KeyMotionCode::of_bits(event.bits).dip_m();
            motion_.dip_speed_mps[key] = core::KeyMotionCode::of_bits(event.bits).speed_mps();
            return true;
        default:
            return false;
    }
}

void MotorReplay::before_tick(keyboard::LivePlayer& player) {
    build_device();
    if (!given_ && !rests_) return;
    if (rests_) motion_.time_s = keybed_.now_s();
    given_ = false;
    need_haptics();
    keybed_.take_motion(motion_);
    if (motion_.live == live_) return;
    live_ = motion_.live;
    for (int k = 0; k < keybed_.keys(); ++k) player.set_motor_enabled(k, live_[static_cast<std::size_t>(k)]);
}

}  // namespace letoff::ui
