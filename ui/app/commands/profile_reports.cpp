#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "core/unit/key_set.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

using Json = nlohmann::ordered_json;
using storage::kWholeInstrument;
using storage::ProfileValue;

struct RowsOptions {
    ProfileCommand command;
};
struct NameOptions {
    ProfileCommand command;
    std::string name;
};
struct DiffOptions {
    ProfileCommand command;
    std::string a, b;
};

Json place_json(const storage::ProfilePlace& place) {
    Json json;
    json["key"] = place.key == kWholeInstrument ? Json(nullptr) : Json(place.key);
    json["row"] = place.row;
    return json;
}

/// Keys with the same value of the same row on one line.
void print_values(const storage::ProfileValues& values) {
    struct Line {
        ProfileValue value;
        std::vector<int> keys;
    };
    std::map<std::string, std::vector<Line>> of_keys;
    for (const auto& [place, value] : values) {
        if (place.key == kWholeInstrument) {
            fmt::print("  {:<20} {} = {}\n", "whole instrument", place.row, value_text(place.row, value));
            continue;
        }
        std::vector<Line>& lines = of_keys[place.row];
        auto line = lines.begin();
        while (line != lines.end() && !(line->value == value)) ++line;
        if (line == lines.end()) line = lines.insert(line, Line{value, {}});
        line->keys.push_back(place.key - 1);
    }
    for (const auto& [row, lines] : of_keys) {
        for (const Line& line : lines)
            fmt::print("  {:<20} {} = {}\n", core::key_list(line.keys), row, value_text(row, line.value));
    }
}

int show(const NameOptions& options) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    const auto found = library->find(options.name);
    if (!found) return options.command.fail(found.error());
    const storage::Profile& profile = found.value().content;
    const bool factory = !found.value().head;
    if (options.command.json) {
        Json json;
        json["name"] = profile.name;
        json["action"] = profile.action;
        json["notes"] = profile.notes;
        json["factory"] = factory;
        json["deleted"] = !factory && found.value().head->deleted;
        if (!factory) json["revision"] = found.value().revision;
        json["values"] = Json::array();
        for (const auto& [place, value] : profile.values) {
            json["values"].push_back(place_json(place));
            json["values"].back().update(value_json(value));
        }
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    const std::string which = factory ? "factory profile" : fmt::format("revision {}", found.value().revision);
    const bool deleted = !factory && found.value().head->deleted;
    fmt::print("{}: {}{}, action {}\n", profile.name, which, deleted ? ", deleted" : "", profile.action);
    if (!profile.notes.empty()) fmt::print("{}\n", profile.notes);
    if (profile.values.empty()) fmt::print("  as the action is by itself\n");
    print_values(profile.values);
    return kDone;
}

std::string what_happened(const storage::RevisionInfo& revision) {
    std::string text = revision.how;
    if (revision.content_of != 0) text += fmt::format(" to {}", revision.content_of);
    if (revision.how == "renamed") text += fmt::format(" '{}'", revision.name);
    return text;
}

int history(const NameOptions& options) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    const auto head = library->find_own(options.name, storage::Deleted::kToo);
    if (!head) return options.command.fail(head.error());
    const auto revisions = library->store()->history(head.value());
    if (!revisions) return options.command.fail(revisions.error());
    if (options.command.json) {
        Json json;
        json["name"] = head.value().name;
        json["deleted"] = head.value().deleted;
        json["revisions"] = Json::array();
        for (const storage::RevisionInfo& revision : revisions.value()) {
            json["revisions"].push_back({{"revision", revision.number},
                                         {"saved", time_json(revision.saved_unix_s)},
                                         {"how", revision.how},
                                         {"name", revision.name},
                                         {"note", revision.note},
                                         {"changed_values", revision.changed_values}});
            if (revision.content_of != 0) json["revisions"].back()["content_of"] = revision.content_of;
        }
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    fmt::print("{:>8}  {:<23}  {:>6}  {}\n", "revision", "saved", "values", "what");
    for (const storage::RevisionInfo& revision : revisions.value()) {
        fmt::print("{:>8}  {:<23}  {:>6}  {}{}{}\n", revision.number, time_text(revision.saved_unix_s),
                   revision.changed_values, what_happened(revision), revision.note.empty() ? "" : ": ", revision.note);
    }
    return kDone;
}

