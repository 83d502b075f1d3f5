#include "ui/app/commands/render.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "audio/sound_file.h"
#include "core/simd/target.h"
#include "storage/midi_file.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/instrument.h"
#include "ui/app/progress_bar.h"
#include "ui/app/removed_if_killed.h"
#include "ui/app/render_report.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
constexpr const char* kName = "render";

struct RenderOptions {
    std::string midi_in, sound_out, events_out, midi_out;
    InstrumentOptions instrument;
    bool json = false;
};

/// Two options that name one file would overwrite each other, or the piece itself. Empty: all differ.
std::string same_file(const RenderOptions& options) {
    const std::pair<const char*, const std::string*> files[] = {{"IN.mid", &options.midi_in},
                                                                {"-o", &options.sound_out},
                                                                {"--events", &options.events_out},
                                                                {"--midi", &options.midi_out}};
    std::error_code ignored;
    for (std::size_t a = 0; a < std::size(files); ++a) {
        for (std::size_t b = a + 1; b < std::size(files); ++b) {
            if (files[a].second->empty() || files[b].second->empty()) continue;
            if (fs::weakly_canonical(*files[a].second, ignored) != fs::weakly_canonical(*files[b].second, ignored))
                continue;
            return fmt::format("{} and {} both name '{}': each needs a file of its own", files[a].first, files[b].first,
                               *files[a].second);
        }
    }
    return {};
}

/// The files a rendering leaves: all of them, or after a failure none.
class Outputs {
  public:
    /// Opened before the long work, so that a place that cannot be written to is known at once. Returns "" or what
    /// failed.
    std::string open(const RenderOptions& options) {
        std::error_code ignored;
        if (fs::exists(options.sound_out, ignored) && !fs::is_regular_file(options.sound_out, ignored)) {
            return fmt::format("cannot write the sound to '{}': it is not an ordinary file, and a sound file needs one",
                               options.sound_out);
        }
        auto file = audio::SoundFile::create(options.sound_out, options.instrument.setting.sample_rate_hz);
        if (!file) return file.error();
        sound_ = std::make_unique<audio::SoundFile>(std::move(file.value()));
        sound_path_ = options.sound_out;
        sound_guard_.emplace(options.sound_out + ".part");
        if (const std::string error = open_text(options.events_out, events_); !error.empty()) return error;
        return open_text(options.midi_out, midi_);
    }

    audio::SoundFile& sound() { return *sound_; }

    /// Writes what is not sound, then gives all files their names. Returns "" or what failed.
    std::string finish(const PlayedEvents& events, const core::Performance& performance) {
        if (events_) {
            if (auto done = events_->file.write(events_as_json_lines(events)); !done) return done.error();
        }
        if (midi_) {
            const auto messages = core::messages_of(strikes_as_performance(events, performance));
            if (auto done = midi_->file.write(storage::midi_file_bytes(messages)); !done) return done.error();
        }
        if (auto done = sound_->finish(); !done) return done.error();
        named_.push_back(sound_path_);
        for (std::optional<Text>* text : {&events_, &midi_}) {
            if (!*text) continue;
            if (auto done = (*text)->file.commit(); !done) {
                std::error_code ignored;
                for (const fs::path& path : named_) fs::remove(path, ignored);
                return done.error();
            }
            if (fs::is_regular_file((*text)->path)) named_.push_back((*text)->path);
        }
        return {};
    }

  private:
    struct Text {
        storage::AtomicFile file;
        fs::path path;
        RemovedIfKilled guard;
        Text(storage::AtomicFile opened, const std::string& name)
            : file(std::move(opened)), path(name), guard(fs::path(file.path_beside())) {}
    };

    static std::string open_text(const std::string& path, std::optional<Text>& text) {
        if (path.empty()) return {};
        auto file = storage::AtomicFile::create(path);
        if (!file) return file.error();
        // A device is written directly: its name beside is its own, and killing the program must not remove it.
        text.emplace(std::move(file.value()), path);
        return {};
    }

