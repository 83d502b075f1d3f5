// One value through a ring: on one thread, and from one thread to another (real time).
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

#include "core/rt/ring.h"
#include "core/unit/keys.h"

namespace letoff {
namespace {

template <typename T>
void ring_push_pop(benchmark::State& state) {
    core::Ring<T> ring(64);
    T value{};
    for (auto _ : state) {
        benchmark::DoNotOptimize(ring.try_push(value));
        benchmark::DoNotOptimize(ring.try_pop(value));
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sizeof(T)));
}
BENCHMARK(ring_push_pop<std::int64_t>);
BENCHMARK(ring_push_pop<std::array<double, core::kKeyCount>>);

void ring_between_threads(benchmark::State& state) {
    core::Ring<std::int64_t> ring(1024);
    std::atomic<bool> done{false};
    std::thread consumer([&] {
        std::int64_t value = 0;
        while (!done.load(std::memory_order_relaxed)) {
            if (!ring.try_pop(value)) std::this_thread::yield();
        }
    });
    std::int64_t value = 0;
    for (auto _ : state) {
        while (!ring.try_push(value)) std::this_thread::yield();
        ++value;
    }
    done = true;
    consumer.join();
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ring_between_threads)->UseRealTime();

}  // namespace
}  // namespace letoff