int diff(const DiffOptions& options) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    const auto a = library->find(options.a), b = library->find(options.b);
    for (const auto* found : {&a, &b}) {
        if (!*found) return options.command.fail(found->error());
    }
    const storage::Profile& before = a.value().content;
    const storage::Profile& after = b.value().content;
    const auto values = storage::difference(before.values, after.values);
    const std::tuple<const char*, const std::string&, const std::string&> texts[] = {
        {"name", before.name, after.name},
        {"action", before.action, after.action},
        {"notes", before.notes, after.notes},
        {"unknown fields", before.extra, after.extra}};
    if (options.command.json) {
        Json json;
        json["texts"] = json["values"] = Json::array();
        for (const auto& [field, old_text, new_text] : texts) {
            if (old_text == new_text) continue;
            json["texts"].push_back({{"field", field}, {"before", old_text}, {"after", new_text}});
        }
        for (const storage::ProfileDifference& change : values) {
            Json entry = place_json(change.place);
            entry["before"] = value_json(change.before);
            entry["after"] = value_json(change.after);
            json["values"].push_back(std::move(entry));
        }
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    bool same = values.empty();
    for (const auto& [field, old_text, new_text] : texts) {
        if (old_text == new_text) continue;
        same = false;
        fmt::print("{}: '{}' -> '{}'\n", field, old_text, new_text);
    }
    for (const storage::ProfileDifference& change : values) {
        fmt::print("{}: {} {} -> {}\n", storage::place_name(change.place.key), change.place.row,
                   value_text(change.place.row, change.before), value_text(change.place.row, change.after));
    }
    if (same) fmt::print("no difference\n");
    return kDone;
}

int rows(const RowsOptions& options) {
    Json json;
    json["rows"] = Json::array();
    for (const auto& table : kRegulateRows) {
        if (!options.command.json && table.data() == keyboard::kFigureRows.data())
            fmt::print("\nMeasured on each key, and had by turning screws (letoff regulate):\n");
        for (const core::Row& row : table) {
            if (options.command.json) {
                json["rows"].push_back({{"id", row.id},
                                        {"unit", row.unit},
                                        {"default", row.default_value},
                                        {"minimum", row.minimum},
                                        {"maximum", row.maximum},
                                        {"sentence", row.sentence}});
                if (!row.choices.empty()) json["rows"].back()["choices"] = row.choices;
            } else if (!row.choices.empty()) {
                fmt::print("{:<30} {:>14} {}\n    {}\n", row.id, core::value_text(row, row.default_value),
                           fmt::join(row.choices, ", "), row.sentence);
            } else {
                fmt::print("{:<30} {:>14} {} to {} {}\n    {}\n", row.id, row.default_value, row.minimum, row.maximum,
                           row.unit, row.sentence);
            }
        }
    }
    if (options.command.json) fmt::print("{}\n", json.dump(2));
    return kDone;
}

}  // namespace

void add_profile_reports(CommandLine& group, CommandContext& context) {
    const auto shown = std::make_shared<NameOptions>();
    add_profile_command<NameOptions>(group, context, "show", "What a profile sets", "\"My grand@3\"", shown, show)
        ->add_option("NAME", shown->name, "A profile, or NAME@3 for its revision 3")
        ->required();
    const auto past = std::make_shared<NameOptions>();
    add_profile_command<NameOptions>(group, context, "history", "All revisions of a profile, deleted or not",
                                     "\"My grand\"", past, history)
        ->add_option("NAME", past->name, "A profile of your own")
        ->required();
    const auto compared = std::make_shared<DiffOptions>();
    CommandLine* command =
        add_profile_command<DiffOptions>(group, context, "diff", "Where two profiles, or two revisions of one, differ",
                                         "\"My grand@3\" \"My grand\"", compared, diff);
    command->add_option("A", compared->a, "A profile, or NAME@3 for its revision 3")->required();
    command->add_option("B", compared->b, "Another")->required();
    const auto known = std::make_shared<RowsOptions>();
    add_profile_command<RowsOptions>(group, context, "rows",
                                     "All values that a profile may set or a key be regulated to, with limits", "",
                                     known, rows);
}

}  // namespace letoff::ui
