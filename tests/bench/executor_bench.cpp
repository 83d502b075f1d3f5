// What it costs to hand the eleven blocks of 88 keys to an executor, without work and with as much as a block's step
// takes; items are calls. Real time: the caller may sleep while others work.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <utility>

#include "core/rt/cache_line.h"
#include "core/rt/executor.h"
#include "core/simd/lanes.h"
#include "core/unit/keys.h"

namespace letoff {
namespace {

constexpr int kBlocks = core::kKeyCount / core::kLanes;
constexpr const char* kKinds[] = {"inline", "tbb", "threads"};

struct alignas(core::kCacheLine) Cell {
    double value = 1;
};

void executor_dispatch(benchmark::State& state) {
    const char* kind = kKinds[state.range(0)];
    const auto executor = std::move(core::make_executor(kind, static_cast<int>(state.range(1))).value());
    const auto work = state.range(2);  // dependent multiplications a block, about 1.3 ns each
    std::array<Cell, kBlocks> cells{};
    for (auto _ : state) {
        core::parallel_for(*executor, kBlocks, [&](int block) {
            double& value = cells[static_cast<std::size_t>(block)].value;
            for (std::int64_t i = 0; i < work; ++i) value *= 1.0000001;
            benchmark::DoNotOptimize(value);
        });
    }
    state.SetItemsProcessed(state.iterations());
    state.SetLabel(kind);
}
BENCHMARK(executor_dispatch)
    ->ArgNames({"kind", "threads", "work"})
    ->ArgsProduct({{0}, {1}, {0, 3000}})
    ->ArgsProduct({{1, 2}, {1, 2, 4}, {0, 3000}})
    ->UseRealTime();

}  // namespace
}  // namespace letoff
