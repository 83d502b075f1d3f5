#include "keyboard/bench/regulation.h"

#include <algorithm>
#include <vector>

namespace letoff::keyboard {
namespace {

constexpr double kSlow_mps = 0.002;  // design, section 5
constexpr double kDipForce_N = 3.0;
constexpr double kLightTouch_N = 0.005;  // half a gram on a felt counts as touching
constexpr double kSettle_s = 0.5;
constexpr double kMoved_m = 5e-5;  // the crown has moved when it rose by this; at ratio 5 the key needs 0.01 mm for it
constexpr double kRatio = 5.0;
constexpr double kRatioFrom_m = 0.002, kRatioTo_m = 0.007;  // the hammer follows, the jack is not yet turned
constexpr double kRatioShare = 0.75;                        // of a shallower dip
constexpr double kFallen_m = 2e-5;    // the jack is out when the crown has fallen this far below its highest point
constexpr double kLook_m = 2e-5;      // the press goes on in steps of this until all front rails carry their keys
constexpr double kDeepest_m = 0.015;  // a key that finds no front rail stops here

/// What one key's slow press shows, tick by tick.
class Press {
  public:
    Press(const TestKey& key, int lane)
        : key_(key), lane_(lane), ratio_to_m_(std::min(kRatioTo_m, kRatioShare * free_dip_m(key.build.values))) {
        r.let_off_m = r.blow_m = key.blow_m;
    }

    Regulation r;
    bool at_bottom = false;

    void watch(const Bench& bench) {
        const double dip = bench.dip_m(lane_), below = bench.below_string_m(lane_);
        if (!moved_ && below < key_.blow_m - kMoved_m) {
            moved_ = true;
            r.lost_motion_m = dip - key_.rest_dip_m - kMoved_m / kRatio;
        }
        const double since_m = dip - key_.rest_dip_m;
        if (from_dip_m_ == 0 && since_m >= kRatioFrom_m) {
            from_dip_m_ = since_m;
            from_below_m_ = below;
        }
        if (r.head_to_key_ratio == 0 && since_m >= ratio_to_m_)
            r.head_to_key_ratio = (from_below_m_ - below) / (since_m - from_dip_m_);
        if (below < r.let_off_m) {
            r.let_off_m = below;
            r.jack_release_dip_m = 0;
        } else if (r.jack_release_dip_m == 0 && below > r.let_off_m + kFallen_m) {
            r.jack_release_dip_m = dip;
        }
        if (r.damper_pick_up_m == 0 && bench.contact_N(kKeyDamper, lane_) > kLightTouch_N) {
            r.damper_pick_up_m = dip - key_.rest_dip_m;
        }
        if (r.let_off_dip_m == 0 && bench.contact_N(kJackButton, lane_) > kLightTouch_N) r.let_off_dip_m = dip;
    }
    bool carried(const Bench& bench) const {
        return bench.contact_N(kKeyFrontRail, lane_) >= kDipForce_N || bench.dip_m(lane_) >= kDeepest_m;
    }
    void settled(const Bench& bench) {
        r.bottom_dip_m = bench.dip_m(lane_);
        r.drop_m = bench.below_string_m(lane_) - r.let_off_m;
        r.key_dip_m = r.bottom_dip_m - key_.rest_dip_m;
        r.aftertouch_m = r.bottom_dip_m - r.jack_release_dip_m;
    }

  private:
    const TestKey& key_;
    int lane_;
    double ratio_to_m_;
    double from_below_m_ = 0, from_dip_m_ = 0;
    bool moved_ = false;
};

}  // namespace

Regulation measure_regulation(const TestKey& key) {
    return measure_regulations({&key, 1}).front();
}

std::vector<Regulation> measure_regulations(std::span<const TestKey> keys) {
    Bench bench(keys);
    std::vector<Press> presses;
    presses.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) presses.emplace_back(keys[k], static_cast<int>(k));
    // A key that its front rail carries waits there, as it is, until the others are there too.
    core::LaneState at_bottom = bench.block().state();
    std::size_t arrived = 0;
    const auto watch = [&] {
        for (std::size_t k = 0; k < presses.size(); ++k) {
            Press& press = presses[k];
            if (press.at_bottom) continue;
            press.watch(bench);
            if (!press.carried(bench)) continue;
            press.at_bottom = true;
            ++arrived;
            core::copy_lane(bench.block().state(), static_cast<int>(k), at_bottom, static_cast<int>(k));
        }
    };
    while (arrived < presses.size()) bench.drive_at(kSlow_mps, bench.dip_m(0) + kLook_m, watch);
    for (int l = bench.copies(); l < core::kLanes; ++l) core::copy_lane(at_bottom, bench.copies() - 1, at_bottom, l);
    bench.block().set_state(at_bottom);
    bench.let_go();
    bench.block().input.key_force_N.fill(kDipForce_N);
    bench.run(kSettle_s);
    std::vector<Regulation> all;
    for (Press& press : presses) {
        press.settled(bench);
        all.push_back(press.r);
    }
    return all;
}

}  // namespace letoff::keyboard
