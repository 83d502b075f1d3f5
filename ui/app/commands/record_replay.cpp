#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/simd/target.h"
#include "storage/midi_file.h"
#include "ui/app/build_id.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/commands/record_commands.h"
#include "ui/app/progress_bar.h"
#include "ui/app/recording/play_again.h"
#include "ui/app/recording/take_midi.h"
#include "ui/app/removed_if_killed.h"

namespace letoff::ui {
namespace {

struct ReplayOptions {
    RecordCommand command;
    std::string name;
    ComputeOptions compute;
};

struct ExportOptions {
    RecordCommand command;
    std::string name, file, of = "input", velocity = "88";
    ComputeOptions compute;
};

bool ends_with(std::string_view name, std::string_view ending) {
    return name.size() > ending.size() &&
           std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

/// Says what is to be said; on failure why, and leaves `status`.
std::optional<ReplayReport> played_again(const RecordCommand& command, const storage::Recording& recording,
                                         const ComputeOptions& compute, const std::string& sound_file, int& status) {
    const auto fail = [&](const std::string& sentence) {
        status = command.fail(sentence);
        return std::nullopt;
    };
    if (auto simd = core::choose_simd(compute.simd); !simd) return fail(simd.error());
    ProgressBar bar;
    auto again = play_again(recording, compute.setting_for_use(command.title), sound_file, bar.progress());
    bar.clear();
    if (!again) return fail(again.error());
    for (const std::string& warning : again.value().warnings) warn(command.title, warning);
    return std::move(again.value().report);
}

nlohmann::ordered_json report_json(const storage::Recording& recording, const ReplayReport& report) {
    nlohmann::ordered_json json = {{"name", recording.head.name},
                                   {"duration_s", report.duration_s},
                                   {"same", report.same()},
                                   {"same_build", recording.head.build == build_id()},
                                   {"states", report.states},
                                   {"same_states", report.same_states},
                                   {"strikes", report.strikes},
                                   {"same_strikes", report.same_strikes},
                                   {"extra_strikes", report.extra_strikes},
                                   {"state_hash", fmt::format("{:016x}", report.state_hash)}};
    json["differs_after_s"] = nullptr;
    if (report.differs_after_s) json["differs_after_s"] = *report.differs_after_s;
    return json;
}

std::string verdict(const storage::Recording& recording, const ReplayReport& report) {
    if (report.same()) {
        return fmt::format("the same to the bit: {} states and {} strikes", report.states, report.strikes);
    }
    const std::string since =
        report.differs_after_s ? fmt::format(", differing after {:.0f} s", *report.differs_after_s) : "";
    const bool same_build = recording.head.build == build_id();
    return fmt::format("{} of {} strikes the same to the bit{}{}", report.same_strikes, report.strikes, since,
                       same_build ? "" : "; it was recorded with another build");
}

int replay_recording(const ReplayOptions& options) {
    int status = kDone;
    const auto recording = options.command.load(options.name, status);
    if (!recording) return status;
    const auto report = played_again(options.command, *recording, options.compute, {}, status);
    if (!report) return status;
    if (options.command.json) {
        fmt::print("{}\n", report_json(*recording, *report).dump(2));
    } else {
        fmt::print("{}: {:.1f} s, {}\n", recording->head.name, report->duration_s, verdict(*recording, *report));
    }
    // With another build other bits are no failure; with this one they are.
    if (report->same() || recording->head.build != build_id() || recording->lost > 0) return kDone;
    return options.command.fail(
        fmt::format("'{}' did not come out the same with the build that recorded it", recording->head.name));
}

int export_midi(const ExportOptions& options, const storage::Recording& recording) {
    const core::Performance performance =
        options.of == "hammers" ? struck_performance(recording) : asked_performance(recording);
    const auto messages = core::messages_of(performance, velocity_form(options.velocity));
    if (const auto done = storage::write_midi_file(options.file, messages); !done)
        return options.command.fail(done.error());
    if (options.command.json) {
        const nlohmann::ordered_json json = {{"name", recording.head.name},
                                             {"file", options.file},
                                             {"notes", performance.notes.size()},
                                             {"duration_s", performance.end_s}};
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}: {} notes in {:.1f} s\n", options.file, performance.notes.size(), performance.end_s);
    }
    return kDone;
}

int export_sound(const ExportOptions& options, const storage::Recording& recording) {
    const RemovedIfKilled guard(options.file + ".part");
    int status = kDone;
    const auto report = played_again(options.command, recording, options.compute, options.file, status);
    if (!report) return status;
    if (!report->same()) warn(options.command.title, verdict(recording, *report));
    if (options.command.json) {
        auto json = report_json(recording, *report);
        json["file"] = options.file;
        json["max_abs_sample"] = report->max_abs_sample;
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}: {:.1f} s, {}\n", options.file, report->duration_s, verdict(recording, *report));
    }
    return kDone;
}

int export_recording(const ExportOptions& options) {
    const bool midi = ends_with(options.file, ".mid") || ends_with(options.file, ".midi");
    const bool sound = ends_with(options.file, ".wav") || ends_with(options.file, ".flac");
    if (!midi && !sound) {
        return options.command.wrong(fmt::format(
            "'{}' does not say what it is to be: a name that ends in .mid, .wav or .flac is needed", options.file));
    }
    if (const std::string problem = options.compute.problem(); !problem.empty()) return options.command.wrong(problem);
    int status = kDone;
    const auto recording = options.command.load(options.name, status);
    if (!recording) return status;
    return midi ? export_midi(options, *recording) : export_sound(options, *recording);
}

}  // namespace

void add_record_replay(CommandLine& group, CommandContext& context) {
    const auto again = std::make_shared<ReplayOptions>();
    CommandLine* command = add_record_command<ReplayOptions>(
        group, context, "replay", "Play a recording through the mechanics again, and compare: the same to the bit?",
        "\"Evening\"", again, replay_recording);
    command->add_option("NAME", again->name, "The recording")->required();
    again->compute.add_to(*command);

    const auto out = std::make_shared<ExportOptions>();
    command = add_record_command<ExportOptions>(group, context, "export", "Write a recording as MIDI, WAV or FLAC",
                                                "\"Evening\" -o evening.mid --velocity xp", out, export_recording);
    command->add_option("NAME", out->name, "The recording")->required();
    command->add_option("-o,--output", out->file, "Its ending says what: .mid, .wav or .flac")
        ->required()
        ->option_text("FILE");
    command->add_option("--of", out->of, "For MIDI: what came in, or what the hammers did")
        ->check(one_of("kind", {"input", "hammers"}))
        ->option_text("input|hammers");
    command->add_option("--velocity", out->velocity, std::string(kVelocityForms))
        ->check(one_of("velocity", {"88", "xp", "7"}))
        ->option_text("88|xp|7");
    out->compute.add_to(*command);
    out->compute.add_engine_to(*command);
}

}  // namespace letoff::ui
