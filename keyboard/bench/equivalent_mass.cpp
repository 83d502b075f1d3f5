#include "keyboard/bench/equivalent_mass.h"

#include <array>
#include <cmath>

#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

constexpr double kMean_mps = 0.010, kSwing_mps = 0.0075;
constexpr double kTurn_radps = 2 * core::kPi * 2.0;
constexpr double kFrom_m = 0.0012;  // mean dip of the start: no copy is above its rest
constexpr double kApproach_s = 0.1;
constexpr double kLook_m = 1e-4;  // the force is the mean over this much of the way, either side

}  // namespace

double measure_equivalent_mass_kg(const TestKey& key, double at_m) {
    TestKey silent = key;
    silent.build.strings = nullptr;
    Bench bench(silent, core::kLanes);
    bench.lift_dampers();
    constexpr double kLanes = core::kLanes;
    const double way_s = (at_m - kFrom_m) / kMean_mps, swing_m = kSwing_mps / kTurn_radps;
    std::array<double, core::kLanes> phase{}, start_m{}, dip_m{}, speed_mps{}, sum_N{};
    for (std::size_t l = 0; l < core::kLanes; ++l) {
        const double there = 2 * core::kPi * static_cast<double>(l) / kLanes;
        phase[l] = there - kTurn_radps * way_s;
        start_m[l] = key.rest_dip_m + kFrom_m - swing_m * (std::cos(phase[l]) - std::cos(there));
    }
    const auto drive = [&] {
        bench.block().drive_keys(dip_m, speed_mps);
        bench.tick();
    };
    for (double t = bench.h_s(); t < kApproach_s + 0.5 * bench.h_s(); t += bench.h_s()) {
        for (std::size_t l = 0; l < core::kLanes; ++l) {
            speed_mps[l] = (start_m[l] - key.rest_dip_m) / kApproach_s;
            dip_m[l] = key.rest_dip_m + speed_mps[l] * t;
        }
        drive();
    }
    const double look_s = kLook_m / kMean_mps;
    int looks = 0;
    for (double t = bench.h_s(); t < way_s + look_s; t += bench.h_s()) {
        for (std::size_t l = 0; l < core::kLanes; ++l) {
            const double turn = kTurn_radps * t + phase[l];
            speed_mps[l] = kMean_mps + kSwing_mps * std::sin(turn);
            dip_m[l] = start_m[l] + kMean_mps * t + swing_m * (std::cos(phase[l]) - std::cos(turn));
        }
        drive();
        if (t < way_s - look_s) continue;
        ++looks;
        for (std::size_t l = 0; l < core::kLanes; ++l) sum_N[l] += bench.block().driven_force_N(static_cast<int>(l));
    }
    double in_phase_N = 0;
    for (std::size_t l = 0; l < core::kLanes; ++l)
        in_phase_N += sum_N[l] / looks * std::cos(2 * core::kPi * static_cast<double>(l) / kLanes) * 2 / kLanes;
    const double share = touch_arm_m(key.build.values) / -kFingerPointX_m;  // of the front's acceleration
    return in_phase_N / (kSwing_mps * kTurn_radps * share);
}

}  // namespace letoff::keyboard
