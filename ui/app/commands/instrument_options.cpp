#include "ui/app/commands/instrument_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "audio/modal/string_bank.h"
#include "core/rt/executor.h"
#include "core/unit/constants.h"
#include "ui/app/cache_file.h"

namespace letoff::ui {
namespace {

constexpr int kSlowestTick_hz = 1000, kFastestTick_hz = 8000;  // design, section 3

audio::Engine engine_named(std::string_view name) {
    return name == "sample" ? audio::Engine::kSample : name == "both" ? audio::Engine::kBoth : audio::Engine::kModal;
}

}  // namespace

void InstrumentOptions::add_to(CommandLine& command) {
    profile.add_to(command);
    tuning.add_to(command);
    profile.add_action_to(command);
    ComputeOptions::add_to(command);
    command.add_option("--tick", setting.tick_hz, "Steps of the mechanics in a second, 1000 to 8000")
        ->option_text("HZ=4000");
}

void ComputeOptions::add_to(CommandLine& command) {
    command.add_option("--threads", setting.threads, "Threads that compute; 0 is as many as the machine has")
        ->in_range(0, core::kMaxExecutorThreads)
        ->option_text("N=0");
    command.add_option("--executor", setting.executor, "How the work is spread over threads; the result is the same")
        ->check(one_of("executor", {"inline", "tbb", "threads"}))
        ->option_text("inline|tbb|threads");
    command.add_option("--rate", setting.sample_rate_hz, "Samples of the sound in a second, 44100 to 192000")
        ->option_text("HZ=48000");
    command.add_option("--simd", simd, "Instructions to compute with; the result is the same")
        ->check(one_of("SIMD target", {"auto", "avx512", "avx2", "scalar"}))
        ->option_text("auto|avx512|avx2|scalar");
    command.add_flag("--no-cache", no_cache, "Compute the finger tables anew and keep nothing");
}

void ComputeOptions::add_engine_to(CommandLine& command) {
    command.add_option("--engine", engine, "What makes the sound: the strings, samples, or both")
        ->check(one_of("engine", {"modal", "sample", "both"}))
        ->option_text("NAME=modal");
    command
        .add_option("--soundfont", setting.soundfont,
                    "Where samples come from; without it, from an installed package such as fluid-soundfont-gm")
        ->option_text("FILE.sf2");
    command
        .add_option("--room", setting.room,
                    "Sound file of what a room or cabinet answers to a click; how much of it: row room_percent")
        ->option_text("FILE.wav");
}

std::string ComputeOptions::problem() const {
    const auto& rates_hz = audio::kSampleRates_hz;
    if (std::find(rates_hz.begin(), rates_hz.end(), setting.sample_rate_hz) == rates_hz.end()) {
        return fmt::format("--rate {} Hz is not possible: {} is needed", setting.sample_rate_hz,
                           fmt::join(rates_hz, " or "));
    }
    const bool in_range = setting.tick_hz >= kSlowestTick_hz && setting.tick_hz <= kFastestTick_hz;
    if (!in_range || core::kStrikeGrid_hz % setting.tick_hz != 0) {
        return fmt::format(
            "--tick {} Hz is not possible: a divisor of {} Hz is needed, such as 1000, 2000, 4000 or 8000",
            setting.tick_hz, core::kStrikeGrid_hz);
    }
    if (!setting.soundfont.empty() && engine == "modal")
        return fmt::format("--soundfont '{}' is not heard with --engine modal: sample or both is needed",
                           setting.soundfont);
    return {};
}

std::string InstrumentOptions::problem() const {
    std::string problem = ComputeOptions::problem();
    return problem.empty() ? tuning.problem() : problem;
}

InstrumentSetting ComputeOptions::setting_for_use(std::string_view command) const {
    InstrumentSetting used = setting;
    used.engine = engine_named(engine);
    if (no_cache) return used;
    if (const auto file = stroke_cache_file(); file) {
        used.cache_file = file.value();
    } else {
        warn(command, file.error());
    }
    return used;
}

core::Result<InstrumentSetting> InstrumentOptions::setting_for_use(std::string_view command, const Touch& touch) const {
    InstrumentSetting used = ComputeOptions::setting_for_use(command);
    used.touch = touch.grand;
    used.engine = engine_of(*touch.grand.action, used.engine);
    used.sound = touch.sound;
    const auto strings = tuning.applied_to(touch.strings);
    if (!strings) return core::Error{strings.error()};
    used.strings = string_design_of(touch, strings.value());
    return used;
}

}  // namespace letoff::ui
