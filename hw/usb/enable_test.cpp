#include "hw/usb/enable_test.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {

std::string_view what(EnableResult result) noexcept {
    switch (result) {
        case EnableResult::kNotThere:
            return "is not there";
        case EnableResult::kWaits:
            return "was not tried";
        case EnableResult::kMoves:
            return "moves";
        case EnableResult::kMovesByItself:
            return "moved before it was pulled: let go of the keys";
        case EnableResult::kWrongWay:
            return "moves the wrong way: motor or sensor is wired the other way round";
        case EnableResult::kDoesNotMove:
            return "does not move: look at its motor, its amplifier and whether it is free";
        case EnableResult::kLost:
            return "was taken out while it was tried";
    }
    return "";
}

void EnableTest::begin_group(double at_s) noexcept {
    began_s_ = at_s;
    forces_.force_N.fill(0);
    sums_ = {};
}

/// A key that waits for its result says nothing.
void EnableTest::miss(std::size_t k, double now_s) noexcept {
    Sum& sum = sums_[k];
    if (!sum.gone) sum.gone_s = now_s;
    sum.gone = true;
    forces_.force_N[k] = 0;
    if (now_s - sum.gone_s > kMostGone_s) keys_[k].result = EnableResult::kLost;
}

void EnableTest::look(std::size_t k, double since_s, double dip_m) noexcept {
    Key& key = keys_[k];
    Sum& sum = sums_[k];
    double& force_N = forces_.force_N[k];
    if (since_s < 0) return;  // it comes to rest
    if (since_s < kStill_s) {
        ++sum.count;
        sum.sum += dip_m;
        sum.square += dip_m * dip_m;
        sum.moving = sum.moving || std::abs(dip_m - sum.sum / sum.count) > kByItself_m;
        return;
    }
    if (sum.count == 0 || sum.moving) {
        key.result = EnableResult::kMovesByItself;
        return;
    }
    key.rest_m = sum.sum / sum.count;
    key.noise_m = std::sqrt(std::max(0.0, sum.square / sum.count - key.rest_m * key.rest_m));
    const bool lies_up = key.rest_m < kHalfWay_m;
    const double size_N = kGrowth_N_per_s * (since_s - kStill_s);
    const double way_m = lies_up ? dip_m - key.rest_m : key.rest_m - dip_m;
    if (std::abs(way_m) >= kMoved_m) {
        key.result = way_m > 0 ? EnableResult::kMoves : EnableResult::kWrongWay;
        key.moved_at_N = size_N;
    } else if (size_N > kMost_N) {
        key.result = EnableResult::kDoesNotMove;
    }
    // Force on the finger is positive upwards: a pull down is negative.
    force_N = key.result == EnableResult::kWaits ? (lies_up ? -size_N : size_N) : 0.0;
}

const core::KeyForces& EnableTest::step(double now_s, const core::KeyMotion& motion) noexcept {
    constexpr double kGroup_s = kStill_s + kMost_N / kGrowth_N_per_s + 0.05 + kBack_s;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        if (motion.live[k] && keys_[k].result == EnableResult::kNotThere) keys_[k].result = EnableResult::kWaits;
    }
    if (group_ < 0 || (now_s - began_s_ >= kGroup_s && !gone_)) {
        ++group_;
        begin_group(now_s);
    }
    ++forces_.tick;
    if (is_over()) return forces_;
    bool again = false;
    gone_ = false;
    for (auto k = static_cast<std::size_t>(group_); k < keys_.size(); k += kGroups) {
        if (keys_[k].result != EnableResult::kWaits) continue;
        if (!motion.live[k]) {
            miss(k, now_s);
            gone_ = gone_ || keys_[k].result == EnableResult::kWaits;
        } else if (sums_[k].gone) {
            again = true;
        } else {
            look(k, now_s - began_s_, motion.dip_m[k]);
        }
    }
    if (again) begin_group(now_s + kBack_s);  // what was pulled meanwhile comes to rest first
    return forces_;
}

}  // namespace letoff::hw
