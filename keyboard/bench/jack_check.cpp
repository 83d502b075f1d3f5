#include "keyboard/bench/jack_check.h"

#include <array>

#include "keyboard/bench/linkage.h"

namespace letoff::keyboard {
namespace {

constexpr double kAway_rad = 0.15;  // 6.6 mm at the top: clear of the knuckle
constexpr double kHeldAway_s = 0.3, kPatience_s = 0.5;
constexpr double kBack_rad = 2e-3;  // a tenth of a millimetre at the jack's top: back in its place

/// The knuckle's middle from the jack's back face, negative in front of it.
double behind_core_m(const TestKey& key) {
    const Linkage linkage(make_grand(key.build.values, key.build.damped));
    const core::Contact& jack = linkage.mechanism().contacts[kJackKnuckle];
    std::array<double, kGrandBodies> q{};
    for (std::size_t b = 0; b < kGrandBodies; ++b) q[b] = key.rest.q[b].lane[0];
    const core::Point knuckle = linkage.place(kHammer, jack.circle_centre, q);
    const core::Point corner = linkage.place(kJack, jack.other_centre, q);
    const core::Point back = linkage.direction(kJack, {jack.top_normal.y_m, -jack.top_normal.x_m}, q);
    return (corner.x_m - knuckle.x_m) * back.x_m + (corner.y_m - knuckle.y_m) * back.y_m + jack.other_radius_m;
}

}  // namespace

JackCheck check_jack(const TestKey& key) {
    JackCheck t;
    t.behind_core_m = behind_core_m(key);
    Bench bench(key);
    bench.tick();
    const double on_jack_N = bench.contact_N(kJackKnuckle, 0), on_lever_N = bench.contact_N(kLeverKnuckle, 0);
    if (on_jack_N + on_lever_N > 0) t.lever_share = on_lever_N / (on_jack_N + on_lever_N);

    const double rest_rad = key.rest.q[kJack].lane[0];
    const auto hold_away = [&] {  // the technician's finger on the tender
        core::LaneState state = bench.block().state();
        for (int l = 0; l < core::kLanes; ++l) {
            state.q[kJack].lane[l] = rest_rad + kAway_rad;
            state.v[kJack].lane[l] = 0;
        }
        bench.block().set_state(state);
    };
    hold_away();
    bench.run(kHeldAway_s, hold_away);
    t.wink_m = bench.below_string_m(0) - key.blow_m;
    const double let_go_s = bench.now_s();
    while (!t.returns && bench.now_s() < let_go_s + kPatience_s) {
        bench.tick();
        t.returns = bench.block().state().q[kJack].lane[0] < rest_rad + kBack_rad;
    }
    t.return_s = bench.now_s() - let_go_s;
    return t;
}

}  // namespace letoff::keyboard
