// One tick (1/4000 s) of the 88-key keybed while some of its keys are played and the others sleep: neighbours, which
// share blocks of eight, or spread evenly over the keyboard. 0 keys: what a keybed that nobody plays costs.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "keyboard/keybed/grand_keys.h"
#include "keyboard/keybed/keybed.h"

namespace letoff {
namespace {

constexpr int kTick_hz = 4000;
// Each key four times a second, down for half of the time: none of them falls asleep.
constexpr std::int64_t kPeriod_ticks = kTick_hz / 4, kDown_ticks = kTick_hz / 8;
constexpr double kStroke_mps2 = 15, kLift_mps = 0.25;

void keybed_active_keys(benchmark::State& state) {
    core::choose_simd("auto").value();
    const core::DenormalsOff denormals_off;
    static const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::grand_keys(*strings), kTick_hz, *executor);
    keybed.settle();

    const auto active = static_cast<int>(state.range(0));
    const bool spread = state.range(1) != 0;
    const auto tick = [&] {
        for (int i = 0; i < active; ++i) {
            const int key = spread ? i * core::kKeyCount / active : i;
            // 37 is prime to every number of keys below: each at its own moment.
            const std::int64_t at = (keybed.now_ticks() + kPeriod_ticks * (37 * i % active) / active) % kPeriod_ticks;
            if (at == 0) keybed.press(key, keybed.now_s(), kStroke_mps2);
            if (at == kDown_ticks) keybed.lift(key, keybed.now_s(), kLift_mps);
        }
        keybed.tick(nullptr, nullptr);
    };
    for (int i = 0; i < 2 * kTick_hz; ++i) tick();
    double awake = 0;
    for (auto _ : state) {
        tick();
        awake = keybed.keys() - keybed.sleeping_keys();
    }
    state.counters["awake"] = awake;
    state.counters["share_of_core"] =
        benchmark::Counter(1.0 / kTick_hz, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(keybed_active_keys)
    ->ArgNames({"keys", "spread"})
    ->ArgsProduct({{0, 1, 2, 4, 8, 16, 32, 64, 88}, {0}})
    ->ArgsProduct({{1, 2, 4, 8, 16, 32, 64}, {1}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace letoff
