// One step of the mechanics of all 88 keys while they are played; items are steps of one key.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "core/rt/denormals.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "tests/bench/simd_target.h"
#include "ui/app/bench/workload.h"

namespace letoff {
namespace {

void step_lanes(benchmark::State& state) {
    if (!use_simd_target(state)) return;
    const core::DenormalsOff denormals_off;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    ui::BusyKeybed keybed(*strings, 4000);
    for (int i = 0; i < 4000; ++i) keybed.tick();
    ui::StepLoad load(keybed, 50);
    std::int64_t steps = 0;
    for (auto _ : state) {
        const ui::Stepped once = load.run();
        steps += once.steps;
        state.SetIterationTime(once.seconds);
    }
    state.SetItemsProcessed(steps);
    state.counters["iterations"] = load.mean_iterations();
}
BENCHMARK(step_lanes)->DenseRange(0, kLastSimdTarget)->UseManualTime()->Unit(benchmark::kMillisecond);

void keybed_tick(benchmark::State& state) {
    core::choose_simd("auto").value();
    const core::DenormalsOff denormals_off;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    ui::BusyKeybed keybed(*strings, static_cast<int>(state.range(0)));
    for (int i = 0; i < state.range(0); ++i) keybed.tick();
    for (auto _ : state) keybed.tick();
    state.SetLabel(std::string(core::simd_name()));
}
BENCHMARK(keybed_tick)->Arg(4000)->Arg(8000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace letoff
