#include "audio/modal/strings_share.h"

#include <time.h>

#include <array>
#include <utility>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

double thread_time_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void tick(StringBank& bank, const core::SoundFrame& frame, const std::array<double, core::kKeyCount>& loss_1ps) {
    bank.begin_tick(frame, loss_1ps);
    for (int group = 0; group < kNoteGroups; ++group) bank.render_group(group);
}

}  // namespace

core::Result<StringsShare> measure_strings_share(const core::StringSet& set, double seconds, int sample_rate_hz,
                                                 int tick_hz) {
    StringBankConfig config;
    config.sample_rate_hz = sample_rate_hz;
    config.tick_hz = tick_hz;
    config.rest_force_N = 0;  // nothing may go to rest while it is measured
    core::Result<StringBank> made = StringBank::create(set, config);
    if (!made) return core::Error{made.error()};
    StringBank& bank = made.value();
    std::vector<core::StringForce> forces(core::kKeyCount);
    for (int key = 0; key < core::kKeyCount; ++key) {
        core::StringForce& force = forces[static_cast<size_t>(key)];
        force.key_index = key;
        force.count = core::kStrikeGrid_hz / tick_hz;
        force.force_N.fill(1.0);
    }
    std::array<double, core::kKeyCount> none{}, damped{};
    damped.fill(1.0);
    const core::SoundFrame contact{0, tick_hz, forces, none}, free{0, tick_hz, {}, none};
    const int ticks = static_cast<int>(seconds * tick_hz);
    const auto share = [&](const core::SoundFrame& frame, const auto& loss_1ps) {
        const double start_s = thread_time_s();
        for (int i = 0; i < ticks; ++i) tick(bank, frame, loss_1ps);
        return (thread_time_s() - start_s) / (static_cast<double>(ticks) / tick_hz);
    };
    StringsShare result;
    result.modes = bank.mode_count();
    result.simd_target = string_kernel_target();
    result.share_contact = share(contact, none);
    result.share_free = share(free, none);
    result.share_damped = share(free, damped);
    return result;
}

}  // namespace letoff::audio
