#include "keyboard/bench/repetition.h"

#include <algorithm>

#include "core/simd/scalar_math.h"
#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

using core::kLanes;

constexpr double kDeep_m = 0.0095;
constexpr double kFastest_hz = 20.0, kSlowest_hz = 4.25, kStep_hz = 0.25;

/// Half a cosine from 0 to 1 over a share of 0..1, and its slope.
struct Rise {
    double value, slope;
};
Rise half_cosine(double share) {
    const core::SinCos a = core::small_sincos(0.5 * core::kPi * share);
    return {a.sin * a.sin, core::kPi * a.sin * a.cos};
}

}  // namespace

std::array<bool, kLanes> repeats(const TestKey& key, double lift_m, const std::array<double, kLanes>& rates_hz) {
    Bench bench(key, kLanes);
    const double deep_m = key.rest_dip_m + kDeep_m;
    std::array<std::array<bool, kRepetitionCycles>, kLanes> struck{};
    const double slowest_hz = *std::min_element(rates_hz.begin(), rates_hz.end());
    // Each lane: down from rest in half a period, then 20 cycles of up and down; a cycle's strike falls in its downward
    // half or just after it.
    const double end_s = (kRepetitionCycles + 1.0) / slowest_hz;
    std::array<double, kLanes> dip_m{}, speed_mps{};
    while (bench.now_s() < end_s) {
        const double t = bench.now_s() + bench.h_s();
        for (size_t l = 0; l < kLanes; ++l) {
            const double halves = 2 * rates_hz[l] * t;
            const int half = std::min(static_cast<int>(halves), 2 * kRepetitionCycles);
            const bool downwards = half % 2 == 0;
            const double way_m = half == 0 ? kDeep_m : lift_m;
            const Rise rise = half_cosine(std::min(halves - half, 1.0));
            dip_m[l] = deep_m - way_m * (downwards ? 1.0 - rise.value : rise.value);
            speed_mps[l] = (downwards ? 1.0 : -1.0) * way_m * rise.slope * 2 * rates_hz[l];
        }
        bench.block().drive_keys(dip_m, speed_mps);
        bench.tick();
        for (size_t l = 0; l < kLanes; ++l) {
            const ActionBlock::Events& events = bench.block().events(static_cast<int>(l));
            if (!events.struck) continue;
            const core::Strike& strike = events.strike;
            // Cycle n turns down at half period 2 n + 2 of the clock and the next turns up one half period later:
            // strikes up to a quarter after.
            const int cycle = static_cast<int>(rates_hz[l] * strike.strike_time_s - 0.75);
            if (cycle >= 0 && cycle < kRepetitionCycles && strike.hammer_speed_mps >= kRepetitionSpeed_mps) {
                struck[l][static_cast<size_t>(cycle)] = true;
            }
        }
    }
    std::array<bool, kLanes> all{};
    for (size_t l = 0; l < kLanes; ++l)
        all[l] = std::all_of(struck[l].begin(), struck[l].end(), [](bool s) { return s; });
    return all;
}

double max_repetition_hz(const TestKey& key, double lift_m) {
    constexpr int kRounds = static_cast<int>((kFastest_hz - kSlowest_hz) / (kLanes * kStep_hz)) + 1;
    for (int round = 0; round < kRounds; ++round) {
        const double top_hz = kFastest_hz - round * kLanes * kStep_hz;
        std::array<double, kLanes> rates;
        for (size_t l = 0; l < kLanes; ++l) rates[l] = top_hz - static_cast<double>(l) * kStep_hz;
        const std::array<bool, kLanes> ok = repeats(key, lift_m, rates);
        const auto first = std::find(ok.begin(), ok.end(), true);
        if (first != ok.end()) return rates[static_cast<size_t>(first - ok.begin())];
    }
    return 0;
}

}  // namespace letoff::keyboard
