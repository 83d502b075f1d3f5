#include "ui/app/commands/tune.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/unit/key_name.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/commands/tuning_options.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/profiles/tuning_values.h"

namespace letoff::ui {
namespace {

struct TuneOptions {
    ProfileCommand command;
    std::string name, note;
    TuningOptions tuning;
};

/// Over equal temperament at A4 = 440 Hz.
double cents_off(double hz, int key_index) {
    return 1200 * std::log2(hz / 440) - 100.0 * (core::midi_note_of_key(key_index) - 69);
}

int show(const TuneOptions& options, const core::StringValues& values) {
    const core::Tuning tuning = core::string_design(values).tuning;
    const core::OfKeys hz = core::tuned_hz(tuning);
    nlohmann::ordered_json json;
    json["profile"] = options.name;
    json["keys"] = nlohmann::ordered_json::array();
    if (!options.command.json) fmt::print("{:<5} {:>11} {:>9}\n", "key", "Hz", "cents");
    for (int key = 0; key < core::kKeyCount; ++key) {
        const auto k = static_cast<std::size_t>(key);
        if (options.command.json) {
            json["keys"].push_back({{"key", key + 1},
                                    {"f1_hz", hz[k]},
                                    {"cents_over_equal_440", cents_off(hz[k], key)},
                                    {"silent", tuning.silent[k]}});
        } else {
            fmt::print("{:<5} {:>11.4f} {:>+9.2f}\n", core::key_name(key), hz[k], cents_off(hz[k], key));
        }
    }
    if (options.command.json) fmt::print("{}\n", json.dump(2));
    return kDone;
}

core::Result<storage::Saved> tuned(storage::ProfileStore& store, const storage::ProfileHead& head,
                                   const TuneOptions& options) {
    auto content = store.load(head);
    if (!content) return core::Error{content.error()};
    const auto before = touch_of(content.value());
    if (!before) return core::Error{before.error()};
    const auto after = options.tuning.applied_to(before.value().strings);
    if (!after) return core::Error{after.error()};
    store_strings(before.value().strings, after.value(), content.value().values);
    if (auto touch = touch_of(content.value()); !touch) return core::Error{touch.error()};
    return store.save(head, content.value(), options.note, "regulated");
}

int tune(const TuneOptions& options) {
    if (const std::string problem = options.tuning.problem(); !problem.empty()) return options.command.wrong(problem);
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    if (!options.tuning.any()) {
        const auto found = library->find(options.name);
        if (!found) return options.command.fail(found.error());
        const auto touch = touch_of(found.value().content);
        if (!touch) return options.command.fail(touch.error());
        return show(options, touch.value().strings);
    }
    const auto saved = library->change(
        options.name, storage::Deleted::kLeftOut,
        [&](storage::ProfileStore& store, const storage::ProfileHead& head) { return tuned(store, head, options); });
    return report_saved(options.command, options.name, saved, "tuned");
}

}  // namespace

void add_tune(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<TuneOptions>();
    options->command.title = "tune";
    CommandLine* command = app.add_subcommand("tune", "Tune a touch profile's piano, or list its 88 pitches");
    command->add_option("PROFILE", options->name, "A profile of your own; one to look at may be a factory's")
        ->required();
    options->tuning.add_to(*command);
    add_note_option(*command, options->note);
    add_db_option(*command, options->command.db);
    command->add_flag("--json", options->command.json, "Report as JSON");
    command->footer(
        "Without any of the tuning's options it lists what the keys are tuned to.\n"
        "Single notes and voicing: letoff regulate PROFILE --key C5 note_cents=+1.5 hammer_hardness=1.3 "
        "note_volume_dB=-2\n"
        "Example: letoff tune \"My grand\" --a4 442 --temperament vallotti --stretch computed");
    command->callback([options, &context] { context.status = tune(*options); });
}

}  // namespace letoff::ui
