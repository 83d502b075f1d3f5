#include "ui/app/commands/instrument_options.h"

#include <fmt/format.h>

#include "core/rt/executor.h"
#include "core/unit/constants.h"
#include "ui/app/cache_file.h"

namespace letoff::ui {
namespace {

constexpr int kSlowestTick_hz = 1000, kFastestTick_hz = 8000;  // design, section 3

}  // namespace

void InstrumentOptions::add_to(CLI::App& command) {
    profile.add_to(command);
    tuning.add_to(command);
    command.add_option("--action", setting.action, "Piano action")
        ->check(one_of("action", {"grand"}))
        ->option_text("NAME=grand");
    command.add_option("--threads", setting.threads, "Threads that compute; 0 is as many as the machine has")
        ->check(CLI::Range(0, core::kMaxExecutorThreads))
        ->option_text("N=0");
    command.add_option("--executor", setting.executor, "How the work is spread over threads; the result is the same")
        ->check(one_of("executor", {"inline", "tbb", "threads"}))
        ->option_text("inline|tbb|threads");
    command.add_option("--tick", setting.tick_hz, "Steps of the mechanics in a second, 1000 to 8000")
        ->option_text("HZ=4000");
    command.add_option("--rate", setting.sample_rate_hz, "Samples of the sound in a second, 48000 or 96000")
        ->option_text("HZ=48000");
    command.add_option("--simd", simd, "Instructions to compute with; the result is the same")
        ->check(one_of("SIMD target", {"auto", "avx512", "avx2", "scalar"}))
        ->option_text("auto|avx512|avx2|scalar");
    command.add_flag("--no-cache", no_cache, "Compute the finger tables anew and keep nothing");
}

std::string InstrumentOptions::problem() const {
    if (setting.sample_rate_hz != 48000 && setting.sample_rate_hz != 96000) {
        return fmt::format("--rate {} Hz is not possible: 48000 or 96000 is needed", setting.sample_rate_hz);
    }
    const bool in_range = setting.tick_hz >= kSlowestTick_hz && setting.tick_hz <= kFastestTick_hz;
    if (!in_range || core::kStrikeGrid_hz % setting.tick_hz != 0 || setting.sample_rate_hz % setting.tick_hz != 0) {
        return fmt::format(
            "--tick {} Hz is not possible: a divisor of the sample rate is needed, such as 1000, 2000, 4000 or 8000",
            setting.tick_hz);
    }
    return tuning.problem();
}

core::Result<InstrumentSetting> InstrumentOptions::setting_for_use(std::string_view command, const Touch& touch) const {
    InstrumentSetting used = setting;
    used.touch = touch.grand;
    const auto strings = tuning.applied_to(touch.strings);
    if (!strings) return core::Error{strings.error()};
    used.strings = core::string_design(strings.value());
    if (no_cache) return used;
    if (const auto file = stroke_cache_file(); file) {
        used.cache_file = file.value();
    } else {
        warn(command, file.error());
    }
    return used;
}

}  // namespace letoff::ui
