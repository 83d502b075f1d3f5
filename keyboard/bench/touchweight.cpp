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
constexpr double kPlaced_s = 0.05;      // and kept there for this long

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

/// Which weights, one a key, fall from rest to the let-off button.
std::array<bool, kLanes> falls(std::span<const TestKey> keys, std::span<const double> grams) {
    Bench bench(keys, kilograms(grams));
    bench.lift_dampers();
    lay(bench, grams);
    std::array<bool, kLanes> fell{};
    wait(bench, fell, [&](int l) { return bench.contact_N(kJackButton, l) > 0; });
    return fell;
}

/// Which weights the keys lift back, each from its own dip.
std::array<bool, kLanes> rises(std::span<const TestKey> keys, std::span<const double> from_dip_m,
                               std::span<const double> grams) {
    Bench bench(keys, kilograms(grams));
    bench.lift_dampers();
    bench.press_each_and_hold(kPlace_mps, from_dip_m, kPlaced_s);
    bench.let_go();
    lay(bench, grams);
    std::array<bool, kLanes> rose{};
    wait(bench, rose, [&](int l) { return bench.dip_m(l) < keys[static_cast<std::size_t>(l)].rest_dip_m + kBackUp_m; });
    return rose;
}

/// The first weight, from the lightest, of which `trial` no longer says `below` (it changes once): eight coarse steps
/// at a time, then eight fine ones.
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

/// Where a weight is looked for, in half-gram steps.
struct Bracket {
    int low = 0, high = kCoarseTrials * kLanes + 1, reach = 3;
    bool low_seen = false, high_seen = false;
    int next(int guess) const {
        if (low_seen && high_seen) return (low + high) / 2;
        if (low_seen) return std::min(low + reach, high - 1);
        if (high_seen) return std::max(high - reach, low + 1);
        return std::clamp(guess, low + 1, high - 1);
    }
    bool found() const { return low + 1 >= high; }
};

/// For each of some keys the number of half-gram steps of the first weight for which `trial` no longer says `below`: a
/// bracket that grows from where it is expected, then halves.
template <typename Trial>
std::vector<int> first_changes(std::vector<int> expected, bool below, Trial&& trial) {
    std::vector<Bracket> brackets(expected.size());
    std::vector<int> probe(expected.size(), 1);
    std::vector<double> grams(expected.size());
    while (!std::all_of(brackets.begin(), brackets.end(), [](const Bracket& b) { return b.found(); })) {
        for (std::size_t k = 0; k < brackets.size(); ++k) {
            if (!brackets[k].found()) probe[k] = brackets[k].next(expected[k]);
            grams[k] = probe[k] * kWeightStep_g;
        }
        const auto result = trial(grams);
        for (std::size_t k = 0; k < brackets.size(); ++k) {
            Bracket& b = brackets[k];
            if (b.found()) continue;
            const bool is_below = result[k] == below;
            (is_below ? b.low : b.high) = probe[k];
            (is_below ? b.low_seen : b.high_seen) = true;
            b.reach *= 2;
        }
    }
    std::vector<int> first;
    first.reserve(brackets.size());
    for (const Bracket& b : brackets) first.push_back(b.high);
    return first;
}

/// A weight never throws the hammer, so strings would only cost time.
TestKey silent(const TestKey& key) {
    TestKey without = key;
    without.build.strings = nullptr;
    return without;
}

double lifted_from_m(const Regulation& regulation) {
    return regulation.let_off_dip_m - kAboveLetOff_m;
}

}  // namespace

Touchweight measure_touchweight(const TestKey& key, const Regulation& regulation) {
    const std::vector<TestKey> copies(kLanes, silent(key));
    const std::vector<double> from_m(kLanes, lifted_from_m(regulation));
    Touchweight t;
    t.down_weight_g = first_change_g([&](std::span<const double> grams) { return falls(copies, grams); }, false);
    t.up_weight_g = first_change_g([&](std::span<const double> grams) { return rises(copies, from_m, grams); }, true) -
                    kWeightStep_g;
    return t;
}

std::vector<Touchweight> measure_touchweights(std::span<const TestKey> keys, std::span<const Regulation> regulations,
                                              std::span<const Touchweight> expected) {
    std::vector<TestKey> silent_keys;
    std::vector<double> from_m;
    std::vector<int> down, up;
    const auto steps = [](double grams) { return static_cast<int>(grams / kWeightStep_g); };
    for (std::size_t k = 0; k < keys.size(); ++k) {
        silent_keys.push_back(silent(keys[k]));
        from_m.push_back(lifted_from_m(regulations[k]));
        down.push_back(steps(expected[k].down_weight_g));
        up.push_back(steps(expected[k].up_weight_g + kWeightStep_g));
    }
    down = first_changes(down, false, [&](std::span<const double> grams) { return falls(silent_keys, grams); });
    up = first_changes(up, true, [&](std::span<const double> grams) { return rises(silent_keys, from_m, grams); });
    std::vector<Touchweight> all;
    all.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) all.push_back({down[k] * kWeightStep_g, (up[k] - 1) * kWeightStep_g});
    return all;
}

std::vector<LaidWeight> lay_weight(const TestKey& key, double weight_g, std::span<const double> dips_m,
                                   double seconds) {
    std::vector<LaidWeight> laid;
    for (double dip : dips_m) {
        const std::array<double, 1> grams{weight_g};
        Bench bench(key, 1, kilograms(grams));
        bench.lift_dampers();
        bench.drive_at(kPlace_mps, dip);
        bench.stop_and_hold(kPlaced_s);
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
