// The felt law of one contact of eight keys: what is fixed for a step, and the force and slope of one Newton iteration.
// Items are contacts of one key.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>

#include "core/multibody/lane_model.h"
#include "core/rt/denormals.h"
#include "tests/bench/simd_target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/felt_force_bench.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/multibody/felt_force-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff {
namespace HWY_NAMESPACE {
namespace simd = core::HWY_NAMESPACE;

void felt_once(const core::LaneContact& contact, const core::LaneBlock& d0_m, const core::LaneBlock& d1_m, double h_s,
               core::LaneBlock& force_N, core::LaneBlock& slope_Npm) {
    for (std::size_t lane = 0; lane < core::kLanes; lane += simd::width()) {
        simd::FeltLaw law = simd::make_felt_law(contact, lane, simd::load(d0_m.lane + lane), simd::set(1.0 / h_s));
        simd::FeltLaw* const one[1] = {&law};
        simd::start_felts<1>(one);
        const simd::FeltForce felt = simd::mean_felt_force(law, simd::load(d1_m.lane + lane));
        simd::store(felt.force, force_N.lane + lane);
        simd::store(felt.slope, slope_Npm.lane + lane);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff {
HWY_EXPORT(felt_once);

namespace {

void felt_force(benchmark::State& state) {
    if (!use_simd_target(state)) return;
    const core::DenormalsOff denormals_off;
    core::LaneContact contact{};
    std::fill_n(contact.felt_k.lane, core::kLanes, 1e8);  // N/m^r, of a hammer's order
    std::fill_n(contact.felt_r.lane, core::kLanes, 2.3);
    std::fill_n(contact.felt_inverse_r1.lane, core::kLanes, 1.0 / (2.3 + 1.0));
    std::fill_n(contact.felt_r_minus_1.lane, core::kLanes, 2.3 - 1.0);
    std::fill_n(contact.felt_b.lane, core::kLanes, 1e4);  // N s/m^3
    core::LaneBlock d0_m{}, d1_m{}, force_N{}, slope_Npm{};
    for (int lane = 0; lane < core::kLanes; ++lane) {
        d0_m.lane[lane] = 1e-4 * (lane + 1);
        d1_m.lane[lane] = 1e-4 * (lane + 1.5);
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(d1_m);
        HWY_DYNAMIC_DISPATCH(felt_once)(contact, d0_m, d1_m, 1.0 / 4000, force_N, slope_Npm);
        benchmark::DoNotOptimize(force_N);
        benchmark::DoNotOptimize(slope_Npm);
    }
    state.SetItemsProcessed(state.iterations() * core::kLanes);
}
BENCHMARK(felt_force)->DenseRange(0, kLastSimdTarget);

}  // namespace
}  // namespace letoff
#endif
