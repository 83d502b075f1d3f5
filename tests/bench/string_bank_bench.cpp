// One tick (1/4000 s) of all strings of all 88 notes while all ring; items are modes.
#include <benchmark/benchmark.h>

#include <memory>
#include <utility>

#include "audio/modal/string_bank.h"
#include "core/rt/denormals.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "tests/bench/simd_target.h"

namespace letoff {
namespace {

constexpr int kTick_hz = 4000;

void string_bank(benchmark::State& state) {
    if (!use_simd_target(state)) return;
    const core::DenormalsOff denormals_off;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    audio::StringBankConfig config;
    config.rest_force_N = 0;  // nothing goes to rest
    config.tick_hz = kTick_hz;
    audio::StringBank bank = std::move(audio::StringBank::create(*strings, config).value());
    core::StringForce force;
    force.count = core::kStrikeGrid_hz / kTick_hz;
    force.force_N.fill(1.0);
    const auto tick = [&](const core::StringForce* pushed) {
        for (int key = 0; key < core::kKeyCount; ++key) bank.render_note(key, pushed, 0);
    };
    for (int i = 0; i < 8; ++i) tick(&force);
    for (auto _ : state) tick(nullptr);
    state.SetItemsProcessed(state.iterations() * bank.mode_count());
}
BENCHMARK(string_bank)->DenseRange(0, kLastSimdTarget)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace letoff
