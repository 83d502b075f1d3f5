// Hammer and strings together on the strike grid (96 kHz), and strings alone in closed form; items are grid intervals,
// of the bass, the middle and the top of the keyboard.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <memory>

#include "core/rt/denormals.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "keyboard/strike/hammer_string.h"

namespace letoff {
namespace {

constexpr int kSamplesPerTick = core::kStrikeGrid_hz / 4000;
constexpr int kTicksOfAStrike = 12;  // 3 ms: touch, contact and the start of the way back

const core::NoteStrings& note(int key_index) {
    static const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    return strings->notes[static_cast<std::size_t>(key_index)];
}

void hammer_string_strike(benchmark::State& state) {
    core::choose_simd("auto").value();
    const core::DenormalsOff denormals_off;
    const int key = static_cast<int>(state.range(0));
    const keyboard::HammerOnString strings(note(key));
    const keyboard::HammerOnStringState rest = strings.at_rest();
    keyboard::HammerOnStringState now = rest;
    std::array<double, kSamplesPerTick> force_N{};
    for (auto _ : state) {
        now = rest;  // a copy of some hundred modes in place: a few per cent
        keyboard::HammerState hammer;
        hammer.position_m = -1e-5;
        hammer.speed_mps = 2.8;  // mf
        hammer.mass_kg = note(key).hammer_mass_kg;
        for (int tick = 0; tick < kTicksOfAStrike; ++tick) {
            strings.step(now, hammer, kSamplesPerTick, force_N.data());
        }
        benchmark::DoNotOptimize(force_N);
    }
    state.SetItemsProcessed(state.iterations() * kTicksOfAStrike * kSamplesPerTick);
    state.counters["modes"] = strings.modes();
}
BENCHMARK(hammer_string_strike)->Arg(0)->Arg(39)->Arg(87)->Unit(benchmark::kMicrosecond);

void hammer_string_advance(benchmark::State& state) {
    core::choose_simd("auto").value();
    const core::DenormalsOff denormals_off;
    const keyboard::HammerOnString strings(note(static_cast<int>(state.range(0))));
    keyboard::HammerOnStringState now = strings.at_rest();
    keyboard::HammerState hammer;
    hammer.position_m = -1e-5;
    hammer.speed_mps = 2.8;
    hammer.mass_kg = note(static_cast<int>(state.range(0))).hammer_mass_kg;
    std::array<double, kSamplesPerTick> force_N{};
    for (int tick = 0; tick < kTicksOfAStrike; ++tick) strings.step(now, hammer, kSamplesPerTick, force_N.data());
    const keyboard::HammerOnStringState ringing = now;
    for (auto _ : state) {
        now = ringing;
        strings.advance_to(now, ringing.sample + core::kStrikeGrid_hz);  // one second later
        benchmark::DoNotOptimize(now.string_m);
    }
    state.counters["modes"] = strings.modes();
}
BENCHMARK(hammer_string_advance)->Arg(0)->Arg(39)->Arg(87)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace letoff
