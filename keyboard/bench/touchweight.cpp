#include "keyboard/bench/touchweight.h"

#include <algorithm>
#include <array>

#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

using core::kLanes;

constexpr double kPatience_s = 4.0;      // half a gram too much takes the key down within a second
constexpr double kBackUp_m = 1e-3;       // lifted back: the key stands within this of its rest
constexpr double kAboveLetOff_m = 3e-4;  // "just above let-off"
constexpr double kCoarse_g = kLanes * kWeightStep_g;
constexpr int kCoarseTrials = 64;       // up to 256 g: the heaviest key near the fallboard with a clip on its hammer
constexpr double kComesToRest_s = 2.0;  // a weight that the friction does not hold here goes on to where it does
constexpr double kPlace_mps = 0.01;     // a key is brought to a dip at this speed

std::vector<double> kilograms(std::span<const double> grams) {
    std::vector<double> kg;
    for (double g : grams) kg.push_back(g * 1e-3);
    return kg;
}

void lay(Bench& bench, std::span<const double> grams) {
    for (size_t l = 0; l < grams.size(); ++l) bench.block().input.key_force_N[l] = grams[l] * core::kNewtonPerGram;
}

/// Runs until every copy has done it, all have come to rest, or patience ends.
template <typename Does>
void wait(Bench& bench, std::array<bool, kLanes>& done, Does&& does) {
    const auto copies = static_cast<std::size_t>(bench.copies());
    const double end_s = bench.now_s() + kPatience_s;
    bool all = false;
    do {  // the weight just laid has to be felt before anything can count as at rest
        bench.tick();
        all = true;
        for (std::size_t l = 0; l < copies; ++l) all &= done[l] = done[l] || does(static_cast<int>(l));
    } while (!all && !bench.block().asleep() && bench.now_s() < end_s);
}

/// Which weights fall from rest to the let-off button.
std::array<bool, kLanes> falls(const TestKey& key, std::span<const double> grams) {
    Bench bench(key, static_cast<int>(grams.size()), kilograms(grams));
    bench.lift_dampers();
    lay(bench, grams);
    std::array<bool, kLanes> fell{};
    wait(bench, fell, [&](int l) { return bench.contact_N(kJackButton, l) > 0; });
    return fell;
}

/// Which weights the key lifts back.
std::array<bool, kLanes> rises(const TestKey& key, double from_dip_m, std::span<const double> grams) {
    Bench bench(key, static_cast<int>(grams.size()), kilograms(grams));
    bench.lift_dampers();
    bench.drive_at(kPlace_mps, from_dip_m);
    bench.stop_and_hold(0.05);
    bench.let_go();
    lay(bench, grams);
    std::array<bool, kLanes> rose{};
    wait(bench, rose, [&](int l) { return bench.dip_m(l) < key.rest_dip_m + kBackUp_m; });
    return rose;
}

/// Number of weights, from lightest, for which `trial` says yes_below (it changes once): eight coarse steps at a time,
/// then eight fine ones.
template <typename Trial>
double first_change_g(Trial&& trial, bool below) {
    double low_g = 0;
    for (int first = 0; first < kCoarseTrials; first += kLanes) {
        std::array<double, kLanes> grams;
        for (int l = 0; l < kLanes; ++l) grams[static_cast<size_t>(l)] = (first + l + 1) * kCoarse_g;
        const auto result = trial(grams);
        const auto at = std::find(result.begin(), result.end(), !below);
        low_g = (first + static_cast<int>(at - result.begin())) * kCoarse_g;
        if (at != result.end()) break;
    }
    std::array<double, kLanes> grams;
    for (int l = 0; l < kLanes; ++l) grams[static_cast<size_t>(l)] = low_g + (l + 1) * kWeightStep_g;
    const auto result = trial(grams);
    const auto at = std::find(result.begin(), result.end(), !below);
    return low_g + static_cast<double>(at - result.begin() + 1) * kWeightStep_g;
}

}  // namespace

Touchweight measure_touchweight(const TestKey& key, const Regulation& regulation) {
    TestKey silent = key;  // a weight never throws the hammer, so strings would only cost time
    silent.build.strings = nullptr;
    Touchweight t;
    t.down_weight_g = first_change_g([&](std::span<const double> grams) { return falls(silent, grams); }, false);
    const double from_m = regulation.let_off_dip_m - kAboveLetOff_m;
    t.up_weight_g = first_change_g([&](std::span<const double> grams) { return rises(silent, from_m, grams); }, true) -
                    kWeightStep_g;
    return t;
}

std::vector<LaidWeight> lay_weight(const TestKey& key, double weight_g, std::span<const double> dips_m,
                                   double seconds) {
    std::vector<LaidWeight> laid;
    for (double dip : dips_m) {
        const std::array<double, 1> grams{weight_g};
        Bench bench(key, 1, kilograms(grams));
        bench.lift_dampers();
        bench.drive_at(kPlace_mps, dip);
        bench.stop_and_hold(0.05);
        bench.let_go();
        lay(bench, grams);
        LaidWeight w{.start_dip_m = bench.dip_m(0)};
        bench.run(kComesToRest_s);
        w.first_dip_m = bench.dip_m(0);
        bench.run(seconds);
        w.last_dip_m = bench.dip_m(0);
        laid.push_back(w);
    }
    return laid;
}

}  // namespace letoff::keyboard
