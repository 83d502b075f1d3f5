#include "keyboard/bench/blocking.h"

#include <algorithm>

#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

constexpr double kSlow_mps = 0.002, kBottom_N = 3.0, kDeepest_m = 0.015, kLook_m = 2e-5;
constexpr double kHard_s = 0.3;

}  // namespace

Blocking test_blocking(const TestKey& key) {
    Blocking b;
    {
        Bench bench(key);
        b.slow_gap_m = key.blow_m;
        const auto watch = [&] {
            b.slow_gap_m = std::min(b.slow_gap_m, bench.below_string_m(0));
            if (bench.block().events(0).on_strings) b.slow_gap_m = std::min(b.slow_gap_m, 0.0);
        };
        // Until the front rail carries the key; the way to the button needs no slowness, nothing is thrown at 10 mm/s.
        while (bench.contact_N(kKeyFrontRail, 0) < kBottom_N && bench.dip_m(0) < kDeepest_m) {
            const bool near = bench.contact_N(kJackButton, 0) > 0;
            bench.drive_at(near ? kSlow_mps : 5 * kSlow_mps, bench.dip_m(0) + kLook_m, watch);
        }
    }
    Bench bench(key);
    bench.block().input.key_force_N.fill(kHardPress_N);
    bench.run(kHard_s, [&] {
        const ActionBlock::Events& events = bench.block().events(0);
        b.hard_strikes += events.struck ? 1 : 0;
        for (int i = 0; events.on_strings && i < events.force.count; ++i)
            b.hard_contact_s +=
                events.force.force_N[static_cast<std::size_t>(i)] > 0 ? 1.0 / core::kStrikeGrid_hz : 0.0;
    });
    b.hard_gap_m = bench.below_string_m(0);
    return b;
}

}  // namespace letoff::keyboard
