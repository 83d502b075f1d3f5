#include "keyboard/bench/regulation.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

constexpr double kSlow_mps = 0.002;  // design, section 5
constexpr double kDipForce_N = 3.0;
constexpr double kLightTouch_N = 0.005;  // half a gram on a felt counts as touching
constexpr double kSettle_s = 0.5;
constexpr double kMoved_m = 5e-5;  // the crown has moved when it rose by this; at ratio 5 the key needs 0.01 mm for it
constexpr double kRatio = 5.0;
constexpr double kRatioFrom_m = 0.002, kRatioTo_m = 0.007;  // the hammer follows, the jack is not yet turned
constexpr double kFallen_m = 2e-5;    // the jack is out when the crown has fallen this far below its highest point
constexpr double kLook_m = 2e-5;      // the press goes on in steps of this until the front rail carries it
constexpr double kDeepest_m = 0.015;  // a key that finds no front rail stops here

}  // namespace

Regulation measure_regulation(const TestKey& key) {
    Regulation r;
    r.blow_m = key.blow_m;
    Bench bench(key);
    double highest = key.blow_m;
    double from_below_m = 0, from_dip_m = 0;
    bool moved = false;
    const auto watch = [&] {
        const double dip = bench.dip_m(0), below = bench.below_string_m(0);
        if (!moved && below < key.blow_m - kMoved_m) {
            moved = true;
            r.lost_motion_m = dip - key.rest_dip_m - kMoved_m / kRatio;
        }
        const double since_m = dip - key.rest_dip_m;
        if (from_dip_m == 0 && since_m >= kRatioFrom_m) {
            from_dip_m = since_m;
            from_below_m = below;
        }
        if (r.head_to_key_ratio == 0 && since_m >= kRatioTo_m)
            r.head_to_key_ratio = (from_below_m - below) / (since_m - from_dip_m);
        if (below < highest) {
            highest = below;
            r.jack_release_dip_m = 0;
        } else if (r.jack_release_dip_m == 0 && below > highest + kFallen_m) {
            r.jack_release_dip_m = dip;
        }
        if (r.damper_pick_up_m == 0 && bench.contact_N(kKeyDamper, 0) > kLightTouch_N) {
            r.damper_pick_up_m = dip - key.rest_dip_m;
        }
        if (r.let_off_dip_m == 0 && bench.contact_N(kJackButton, 0) > kLightTouch_N) r.let_off_dip_m = dip;
    };
    while (bench.contact_N(kKeyFrontRail, 0) < kDipForce_N && bench.dip_m(0) < kDeepest_m) {
        bench.drive_at(kSlow_mps, bench.dip_m(0) + kLook_m, watch);
    }
    r.let_off_m = highest;
    bench.let_go();
    bench.block().input.key_force_N.fill(kDipForce_N);
    bench.run(kSettle_s);
    r.bottom_dip_m = bench.dip_m(0);
    r.drop_m = bench.below_string_m(0) - highest;
    r.key_dip_m = r.bottom_dip_m - key.rest_dip_m;
    r.aftertouch_m = r.bottom_dip_m - r.jack_release_dip_m;
    return r;
}

}  // namespace letoff::keyboard
