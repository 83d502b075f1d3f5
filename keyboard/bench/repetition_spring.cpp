#include "keyboard/bench/repetition_spring.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

constexpr double kHeld_s = 0.5;      // from the stroke's start: the hammer lies still in the check
constexpr double kWatch_m = 0.004;   // let up by this the jack is back under the knuckle, whatever the spring did
constexpr double kGripped_N = 1e-3;  // less is no grip

}  // namespace

SpringRise measure_spring_rise(const TestKey& key, double acceleration_mps2, double let_up_mps) {
    Bench bench(key);
    bench.press(0, acceleration_mps2);
    bench.run(kHeld_s);
    SpringRise s;
    s.held = bench.contact_N(kTailBackcheck, 0) > kGripped_N;
    s.checked_m = bench.below_string_m(0);
    if (!s.held) return s;
    bench.take_hold();
    double highest_m = s.checked_m;
    bool fell = false;  // the lever carries the hammer down with the key once it has lifted it
    bench.drive_at(let_up_mps, bench.dip_m(0) - kWatch_m, [&] {
        s.strikes_again |= bench.block().events(0).struck;
        if (s.release_dip_m == 0 && bench.contact_N(kTailBackcheck, 0) <= 0)
            s.release_dip_m = bench.dip_m(0) - key.rest_dip_m;
        if (s.release_dip_m == 0 || fell) return;
        highest_m = std::min(highest_m, bench.below_string_m(0));
        s.rise_speed_mps = std::max(s.rise_speed_mps, bench.block().crown_speed_mps(0));
        fell = bench.below_string_m(0) > highest_m + 5e-4;
    });
    s.rise_m = s.checked_m - highest_m;
    return s;
}

}  // namespace letoff::keyboard
