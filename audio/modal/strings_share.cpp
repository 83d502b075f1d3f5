#include "audio/modal/strings_share.h"

#include <array>
#include <span>
#include <utility>

#include "audio/modal/string_bank.h"
#include "core/rt/periodic_loop.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

void tick(StringBank& bank, const core::StringForce* force, double loss_1ps, std::span<const float> bridge_mps) {
    for (int key = 0; key < core::kKeyCount; ++key)
        bank.render_note(key, force, loss_1ps, bank.samples_per_tick(), bridge_mps);
}

}  // namespace

core::Result<StringsShare> measure_strings_share(const core::StringSet& set, double seconds, int sample_rate_hz,
                                                 int tick_hz) {
    StringBankConfig config;
    config.sample_rate_hz = sample_rate_hz;
    config.tick_hz = tick_hz;
    config.rest_force_N = 0;  // nothing may go to rest while it is measured
    config.longitudinal = 1;
    core::Result<StringBank> made = StringBank::create(set, config);
    if (!made) return core::Error{made.error()};
    StringBank& bank = made.value();
    core::StringForce force;
    force.count = core::kStrikeGrid_hz / tick_hz;
    force.force_N.fill(1.0);
    const int ticks = static_cast<int>(seconds * tick_hz);
    std::array<float, kMaxSamplesPerTick> speed_mps;
    speed_mps.fill(1e-3F);
    const std::span<const float> moving = std::span(speed_mps).first(static_cast<std::size_t>(bank.samples_per_tick()));
    core::ThreadCpuClock thread;
    const auto share = [&](const core::StringForce* pushed, double loss_1ps, std::span<const float> bridge_mps) {
        const double start_s = thread.used_s();
        for (int i = 0; i < ticks; ++i) tick(bank, pushed, loss_1ps, bridge_mps);
        return (thread.used_s() - start_s) / (static_cast<double>(ticks) / tick_hz);
    };
    StringsShare result;
    result.modes = bank.mode_count();
    result.simd_target = string_kernel_target();
    result.share_contact = share(&force, 0, moving);
    result.share_free = share(nullptr, 0, {});
    result.share_ringing = share(nullptr, 0, moving);
    result.share_damped = share(nullptr, 1, moving);
    return result;
}

}  // namespace letoff::audio
