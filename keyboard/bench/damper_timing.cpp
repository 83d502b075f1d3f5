#include "keyboard/bench/damper_timing.h"

#include <algorithm>

namespace letoff::keyboard {
namespace {

constexpr double kPress_mps = 0.010, kHold_N = 3.0, kSettle_s = 0.3, kDeepest_m = 0.0095;
constexpr double kTray_mps = 0.010;
constexpr double kLightTouch_N = 0.005;  // half a gram on a felt counts as touching

}  // namespace

DamperTiming measure_damper_timing(const TestKey& key) {
    DamperTiming t{.damped = key.build.damped};
    if (!t.damped) return t;
    TestKey silent = key;
    silent.build.strings = nullptr;
    const double seated_m = Bench(silent).block().damper_lift_m(0);
    {
        Bench bench(silent);
        const double deepest_m = std::min(kDeepest_m, free_dip_m(key.build.values));
        bench.drive_at(kPress_mps, key.rest_dip_m + deepest_m, [&] {
            const double dip = bench.dip_m(0) - key.rest_dip_m;
            if (t.key_pick_up_m == 0 && bench.contact_N(kKeyDamper, 0) > kLightTouch_N) {
                t.key_pick_up_m = dip;
                t.hammer_share = 1 - bench.below_string_m(0) / key.blow_m;
            }
            if (t.key_pick_up_m > 0 && t.key_clear_m == 0 && bench.contact_N(kDamperString, 0) <= 0)
                t.key_clear_m = dip;
        });
        bench.let_go();
        bench.block().input.key_force_N.fill(kHold_N);
        bench.run(kSettle_s);
        t.key_lift_m = bench.block().damper_lift_m(0) - seated_m;
    }
    Bench bench(silent);
    const double full_m = key.build.values[grand_row("tray_travel_mm")] * 1e-3;
    double tray_m = 0;
    while (tray_m < full_m) {
        tray_m = std::min(full_m, tray_m + kTray_mps * bench.h_s());
        bench.block().input.tray_lift_m.fill(tray_m);
        bench.tick();
        if (t.pedal_pick_up_m == 0 && bench.contact_N(kDamperTray, 0) > kLightTouch_N) t.pedal_pick_up_m = tray_m;
        if (t.pedal_pick_up_m > 0 && t.pedal_clear_m == 0 && bench.contact_N(kDamperString, 0) <= 0)
            t.pedal_clear_m = tray_m;
    }
    bench.run(kSettle_s);
    t.pedal_lift_m = bench.block().damper_lift_m(0) - seated_m;
    return t;
}

}  // namespace letoff::keyboard