    std::unique_ptr<audio::SoundFile> sound_;
    std::string sound_path_;
    std::optional<RemovedIfKilled> sound_guard_;
    std::optional<Text> events_, midi_;
    std::vector<fs::path> named_;
};

PlayedEvents events_of(const RenderSummary& summary) {
    return {summary.outcomes, summary.extra, summary.releases};
}

double real_time_factor(const RenderSummary& summary) {
    return summary.wall_s > 0 ? summary.duration_s / summary.wall_s : 0;
}

const char* name_of(audio::Engine engine) {
    return engine == audio::Engine::kSample ? "sample" : engine == audio::Engine::kBoth ? "both" : "modal";
}

void print_json(const RenderOptions& options, const core::Performance& performance, const RenderSummary& summary,
                const std::string& soundfont, const StrikeStatistics& statistics) {
    nlohmann::ordered_json json;
    json["duration_s"] = summary.duration_s;
    json["real_time_factor"] = real_time_factor(summary);
    json["notes"] = summary.notes;
    json["strikes"] = summary.strikes;
    json["silent_presses"] = summary.silent_presses;
    json["missed_notes"] = summary.missed_notes;
    json["extra_strikes"] = summary.extra_strikes;
    json["notes_outside_keys"] = performance.notes_outside_keys;
    json["notes_percussion"] = performance.notes_percussion;
    json["max_abs_sample"] = summary.max_abs_sample;
    json["limited_samples"] = summary.limited_samples;
    json["threads"] = summary.threads;
    json["tick_hz"] = summary.tick_hz;
    json["sample_rate_hz"] = options.instrument.setting.sample_rate_hz;
    json["executor"] = options.instrument.setting.executor;
    json["simd"] = core::simd_name();
    json["profile"] = options.instrument.profile.name;
    json["action"] = summary.action;
    json["engine"] = name_of(summary.engine);
    json["soundfont"] = soundfont.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(soundfont);
    json["ordinary_notes"] = statistics.ordinary_notes;
    json["ordinary_within_quarter_ms_share"] = statistics.ordinary_within_quarter_ms_share;
    json["repetitions"] = statistics.repetitions;
    json["missed_ordinary_notes"] = statistics.missed_ordinary;
    json["missed_repetitions"] = statistics.missed_repetitions;
    json["shortened_notes"] = statistics.shortened_notes;
    json["strike_minus_note_ms"] = {{"p50", statistics.strike_minus_note_p50_ms},
                                    {"p99", statistics.strike_minus_note_p99_ms},
                                    {"max", statistics.strike_minus_note_max_ms}};
    json["speed_error_percent"] = {{"p50", statistics.speed_error_p50_percent},
                                   {"p99", statistics.speed_error_p99_percent},
                                   {"max", statistics.speed_error_max_percent}};
    json["faults"] = summary.faults;
    json["not_converged"] = summary.not_converged;
    fmt::print("{}\n", json.dump(2));
}

void print_text(const RenderOptions& options, const RenderSummary& summary, const StrikeStatistics& s) {
    fmt::print("{}: {:.1f} s of sound in {:.1f} s, {:.1f} times real time on {} thread{}; loudest sample {:.3f}\n",
               options.sound_out, summary.duration_s, summary.wall_s, real_time_factor(summary), summary.threads,
               summary.threads == 1 ? "" : "s", summary.max_abs_sample);
    fmt::print("{} notes, {} strikes ({} extra); {} presses stayed silent, {} notes missed, {} of these repetitions\n",
               summary.notes, summary.strikes, summary.extra_strikes, summary.silent_presses, summary.missed_notes,
               s.missed_repetitions);
    fmt::print(
        "{} ordinary notes: {:.2f} % struck within 0.25 ms, 99 % within {:.3f} ms and {:.2f} % of the speed asked for; "
        "{} shortened\n",
        s.ordinary_notes, 100 * s.ordinary_within_quarter_ms_share, s.strike_minus_note_p99_ms,
        s.speed_error_p99_percent, s.shortened_notes);
    if (summary.limited_samples > 0) {
        warn(kName, fmt::format("{} samples came louder than full scale; the limiter turned the sound down",
                                summary.limited_samples));
    }
}

