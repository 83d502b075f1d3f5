#include "ui/app/bench/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "audio/modal/strings_share.h"
#include "core/rt/denormals.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "ui/app/bench/workload.h"
#include "ui/app/render_report.h"

namespace letoff::ui {
namespace {

constexpr double kWarmUp_s = 1.0;  // of simulated time: after it every key has been played four times
constexpr double kPart_s = 0.5;    // of simulated time a repetition
constexpr int kMoments = 50;       // 5 ms apart, one whole period

using Rows = std::vector<BenchRow>;
using Show = std::function<void(int repetition)>;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What a must and an aim are on: AVX-512 has figures of its own (design, section 7).
bool wide() {
    return core::simd_name() == "avx512";
}

BenchRow key_step(const core::StringSet& strings, int repetitions, const Show& show) {
    BenchRow row{"key_step_us", "us", {}, wide() ? 0.6 : 1.2, wide() ? 0.15 : 0.3, false, {}};
    BusyKeybed keybed(strings, 4000);
    for (int i = 0; i < static_cast<int>(kWarmUp_s * 4000); ++i) keybed.tick();
    const int busy = keybed.busy_keys();
    StepLoad load(keybed, kMoments);
    load.run();
    for (int i = 0; i < repetitions; ++i) {
        show(i);
        std::int64_t steps = 0;
        const double start_s = thread_time_s();
        for (int k = 0; k < 10; ++k) steps += load.run();
        row.values.push_back((thread_time_s() - start_s) * 1e6 / static_cast<double>(steps));
    }
    row.note = fmt::format("{}, {} of 88 keys moving, {:.1f} Newton iterations a step, one thread", core::simd_name(),
                           busy, load.mean_iterations());
    return row;
}

BenchRow keybed_share(const core::StringSet& strings, int tick_hz, int repetitions, const Show& show) {
    const bool fast = tick_hz == 8000;
    BenchRow row{
        fast ? "keybed_share_8khz" : "keybed_share_4khz", "%", {}, fast ? 50.0 : 25.0, fast ? 12.0 : 6.0, false, {}};
    BusyKeybed keybed(strings, tick_hz);
    for (int i = 0; i < static_cast<int>(kWarmUp_s * tick_hz); ++i) keybed.tick();
    for (int i = 0; i < repetitions; ++i) {
        show(i);
        const double start_s = thread_time_s();
        for (int k = 0; k < static_cast<int>(kPart_s * tick_hz); ++k) keybed.tick();
        row.values.push_back(100 * (thread_time_s() - start_s) / kPart_s);
    }
    row.note = fmt::format("of one core, {}, 88 keys played 4 times a second with their strings, one thread",
                           core::simd_name());
    return row;
}

core::Result<BenchRow> strings_share(const core::StringSet& strings, int repetitions, const Show& show) {
    BenchRow row{"strings_share", "%", {}, 40.0, 15.0, false, {}};
    for (int i = 0; i < repetitions; ++i) {
        show(i);
        const auto share = audio::measure_strings_share(strings, kPart_s);
        if (!share) return core::Error{share.error()};
        row.values.push_back(100 * share.value().share_free);
        row.note = fmt::format("of one core, {}, {} modes of 88 notes ringing at 48 kHz, one thread", core::simd_name(),
                               share.value().modes);
    }
    return row;
}

/// Both from the same instruments: start_ms is the making of one whose finger tables are known.
core::Result<Rows> whole_instrument(const BenchSetting& setting, const Show& show, const Progress& progress) {
    BenchRow start{"start_ms", "ms", {}, 2000.0, 500.0, false, {}},
        factor{"render_factor", "x", {}, 5.0, 20.0, true, {}};
    const core::Performance performance = dense_performance();
    {
        auto first = Instrument::create(setting.instrument, progress);  // fills the cache
        if (!first) return core::Error{first.error()};
    }
    for (int i = 0; i < setting.repetitions; ++i) {
        show(i);
        const auto began = std::chrono::steady_clock::now();
        auto instrument = Instrument::create(setting.instrument);
        if (!instrument) return core::Error{instrument.error()};
        start.values.push_back(1e3 * seconds_since(began));
        const RenderSummary summary = instrument.value()->render(performance, [](auto, auto) {});
        factor.values.push_back(summary.duration_s / summary.wall_s);
        factor.note = fmt::format("times real time, {}, {} notes in 10 s and their tail, {} on {} threads",
                                  core::simd_name(), summary.notes, setting.instrument.executor, summary.threads);
    }
    start.note = "an instrument made with its finger tables in the cache";
    return Rows{factor, start};
}

}  // namespace

double BenchRow::median() const {
    return percentile(values, 0.50);
}
double BenchRow::p95() const {
    return percentile(values, 0.95);
}
double BenchRow::max() const {
    return percentile(values, 1.00);
}

std::vector<std::string> bench_row_names() {
    return {"key_step_us", "keybed_share_4khz", "keybed_share_8khz", "strings_share", "render_factor", "start_ms"};
}

core::Result<std::vector<BenchRow>> measure_rows(const BenchSetting& setting, const Progress& progress) {
    const core::DenormalsOff denormals_off;
    const auto names = bench_row_names();
    const auto wanted = [&](const char* name) {
        return setting.rows.empty() || std::find(setting.rows.begin(), setting.rows.end(), name) != setting.rows.end();
    };
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    Rows rows;
    const auto show = [&](const char* name) {
        return [&, name](int repetition) {
            if (progress) progress(static_cast<double>(repetition) / setting.repetitions, name);
        };
    };
    if (wanted("key_step_us")) rows.push_back(key_step(*strings, setting.repetitions, show("key_step_us")));
    if (wanted("keybed_share_4khz"))
        rows.push_back(keybed_share(*strings, 4000, setting.repetitions, show("keybed_share_4khz")));
    if (wanted("keybed_share_8khz"))
        rows.push_back(keybed_share(*strings, 8000, setting.repetitions, show("keybed_share_8khz")));
    if (wanted("strings_share")) {
        auto row = strings_share(*strings, setting.repetitions, show("strings_share"));
        if (!row) return core::Error{row.error()};
        rows.push_back(std::move(row.value()));
    }
    if (wanted("render_factor") || wanted("start_ms")) {
        auto both = whole_instrument(setting, show("render_factor, start_ms"), progress);
        if (!both) return core::Error{both.error()};
        for (BenchRow& row : both.value()) {
            if (wanted(row.name.c_str())) rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace letoff::ui
