#include "ui/app/commands/regulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/unit/key_set.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/profiles/row_change.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

using Json = nlohmann::ordered_json;
using storage::kWholeInstrument;

struct RegulateOptions {
    ProfileCommand command{.title = "regulate", .db = {}};
    std::string name, key, note;
    std::vector<std::string> changes;
};

/// What a place has of a row, before and after.
struct Turned {
    int key;  // or kWholeInstrument
    const core::Row* row;
    double before, after;
};

double value_of(const Touch& touch, int key, const core::Row& row) {
    const auto value = key == kWholeInstrument ? whole_value(touch, row.id) : value_at(touch, key - 1, row.id);
    return value.value_or(row.default_value);
}

class Regulation {
  public:
    Regulation(std::vector<int> keys, std::vector<RowChange> changes)
        : keys_(std::move(keys)), changes_(std::move(changes)) {}

    core::Result<storage::Saved> apply_to(storage::ProfileStore& store, const storage::ProfileHead& head,
                                          std::string_view note) {
        auto content = store.load(head);
        if (!content) return core::Error{content.error()};
        const auto before = touch_of(content.value());
        if (!before) return core::Error{before.error()};
        const storage::ProfileValues values_before = content.value().values;
        for (const int key : keys_) {
            for (const RowChange& change : changes_) apply(change, key, content.value().values);
        }
        if (content.value().values == values_before) {
            return core::Error{fmt::format("'{}' has these values already: nothing was saved", head.name)};
        }
        const auto after = touch_of(content.value());
        if (!after) return core::Error{after.error()};
        turned_.clear();
        for (const int key : keys_) {
            for (const RowChange& change : changes_) {
                turned_.push_back({key, change.row, value_of(before.value(), key, *change.row),
                                   value_of(after.value(), key, *change.row)});
            }
        }
        count_own_values(content.value().values);
        return store.save(head, content.value(), note, "regulated");
    }

    const std::vector<Turned>& turned() const { return turned_; }
    /// Keys that have a value of their own where the whole instrument was set: they go on having it.
    const std::vector<int>& keys_with_own_values() const { return own_; }

  private:
    void count_own_values(const storage::ProfileValues& values) {
        own_.clear();
        if (keys_ != std::vector{kWholeInstrument}) return;
        for (const auto& [place, value] : values) {
            if (place.key == kWholeInstrument || value.relative) continue;
            const auto of_row = [&](const RowChange& change) { return change.row->id == place.row; };
            if (std::none_of(changes_.begin(), changes_.end(), of_row)) continue;
            if (own_.empty() || own_.back() != place.key - 1) own_.push_back(place.key - 1);
        }
    }

    std::vector<int> keys_;
    std::vector<RowChange> changes_;
    std::vector<Turned> turned_;
    std::vector<int> own_;
};

void print_text(std::string_view name, int revision, const Regulation& regulation) {
    fmt::print("{}, revision {}\n", name, revision);
    constexpr std::size_t kMostLines = 24;
    const std::vector<Turned>& turned = regulation.turned();
    for (std::size_t i = 0; i < std::min(turned.size(), kMostLines); ++i) {
        const Turned& t = turned[i];
        fmt::print("  {:<17} {}: {:.6g} -> {:.6g} {}\n", storage::place_name(t.key), t.row->id, t.before, t.after,
                   t.row->unit);
    }
    if (turned.size() > kMostLines) fmt::print("  and {} more\n", turned.size() - kMostLines);
    if (const auto& own = regulation.keys_with_own_values(); !own.empty())
        fmt::print("  {} keep the values of their own\n", core::key_list(own));
}

void print_json(std::string_view name, int revision, const Regulation& regulation) {
    Json json;
    json["name"] = name;
    json["revision"] = revision;
    json["changes"] = Json::array();
    for (const Turned& t : regulation.turned()) {
        json["changes"].push_back({{"key", t.key == kWholeInstrument ? Json(nullptr) : Json(t.key)},
                                   {"row", t.row->id},
                                   {"unit", t.row->unit},
                                   {"before", t.before},
                                   {"after", t.after}});
    }
    fmt::print("{}\n", json.dump(2));
}

int regulate(const RegulateOptions& options) {
    std::vector<int> keys{kWholeInstrument};
    if (options.key != "all") {
        const auto parsed = core::parse_keys(options.key);
        if (!parsed) return options.command.wrong(fmt::format("{} --key all is the whole instrument.", parsed.error()));
        keys = parsed.value();
        for (int& key : keys) ++key;
    }
    std::vector<RowChange> changes;
    for (const std::string& text : options.changes) {
        const auto change = parse_row_change(text, kProfileRows);
        if (!change) return options.command.wrong(change.error());
        changes.push_back(change.value());
    }
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    Regulation regulation(std::move(keys), std::move(changes));
    const auto saved = library->change(
        options.name, storage::Deleted::kLeftOut,
        [&](storage::ProfileStore& store, const auto& head) { return regulation.apply_to(store, head, options.note); });
    if (!saved) return options.command.fail(saved.error());
    options.command.json ? print_json(options.name, saved.value().revision, regulation)
                         : print_text(options.name, saved.value().revision, regulation);
    return kDone;
}

}  // namespace

void add_regulate(CLI::App& app, CommandContext& context) {
    const auto options = std::make_shared<RegulateOptions>();
    CLI::App* command = app.add_subcommand("regulate", "Turn values of a touch profile, for one key, several or all");
    command->add_option("PROFILE", options->name, "A profile of your own (letoff profile copy concert NAME)")
        ->required();
    command
        ->add_option("--key", options->key,
                     "A4, 49, midi:60, 1-20, A4,C5, bass, tenor, treble; all is the whole instrument")
        ->required()
        ->option_text("KEYS");
    command->add_option("CHANGE", options->changes, "What to change; letoff profile rows lists the rows and limits")
        ->required()
        ->option_text("ROW=VALUE ...");
    add_note_option(*command, options->note);
    add_db_option(*command, options->command.db);
    command->add_flag("--json", options->command.json, "Report as JSON");
    command->footer(
        "ROW=1.6 sets; ROW=+3 and ROW=-3 turn from where it is; ROW:=-3 sets a negative value; ROW=base takes back.\n"
        "A key without a value of its own follows the whole instrument.\n"
        "Example: letoff regulate \"My grand\" --key A4 hammer_mass_kg=+0.003 --note \"heavier hammer\"");
    command->callback([options, &context] { context.status = regulate(*options); });
}

}  // namespace letoff::ui
