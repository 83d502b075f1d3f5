#include "ui/app/commands/regulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/unit/key_name.h"
#include "core/unit/key_set.h"
#include "storage/atomic_file.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/commands/regulate_report.h"
#include "ui/app/commands/user_files.h"
#include "ui/app/plot/compare_plot.h"
#include "ui/app/plot/regulation_plot.h"
#include "ui/app/profiles/fit_profile.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/progress_bar.h"

namespace letoff::ui {
namespace {

using storage::kWholeInstrument;

struct RegulateOptions {
    ProfileCommand command;
    std::string name, key, note, plot, like;
    std::vector<std::string> changes;
};

/// What was asked, for the history: the screws alone would not tell.
std::string note_of(const RegulateOptions& options, std::span<const RowChange> changes) {
    if (!options.note.empty()) return options.note;
    const auto is_figure = [](const RowChange& change) { return figure_of(*change.row) != nullptr; };
    if (std::none_of(changes.begin(), changes.end(), is_figure)) return {};
    std::string note = options.key + ":";
    for (const std::string& change : options.changes) note += " " + change;
    return note.substr(0, storage::kLongestNote_bytes);
}

core::Result<std::vector<keyboard::CurvePoint>> read_curve(const std::string& file) {
    const auto text = read_csv_file(file, "dip_mm,force_N,branch");
    if (!text) return core::Error{text.error()};
    return keyboard::parse_force_curve(text.value(), file);
}

/// "" or what failed.
std::string draw(const RegulateOptions& options, const std::string& svg) {
    if (options.plot.empty()) return {};
    const auto done = storage::write_file(options.plot, svg);
    return done ? std::string() : done.error();
}

int report(const RegulateOptions& options, int revision, const RegulationReport& regulation,
           std::span<const RowChange> changes, const FitReport* fit = nullptr) {
    if (options.command.json) {
        nlohmann::ordered_json json = regulation_json(options.name, revision, regulation);
        if (fit != nullptr) {
            json["fit"] = {{"key", fit->key_index + 1},
                           {"residual_before_N", fit->fit.rms_before_N},
                           {"residual_after_N", fit->fit.rms_after_N}};
        }
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    print_regulation(options.name, revision, regulation, changes);
    if (fit != nullptr) {
        fmt::print("  left over between {} and the curve: {:.3f} N before, {:.3f} N after (root mean square)\n",
                   core::key_name(fit->key_index), fit->fit.rms_before_N, fit->fit.rms_after_N);
    }
    return kDone;
}

/// --like: as a real key whose force curve was measured.
int make_alike(const RegulateOptions& options, std::vector<int> keys, ProfileLibrary& library) {
    const auto points = read_curve(options.like);
    if (!points) return options.command.fail(points.error());
    const std::string note = options.note.empty() ? fmt::format("{} like {}", options.key, options.like) : options.note;
    FitReport fit;
    const auto saved =
        library.change(options.name, storage::Deleted::kLeftOut, [&](storage::ProfileStore& store, const auto& head) {
            return fit_profile(store, head, keys, points.value(), note, fit);
        });
    if (!fit.fit.refused.empty()) return options.command.fail(fmt::format("'{}': {}", options.like, fit.fit.refused));
    if (!saved) return options.command.fail(saved.error());
    const std::vector<NamedCurve> curves{{"before", fit.fit.before},
                                         {"after", fit.fit.after},
                                         {"measured on the piano", keyboard::gridded(points.value())}};
    const std::string title = fmt::format("{} like {}", core::key_name(fit.key_index), options.like);
    const std::string error = draw(options, compared_curves_svg(curves, title));
    if (!error.empty()) return options.command.fail(error);
    return report(options, saved.value().revision, fit.regulation, {}, &fit);
}

int regulate(const RegulateOptions& options) {
    std::vector<int> keys{kWholeInstrument};
    if (options.key != "all") {
        const auto parsed = core::parse_keys(options.key);
        if (!parsed) return options.command.wrong(fmt::format("{} --key all is the whole instrument.", parsed.error()));
        keys = parsed.value();
        for (int& key : keys) ++key;
    }
    if (options.changes.empty() == options.like.empty()) {
        return options.command.wrong(
            options.like.empty()
                ? "CHANGE is required: what to change, as in let_off_mm=1.6, or else --like with a measured curve"
                : "--like and changes cannot be had in one revision; make two of it");
    }
    std::vector<RowChange> changes;
    for (const std::string& text : options.changes) {
        const auto change = parse_row_change(text, kRegulateRows);
        if (!change) return options.command.wrong(change.error());
        if (change.value().kind == RowChange::Kind::kBase && figure_of(*change.value().row) != nullptr) {
            return options.command.wrong(fmt::format(
                "{} is measured and has no base: ask for a value, or go back with letoff profile undo or restore",
                change.value().row->id));
        }
        changes.push_back(change.value());
    }
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    Regulator regulator(std::move(keys), changes);
    if (!options.like.empty()) return make_alike(options, regulator.key_indices(), *library);
    ProgressBar bar;
    regulator.progress = [&](double share) { bar.show(share, "regulating"); };
    const std::string note = note_of(options, changes);
    const auto saved = library->change(
        options.name, storage::Deleted::kLeftOut,
        [&](storage::ProfileStore& store, const auto& head) { return regulator.apply_to(store, head, note); });
    bar.clear();
    if (!saved) return options.command.fail(saved.error());
    const std::string title = fmt::format("{}: {} regulated", options.name, options.key);
    const std::string error =
        options.plot.empty() ? std::string() : draw(options, regulation_svg(regulator.report(), title));
    if (!error.empty()) return options.command.fail(error);
    return report(options, saved.value().revision, regulator.report(), changes);
}

}  // namespace

void add_regulate(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<RegulateOptions>();
    options->command.title = "regulate";
    CommandLine* command =
        app.add_subcommand("regulate", "Turn values of a touch profile, for one key, several or all");
    command->add_option("PROFILE", options->name, "A profile of your own (letoff profile copy concert NAME)")
        ->required();
    command
        ->add_option("--key", options->key,
                     "A4, 49, midi:60, 1-20, A4,C5, bass, tenor, treble; all is the whole instrument")
        ->required()
        ->option_text("KEYS");
    command->add_option("CHANGE", options->changes, "What to change; letoff profile rows lists the rows and limits")
        ->option_text("ROW=VALUE ...");
    command
        ->add_option(
            "--like", options->like,
            "Instead of changes: make the keys like a real one whose force was measured at 10 mm/s down and up "
            "(columns dip_mm, force_N, down or up); fitted on the middle one of the keys")
        ->option_text("FILE.csv");
    command->add_option("--plot", options->plot, "Draw what was measured before and after")->option_text("FILE.svg");
    add_note_option(*command, options->note);
    add_db_option(*command, options->command.db);
    command->add_flag("--json", options->command.json, "Report as JSON");
    command->footer(
        "ROW=1.6 sets; ROW=+3 and ROW=-3 turn from where it is; ROW:=-3 sets a negative value; ROW=base takes back.\n"
        "A key without a value of its own follows the whole instrument.\n"
        "What a technician measures (let_off_mm, drop_mm, key_dip_mm, blow_mm, down_weight_g ...) is found on each key "
        "by turning its screws; they are what is kept. What the action cannot do is refused with the range that it "
        "can.\n"
        "Example: letoff regulate \"My grand\" --key A4 let_off_mm=1.6 hammer_mass_g=+3 --note \"heavier hammer\"\n"
        "Example: letoff regulate \"My grand\" --key all down_weight_g=50 up_weight_g=24 let_off_mm=1.6 --plot "
        "all.svg");
    command->callback([options, &context] { context.status = regulate(*options); });
}

}  // namespace letoff::ui
