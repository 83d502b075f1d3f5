#include "ui/app/bench/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "audio/modal/strings_share.h"
#include "core/fault/fault.h"
#include "core/rt/denormals.h"
#include "core/rt/snapshot.h"
#include "core/simd/target.h"
#include "core/string/string_design.h"
#include "keyboard/gesture/live_player.h"
#include "ui/app/bench/note_latency.h"
#include "ui/app/bench/workload.h"
#include "ui/app/live/live_sound_out.h"
#include "ui/app/live/live_touch.h"
#include "ui/app/render_report.h"

namespace letoff::ui {
namespace {

constexpr double kWarmUp_s = 1.0;     // of simulated time: after it every key has been played four times
constexpr double kPart_s = 0.5;       // of simulated time a repetition
constexpr int kMoments = 50;          // 5 ms apart, one whole period
constexpr double kNoMargin_s = 1e-6;  // what the nanoseconds of clocks leave

using Rows = std::vector<BenchRow>;
using Show = std::function<void(int repetition)>;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What a must and an aim are on: AVX-512 has figures of its own (design, section 7).
bool wide() {
    return core::simd_name() == "avx512";
}

constexpr std::string_view kKeyStep = "key_step_us";
constexpr double kTimesTheGrand = 3;  // what another action's step may take

BenchRow key_step_row(const keyboard::Action& action) {
    const double must_us = wide() ? 0.6 : 1.2, aim_us = wide() ? 0.15 : 0.3;
    if (action.is_grand()) return {std::string(kKeyStep), "us", {}, must_us, aim_us, false, {}};
    return {fmt::format("{}_{}", kKeyStep, action.name), "us", {}, kTimesTheGrand * must_us, must_us, false, {}};
}

template <typename Load>
void time_steps(Load& load, int repetitions, const Show& show, BenchRow& row) {
    load.run();
    for (int i = 0; i < repetitions; ++i) {
        show(i);
        Stepped sum;
        for (int k = 0; k < 10; ++k) {
            const Stepped once = load.run();
            sum.steps += once.steps;
            sum.seconds += once.seconds;
        }
        row.values.push_back(sum.seconds * 1e6 / static_cast<double>(sum.steps));
    }
}

/// Of an action that the lanes of core/multibody step.
BenchRow lanes_step(const keyboard::Action& action, const core::StringSet& strings, int repetitions, const Show& show) {
    BenchRow row = key_step_row(action);
    keyboard::GrandTouch touch;
    touch.action = &action;
    BusyKeybed keybed(strings, 4000, touch);
    for (int i = 0; i < static_cast<int>(kWarmUp_s * 4000); ++i) keybed.tick();
    const int busy = keybed.busy_keys();
    StepLoad load(keybed, kMoments);
    time_steps(load, repetitions, show, row);
    row.note = fmt::format("{}, {} of 88 keys moving, {:.1f} Newton iterations a step, one thread", core::simd_name(),
                           busy, load.mean_iterations());
    if (!action.is_grand()) row.note += fmt::format("; must: {} times the grand's", kTimesTheGrand);
    return row;
}

/// Of an action that is stepped key by key.
BenchRow action_step(const keyboard::Action& action, int repetitions, const Show& show) {
    BenchRow row = key_step_row(action);
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({.stringing = action.stringing}));
    keyboard::GrandTouch touch;
    touch.action = &action;
    BusyKeybed keybed(*strings, 4000, touch);
    for (int i = 0; i < static_cast<int>(kWarmUp_s * 4000); ++i) keybed.tick();
    const int busy = keybed.busy_keys();
    ActionLoad load(keybed, kMoments);
    time_steps(load, repetitions, show, row);
    row.note =
        fmt::format("scalar, {} of 88 keys moving, one thread; must: {} times the grand's", busy, kTimesTheGrand);
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
        row.values.push_back(100 * share.value().share_ringing);
        row.note = fmt::format("of one core, {}, {} modes of 88 notes ringing at 48 kHz, one thread", core::simd_name(),
                               share.value().modes);
    }
    return row;
}

BenchRow render_factor(Instrument& instrument, int repetitions, const Show& show) {
    BenchRow row{"render_factor", "x", {}, 5.0, 20.0, true, {}};
    const core::Performance performance = dense_performance();
    for (int i = 0; i < repetitions; ++i) {
        show(i);
        const RenderSummary summary = instrument.render(performance, [](auto, auto) {});
        row.values.push_back(summary.duration_s / summary.wall_s);
        row.note = fmt::format("times real time, {}, {} notes in 10 s and their tail, {} on {} threads",
                               core::simd_name(), summary.notes, instrument.setting().executor, summary.threads);
    }
    return row;
}

