#include "audio/modal/strings_share.h"

#include <time.h>

#include <array>
#include <span>
#include <utility>

#include "audio/modal/string_bank.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

double thread_time_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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
    constexpr std::array<float, kMaxSamplesPerTick> kSpeed_mps{1e-3F};
    const auto moving = std::span(kSpeed_mps).first(static_cast<std::size_t>(bank.samples_per_tick()));
    const auto share = [&](const core::StringForce* pushed, double loss_1ps, std::span<const float> bridge_mps) {
        const double start_s = thread_time_s();
        for (int i = 0; i < ticks; ++i) tick(bank, pushed, loss_1ps, bridge_mps);
        return (thread_time_s() - start_s) / (static_cast<double>(ticks) / tick_hz);
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
