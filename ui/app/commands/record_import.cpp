#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/midi/performance.h"
#include "core/simd/target.h"
#include "storage/midi_file.h"
#include "storage/recording_writer.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/commands/record_commands.h"
#include "ui/app/progress_bar.h"
#include "ui/app/recording/recording_file.h"
#include "ui/app/recording/take_run.h"

namespace letoff::ui {
namespace {

struct ImportOptions {
    RecordCommand command;
    std::string midi, name;
    InstrumentOptions instrument;
};

int import(const ImportOptions& options) {
    const RecordCommand& command = options.command;
    if (const std::string problem = options.instrument.problem(); !problem.empty()) return command.wrong(problem);
    if (auto simd = core::choose_simd(options.instrument.simd); !simd) return command.fail(simd.error());
    const auto file = storage::read_midi_file(options.midi);
    if (!file) return command.fail(file.error());
    for (const std::string& warning : file.value().warnings) warn(command.title, warning);
    const core::Performance performance = core::performance_of(file.value().messages, file.value().end_s);

    const auto chosen = options.instrument.profile.choose(command.title);
    if (!chosen) return command.fail(chosen.error());
    const auto setting = options.instrument.setting_for_use(command.title, chosen.value().touch);
    if (!setting) return command.fail(setting.error());
    const auto strings = options.instrument.tuning.applied_to(chosen.value().touch.strings);
    if (!strings) return command.fail(strings.error());
    int status = kDone;
    auto store = command.open(status);
    if (!store) return status;

    ProgressBar bar;
    auto instrument = Instrument::create(setting.value(), bar.progress());
    if (!instrument) return command.fail(instrument.error());
    storage::RecordingHead head =
        recording_head(options.name, chosen.value().found, strings.value(), *instrument.value());
    head.begin_s = instrument.value()->keybed().now_s();
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    auto writer = storage::RecordingWriter::start(std::move(*store), head, tap, faults);
    if (!writer) return command.fail(writer.error());
    // Faster than a disk may be: the ring is waited for.
    const auto drain = [&] { writer.value()->flush(); };
    const TakenIn taken =
        take_in(*instrument.value(), core::messages_of(performance), performance.end_s, tap, drain, bar.progress());
    bar.clear();
    if (const auto done = writer.value()->stop(); !done) return command.fail(done.error());
    if (command.json) {
        const nlohmann::ordered_json json = {{"name", options.name},
                                             {"length_s", taken.duration_s},
                                             {"notes", taken.notes},
                                             {"strikes", taken.strikes},
                                             {"silent", taken.silent}};
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}: {:.1f} s, {} notes, {} strikes, {} silent\n", options.name, taken.duration_s, taken.notes,
                   taken.strikes, taken.silent);
    }
    return kDone;
}

}  // namespace

void add_record_import(CommandLine& group, CommandContext& context) {
    const auto options = std::make_shared<ImportOptions>();
    CommandLine* command = add_record_command<ImportOptions>(group, context, "import",
                                                             "Play a MIDI file as if it came live, and record it",
                                                             "song.mid \"Song\" --profile worn", options, import);
    command->add_option("IN.mid", options->midi, "Standard MIDI File, format 0, 1 or 2")->required();
    command->add_option("NAME", options->name, "Of the new recording")->required();
    options->instrument.add_to(*command);
}

}  // namespace letoff::ui
