#include "hw/usb/cogging_drive.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {

namespace {

constexpr double kWay_s = (CoggingDrive::kBottom_m - CoggingDrive::kTop_m) / CoggingDrive::kSpeed_mps;
// From wherever it lies to the top, in the same time for all keys: at most twice as fast as what is recorded.
constexpr double kBegin_s = 0.5 * kWay_s;
constexpr double kMoves_s = kBegin_s + 2 * kWay_s;
constexpr std::size_t kMostPoints = 4000 * 5;  // of one key at 4 kHz

}  // namespace

CoggingDrive::CoggingDrive() {
    for (Key& key : keys_) key.points.reserve(kMostPoints);
}

CoggingDrive::Want CoggingDrive::wanted(double begin_m, double since_s) noexcept {
    if (since_s < kBegin_s) {
        const double speed_mps = (kTop_m - begin_m) / kBegin_s;
        return {begin_m + speed_mps * since_s, speed_mps, false};
    }
    const double way_s = since_s - kBegin_s;
    const bool down = way_s < kWay_s;
    const double turned_s = down ? way_s : way_s - kWay_s;
    const double speed_mps = down ? kSpeed_mps : -kSpeed_mps;
    return {(down ? kTop_m : kBottom_m) + speed_mps * turned_s, speed_mps, turned_s > kTurn_s};
}

const core::KeyForces& CoggingDrive::step(double now_s, const core::KeyMotion& motion) noexcept {
    if (began_s_ < 0) began_s_ = now_s;
    double gone_s = 0;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const Key& key = keys_[k];
        if (motion.live[k] && !key.live && key.moved && !key.lost) gone_s = std::max(gone_s, now_s - key.gone_s);
    }
    if (gone_s > 0) {
        began_s_ += gone_s + kTurn_s;
        settled_s_ = now_s + kTurn_s;
    }
    const double since_s = now_s - began_s_ - kStill_s;
    over_ = since_s > kMoves_s + kBack_s;
    ++forces_.tick;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        Key& key = keys_[k];
        double& force_N = forces_.force_N[k];
        force_N = 0;
        if (!motion.live[k]) {
            if (key.live) key.gone_s = now_s;
            key.live = false;
            key.lost = key.lost || (key.moved && now_s - key.gone_s > kMostGone_s);
            continue;
        }
        key.live = true;
        if (since_s < 0 || key.begin_m == 0) key.begin_m = motion.dip_m[k];
        if (since_s < 0 || since_s > kMoves_s || key.lost) continue;
        key.moved = true;
        const Want want = wanted(key.begin_m, since_s);
        force_N = std::clamp(kStiffness_N_per_m * (motion.dip_m[k] - want.dip_m) +
                                 kDamping_Ns_per_m * (motion.dip_speed_mps[k] - want.speed_mps),
                             -kMost_N, kMost_N);
        if (want.keep && now_s > settled_s_ && key.points.size() < kMostPoints)
            key.points.push_back({motion.dip_m[k], force_N, want.speed_mps > 0});
    }
    return forces_;
}

}  // namespace letoff::hw
