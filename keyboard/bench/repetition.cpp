#include "keyboard/bench/repetition.h"

#include <algorithm>
#include <cmath>

#include "core/simd/scalar_math.h"
#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

using core::kLanes;

constexpr double kReported_s = 0.005;  // a strike is told once its impulse is a strike's, a few milliseconds on
constexpr double kFastest_hz = 20.0, kSlowest_hz = 4.25, kStep_hz = 0.25;

/// Half a cosine from 0 to 1 over a share of 0..1, and its slope.
struct Rise {
    double value, slope;
};
Rise half_cosine(double share) {
    const core::SinCos a = core::small_sincos(0.5 * core::kPi * share);
    return {a.sin * a.sin, core::kPi * a.sin * a.cos};
}

/// Where a repeating finger has its key, `cycles` after the start: the first half cycle brings it down from rest.
struct Place {
    double dip_m, speed_mps;
};
Place place_at(const RepetitionFinger& f, double lift_m, double rate_hz, double cycles) {
    constexpr double kStart = 0.5;  // of a cycle
    if (cycles < kStart) {
        const Rise rise = half_cosine(cycles / kStart);
        return {f.deep_m * rise.value, f.deep_m * rise.slope * rate_hz / kStart};
    }
    // Then up, down, wait, over and over; a last wait once all cycles are done.
    const double since = cycles - kStart, part = since - std::floor(since);
    const double up_share = 1 - f.down_share - f.wait_share;
    if (since >= kRepetitionCycles || part >= up_share + f.down_share) return {f.deep_m, 0};
    if (part < up_share) {
        const Rise rise = half_cosine(part / up_share);
        return {f.deep_m - lift_m * rise.value, -lift_m * rise.slope * rate_hz / up_share};
    }
    const Rise rise = half_cosine((part - up_share) / f.down_share);
    return {f.deep_m - lift_m * (1 - rise.value), lift_m * rise.slope * rate_hz / f.down_share};
}

/// A lane of a repetition bench: one finger at one rate.
struct Repeating {
    RepetitionFinger finger;
    double rate_hz = 1;
};

/// Cycle n begins as the key turns down for the n-th time; what strikes before it turns down again is its.
int cycle_at(const Repeating& r, double t_s) {
    const double up_share = 1 - r.finger.down_share - r.finger.wait_share;
    return static_cast<int>(std::floor(r.rate_hz * t_s - 0.5 - up_share));
}

std::array<Repetition, kLanes> repeat_all(const TestKey& key, double lift_m,
                                          const std::array<Repeating, kLanes>& repeating) {
    Bench bench(key, kLanes);
    struct Lane {
        std::array<bool, kRepetitionCycles> struck{}, caught{};
        int last = -1;  // cycle of the last strike
        bool missed = false;
    };
    std::array<Lane, kLanes> lanes{};
    double slowest_hz = repeating[0].rate_hz;
    for (const Repeating& r : repeating) slowest_hz = std::min(slowest_hz, r.rate_hz);
    const double end_s = (kRepetitionCycles + 1.5) / slowest_hz;
    std::array<double, kLanes> dip_m{}, speed_mps{};
    while (bench.now_s() < end_s) {
        const double t = bench.now_s() + bench.h_s();
        for (size_t l = 0; l < kLanes; ++l) {
            const Repeating& r = repeating[l];
            const Place place = place_at(r.finger, lift_m, r.rate_hz, r.rate_hz * t);
            dip_m[l] = key.rest_dip_m + place.dip_m;
            speed_mps[l] = place.speed_mps;
        }
        bench.block().drive_keys(dip_m, speed_mps);
        bench.tick();
        for (size_t l = 0; l < kLanes; ++l) {
            Lane& lane = lanes[l];
            const int i = static_cast<int>(l);
            const bool held = bench.contact_N(kTailBackcheck, i) > 0 ||
                              (bench.contact_N(kLeverDropScrew, i) > 0 && bench.contact_N(kLeverKnuckle, i) > 0);
            if (held && lane.last >= 0) lane.caught[static_cast<size_t>(lane.last)] = true;
            const int over = cycle_at(repeating[l], t - kReported_s) - 1;
            lane.missed |= over >= 0 && over < kRepetitionCycles && !lane.struck[static_cast<size_t>(over)];
        }
        if (std::all_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.missed; })) break;
        for (size_t l = 0; l < kLanes; ++l) {
            const ActionBlock::Events& events = bench.block().events(static_cast<int>(l));
            if (!events.struck) continue;
            const int cycle = cycle_at(repeating[l], events.strike.strike_time_s);
            if (cycle < 0 || cycle >= kRepetitionCycles) continue;
            lanes[l].last = cycle;
            if (!events.strike.by_hammer || events.strike.hammer_speed_mps >= kRepetitionSpeed_mps)
                lanes[l].struck[static_cast<size_t>(cycle)] = true;
        }
    }
    std::array<Repetition, kLanes> all{};
    const auto every = [](const auto& cycles) {
        return std::all_of(cycles.begin(), cycles.end(), [](bool b) { return b; });
    };
    for (size_t l = 0; l < kLanes; ++l) {
        all[l].strikes = every(lanes[l].struck);
        all[l].caught = all[l].strikes && every(lanes[l].caught);
    }
    return all;
}

}  // namespace

std::array<Repetition, kLanes> repeats(const TestKey& key, const RepetitionFinger& finger, double lift_m,
                                       const std::array<double, kLanes>& rates_hz) {
    std::array<Repeating, kLanes> repeating;
    for (size_t l = 0; l < kLanes; ++l) repeating[l] = {finger, rates_hz[l]};
    return repeat_all(key, lift_m, repeating);
}

RepetitionRate max_repetition_hz(const TestKey& key, double lift_m, const RepetitionFinger& finger) {
    constexpr int kRounds = static_cast<int>((kFastest_hz - kSlowest_hz) / (kLanes * kStep_hz)) + 1;
    RepetitionRate rate;
    for (int round = 0; round < kRounds && rate.caught_hz == 0; ++round) {
        const double top_hz = kFastest_hz - round * kLanes * kStep_hz;
        std::array<double, kLanes> rates;
        for (size_t l = 0; l < kLanes; ++l) rates[l] = top_hz - static_cast<double>(l) * kStep_hz;
        const auto all = repeats(key, finger, lift_m, rates);
        for (size_t l = 0; l < kLanes; ++l) {
            if (rate.strikes_hz == 0 && all[l].strikes) rate.strikes_hz = rates[l];
            if (rate.caught_hz == 0 && all[l].caught) rate.caught_hz = rates[l];
        }
    }
    return rate;
}

std::array<RepetitionFinger, 18> repetition_fingers() {
    std::array<RepetitionFinger, 18> all;
    size_t n = 0;
    for (double down : {0.35, 0.45, 0.55}) {
        for (double wait : {0.0, 0.1, 0.2}) {
            for (double deep : {0.0095, 0.0100}) all[n++] = {down, wait, deep};
        }
    }
    return all;
}

int fingers_that_repeat(const TestKey& key, double lift_m, double rate_hz) {
    const auto fingers = repetition_fingers();
    int count = 0;
    for (size_t first = 0; first < fingers.size(); first += kLanes) {
        std::array<Repeating, kLanes> repeating;
        for (size_t l = 0; l < kLanes; ++l) repeating[l] = {fingers[std::min(first + l, fingers.size() - 1)], rate_hz};
        const auto all = repeat_all(key, lift_m, repeating);
        for (size_t l = 0; l < kLanes && first + l < fingers.size(); ++l) count += all[l].strikes;
    }
    return count;
}

}  // namespace letoff::keyboard
