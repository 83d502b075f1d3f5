#include "keyboard/bench/speech.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

constexpr double kPress_mps = 0.010, kStep_m = 1e-4, kRest_s = 0.05;

}  // namespace

Speech measure_speech(const TestKey& key, double bottom_dip_m) {
    Speech speech;
    Bench bench(key);
    double most_N = 0;
    bool spoke = false;
    const auto watch = [&] {
        most_N = std::max(most_N, bench.block().driven_force_N(0));
        const bool now = bench.block().events(0).struck;
        if (now && speech.dip_m == 0) {
            speech.dip_m = bench.dip_m(0) - key.rest_dip_m;
            speech.force_N = most_N;
        }
        spoke = spoke || now;
    };
    bench.drive_at(kPress_mps, bottom_dip_m, watch);
    if (!spoke) return speech;
    for (double up_m = speech.dip_m; up_m > 0; up_m -= kStep_m) {
        bench.drive_at(kPress_mps, key.rest_dip_m + up_m, [] {});
        bench.stop_and_hold(kRest_s);
        spoke = false;
        bench.drive_at(kPress_mps, bottom_dip_m, watch);
        bench.stop_and_hold(kRest_s);
        if (!spoke) continue;
        speech.resets_m = up_m;
        break;
    }
    return speech;
}

}  // namespace letoff::keyboard
