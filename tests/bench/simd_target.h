// A benchmark's SIMD target, by the number that it is given: DenseRange(0, kLastSimdTarget).
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/simd/target.h"

namespace letoff {

inline constexpr std::array kSimdTargets{"scalar", "avx2", "avx512"};
inline constexpr std::int64_t kLastSimdTarget = kSimdTargets.size() - 1;

/// False: this machine has no such target; the benchmark is skipped and says so.
inline bool use_simd_target(benchmark::State& state) {
    const auto chosen = core::choose_simd(kSimdTargets[static_cast<std::size_t>(state.range(0))]);
    if (chosen) {
        state.SetLabel(std::string(chosen.value()));
    } else {
        state.SkipWithError(chosen.error().c_str());
    }
    return chosen.ok();
}

}  // namespace letoff