/// On virtual time: it depends on the instrument alone, never on the machine.
core::Result<BenchRow> note_to_sample(Instrument& instrument, int repetitions, const Show& show) {
    constexpr int kFewest = 8;  // every key once
    const int notes = std::max(kFewest, repetitions);
    const auto measured = measure_note_latency(instrument, notes, [&](int note) { show(note * repetitions / notes); });
    if (!measured) return core::Error{measured.error()};
    const NoteLatency& latency = measured.value();
    const double bound_ms = 1e3 * (latency.tick_s + latency.block_s);
    BenchRow row{"note_to_sample_ms", "ms", {}, bound_ms, bound_ms, false, {}};
    for (const double latency_s : latency.latency_s) row.values.push_back(1e3 * latency_s);
    const double over_ms = row.median() - bound_ms;
    row.note =
        fmt::format("{} notes on {} keys, virtual time, {} Hz, blocks of {} frames at {} Hz: ", notes, latency.keys,
                    instrument.setting().tick_hz, kLatencyFrames, instrument.setting().sample_rate_hz);
    row.note += over_ms > 0 ? fmt::format("{:.3f} ms above one tick and one block", over_ms)
                            : std::string("within one tick and one block");
    if (latency.margin_s > kNoMargin_s)
        row.note += fmt::format("; {:.3f} ms ({:.2g} of a tick) are live play's margin for the work of the tick",
                                1e3 * latency.margin_s, latency.margin_s / latency.tick_s);
    return row;
}

/// The making of all that has to be there before the first note sounds; finger tables are known.
core::Result<BenchRow> start(const BenchSetting& setting, const Show& show) {
    BenchRow row{"start_ms", "ms", {}, 2000.0, 500.0, false, {}};
    core::FaultCounters faults;
    for (int i = 0; i < setting.repetitions; ++i) {
        show(i);
        const auto began = std::chrono::steady_clock::now();
        auto made = Instrument::create(setting.instrument);
        if (!made) return core::Error{made.error()};
        Instrument& instrument = *made.value();
        LiveSoundOut sound(instrument.strings(), instrument.setting().strings, instrument.setting().sound,
                           instrument.setting().tick_hz, faults);
        if (sound.stream_opening(instrument.setting().sample_rate_hz, kLatencyFrames) == nullptr)
            return core::Error{fmt::format("live sound cannot be made at {} Hz", instrument.setting().sample_rate_hz)};
        core::SnapshotSwap<keyboard::LiveTables> swap(first_tables(instrument));
        const keyboard::LivePlayer player(swap, instrument.keybed().keys(), instrument.setting().tick_hz, nullptr);
        row.values.push_back(1e3 * seconds_since(began));
    }
    row.note = "instrument, live sound and player made with the finger tables in the cache; devices left out";
    return row;
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
    std::vector<std::string> names;
    for (const keyboard::Action& action : keyboard::actions()) names.push_back(key_step_row(action).name);
    for (const char* name :
         {"keybed_share_4khz", "keybed_share_8khz", "strings_share", "render_factor", "note_to_sample_ms", "start_ms"})
        names.emplace_back(name);
    return names;
}

core::Result<std::vector<BenchRow>> measure_rows(const BenchSetting& setting, const Progress& progress) {
    const core::DenormalsOff denormals_off;
    const auto names = bench_row_names();
    const auto wanted = [&](std::string_view name) {
        return setting.rows.empty() || std::find(setting.rows.begin(), setting.rows.end(), name) != setting.rows.end();
    };
    const auto strings = std::make_unique<core::StringSet>(core::design_strings({}));
    Rows rows;
    const auto show = [&](const char* name) {
        return [&, name](int repetition) {
            if (progress) progress(static_cast<double>(repetition) / setting.repetitions, name);
        };
    };
    for (const keyboard::Action& action : keyboard::actions()) {
        const std::string name = key_step_row(action).name;
        if (!wanted(name)) continue;
        rows.push_back(action.step == nullptr ? lanes_step(action, *strings, setting.repetitions, show(name.c_str()))
                                              : action_step(action, setting.repetitions, show(name.c_str())));
    }
    if (wanted("keybed_share_4khz"))
        rows.push_back(keybed_share(*strings, 4000, setting.repetitions, show("keybed_share_4khz")));
    if (wanted("keybed_share_8khz"))
        rows.push_back(keybed_share(*strings, 8000, setting.repetitions, show("keybed_share_8khz")));
    if (wanted("strings_share")) {
        auto row = strings_share(*strings, setting.repetitions, show("strings_share"));
        if (!row) return core::Error{row.error()};
        rows.push_back(std::move(row.value()));
    }
    if (wanted("render_factor") || wanted("note_to_sample_ms") || wanted("start_ms")) {
        auto instrument = Instrument::create(setting.instrument, progress);  // fills the cache
        if (!instrument) return core::Error{instrument.error()};
        // Before render_factor, which leaves the keys where its last notes left them.
        if (wanted("note_to_sample_ms")) {
            auto row = note_to_sample(*instrument.value(), setting.repetitions, show("note_to_sample_ms"));
            if (!row) return core::Error{row.error()};
            rows.push_back(std::move(row.value()));
        }
        if (wanted("render_factor"))
            rows.push_back(render_factor(*instrument.value(), setting.repetitions, show("render_factor")));
    }
    if (wanted("start_ms")) {
        auto row = start(setting, show("start_ms"));
        if (!row) return core::Error{row.error()};
        rows.push_back(std::move(row.value()));
    }
    const auto place = [&](const BenchRow& row) { return std::find(names.begin(), names.end(), row.name); };
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return rows;
}

}  // namespace letoff::ui
