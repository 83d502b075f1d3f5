#include "ui/app/live/motion_gate.h"

#include <cmath>

namespace letoff::ui {

core::KeyMotionCode MotionGate::next(Key& key, double dip_m, double speed_mps) const noexcept {
    const auto code = core::KeyMotionCode::of(dip_m, speed_mps);
    const bool still =
        std::abs(speed_mps) <= kStill_mps && dip_m < kTop_m && std::abs(dip_m - key.at.dip_m()) <= kStill_m;
    if (!still) {
        key.still_ticks = 0;
        key.at = code;
        return code;
    }
    if (!rests(key)) ++key.still_ticks;
    return rests(key) ? core::KeyMotionCode{key.at.dip, 0} : code;
}

bool MotionGate::pass(double now_s, const core::KeyMotion& newest, bool fresh, TakeLog* take) noexcept {
    if (!fresh && !all_rest_) return false;
    const bool live_changed = newest.live != given_.live;
    if (live_changed && take != nullptr) take->live_keys(newest.live);
    given_.live = newest.live;
    bool moved = false, all_rest = newest.live.any() && now_s - newest.time_s < kFresh_s;
    std::array<core::KeyMotionCode, core::kKeyCount> codes;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (!newest.live[k]) {
            keys_[k].still_ticks = 0;
            codes[k] = keys_[k].code;
            continue;
        }
        codes[k] = next(keys_[k], newest.dip_m[k], newest.dip_speed_mps[k]);
        all_rest = all_rest && rests(keys_[k]);
        moved = moved || codes[k] != keys_[k].code;
    }
    given_.time_s = all_rest ? now_s : newest.time_s;
    if (take != nullptr && (live_changed || moved || all_rest != all_rest_ || !all_rest))
        take->motion(given_.time_s, all_rest);
    all_rest_ = all_rest;
    if (!moved) return true;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (codes[k] == keys_[k].code) continue;
        keys_[k].code = codes[k];
        given_.dip_m[k] = codes[k].dip_m();
        given_.dip_speed_mps[k] = codes[k].speed_mps();
        if (take != nullptr) take->key_moved(static_cast<int>(k), codes[k]);
    }
    return true;
}

}  // namespace letoff::ui
