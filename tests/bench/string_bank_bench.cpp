// One tick (1/4000 s) of all strings of all 88 notes while all ring; items are modes.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/rt/denormals.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"

namespace letoff {
namespace {

constexpr int kTick_hz = 4000;
constexpr const char* kTargets[] = {"scalar", "avx2", "avx512"};

void string_bank(benchmark::State& state) {
    const auto chosen = core::choose_simd(kTargets[state.range(0)]);
    if (!chosen) {
        state.SkipWithError(chosen.error().c_str());
        return;
    }
    const core::DenormalsOff denormals_off;
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    audio::StringBankConfig config;
    config.rest_force_N = 0;  // nothing goes to rest
    config.tick_hz = kTick_hz;
    audio::StringBank bank = std::move(audio::StringBank::create(*strings, config).value());
    std::vector<core::StringForce> forces(core::kKeyCount);
    for (int key = 0; key < core::kKeyCount; ++key) {
        core::StringForce& force = forces[static_cast<std::size_t>(key)];
        force.key_index = key;
        force.count = core::kStrikeGrid_hz / kTick_hz;
        force.force_N.fill(1.0);
    }
    const std::array<double, core::kKeyCount> none{};
    const auto tick = [&](const core::SoundFrame& frame) {
        bank.begin_tick(frame, none);
        for (int group = 0; group < audio::kNoteGroups; ++group) bank.render_group(group);
    };
    for (int i = 0; i < 8; ++i) tick({i, kTick_hz, forces, none});
    for (auto _ : state) tick({8, kTick_hz, {}, none});
    state.SetItemsProcessed(state.iterations() * bank.mode_count());
    state.SetLabel(std::string(core::simd_name()));
}
BENCHMARK(string_bank)->DenseRange(0, 2)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace letoff