/// What of the file is not a piano's.
void warn_of(const std::string& file, const core::Performance& performance) {
    if (performance.notes.empty()) warn(kName, fmt::format("'{}' has no note that a piano can play", file));
    if (performance.notes_outside_keys > 0)
        warn(kName, fmt::format("'{}' has notes beyond the 88 keys A0 to C8, which are left out: {}", file,
                                performance.notes_outside_keys));
    if (performance.notes_percussion > 0)
        warn(kName, fmt::format("'{}' has notes on channel 10, General MIDI's drums, which a piano plays here: {}",
                                file, performance.notes_percussion));
}

int render(const RenderOptions& options) {
    if (const std::string problem = same_file(options); !problem.empty()) return wrong_use(kName, problem);
    if (const std::string problem = options.instrument.problem(); !problem.empty()) return wrong_use(kName, problem);
    if (auto simd = core::choose_simd(options.instrument.simd); !simd) return failed(kName, simd.error());
    const auto file = storage::read_midi_file(options.midi_in);
    if (!file) return failed(kName, file.error());
    for (const std::string& warning : file.value().warnings) warn(kName, warning);
    const core::Performance performance = core::performance_of(file.value().messages, file.value().end_s);
    warn_of(options.midi_in, performance);
    const auto touch = options.instrument.profile.touch(kName);
    if (!touch) return failed(kName, touch.error());
    const auto setting = options.instrument.setting_for_use(kName, touch.value());
    if (!setting) return failed(kName, setting.error());
    Outputs outputs;
    if (const std::string error = outputs.open(options); !error.empty()) return failed(kName, error);
    if (const std::string error = outputs.sound().refusal(performance.end_s); !error.empty())
        return failed(kName, error);
    ProgressBar bar;
    auto instrument = Instrument::create(setting.value(), bar.progress());
    bar.clear();
    if (!instrument) return failed(kName, instrument.error());
    for (const std::string& warning : instrument.value()->warnings()) warn(kName, warning);
    std::string soundfont;
    if (setting.value().engine != audio::Engine::kModal) {
        auto loaded = instrument.value()->load_samples();
        if (loaded) {
            soundfont = loaded.value();
        } else {
            warn(kName, loaded.error() + std::string(without_samples(*setting.value().touch.action)));
        }
    }
    if (auto room = instrument.value()->load_room(); !room) warn(kName, room.error() + std::string(kWithoutRoom));
    const auto to_file = [&](std::span<const float> left, std::span<const float> right) {
        outputs.sound().write(left, right);
    };
    const RenderSummary summary = instrument.value()->render(performance, to_file, bar.progress());
    bar.clear();
    if (const std::string error = outputs.finish(events_of(summary), performance); !error.empty())
        return failed(kName, error);
    const StrikeStatistics statistics = strike_statistics(summary.outcomes);
    options.json ? print_json(options, performance, summary, soundfont, statistics)
                 : print_text(options, summary, statistics);
    return kDone;
}

}  // namespace

void add_render(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<RenderOptions>();
    CommandLine* command =
        app.add_subcommand(kName, "Play a MIDI file through the 88 actions to a WAV or FLAC file, off line");
    command->add_option("IN.mid", options->midi_in, "Standard MIDI File, format 0, 1 or 2")->required();
    command
        ->add_option("-o,--output", options->sound_out,
                     "The sound, stereo, 24 bit: WAV, or FLAC where the name ends in .flac")
        ->required()
        ->option_text("OUT.wav");
    command->add_option("--events", options->events_out, "One JSON line a note: when and how fast its hammer struck")
        ->option_text("OUT.jsonl");
    command->add_option("--midi", options->midi_out, "What the hammers did as a MIDI file, velocities with 14 bits")
        ->option_text("OUT.mid");
    options->instrument.add_engine_to(*command);
    options->instrument.add_to(*command);
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer("Example: letoff render song.mid -o song.wav --events song.jsonl --json");
    command->callback([options, &context] { context.status = render(*options); });
}

}  // namespace letoff::ui
