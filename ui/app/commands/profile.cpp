#include "ui/app/commands/profile.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "ui/app/commands/profile_commands.h"
#include "ui/app/profiles/row_change.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {

std::optional<ProfileLibrary> ProfileCommand::open(ProfileLibrary::Missing missing, int& status) const {
    auto library = ProfileLibrary::open(db, missing);
    if (!library) {
        status = fail(library.error());
        return std::nullopt;
    }
    for (const std::string& warning : library.value().warnings()) warn(title, warning);
    return std::move(library.value());
}

void add_db_option(CommandLine& command, std::string& db) {
    command.add_option("--db", db, "The database of touch profiles instead of your own")->option_text("FILE");
}

void add_note_option(CommandLine& command, std::string& note) {
    command.add_option("--note", note, "Why, for the history")->option_text("TEXT");
}

int report_saved(const ProfileCommand& command, std::string_view name, const core::Result<storage::Saved>& saved,
                 std::string_view what) {
    if (!saved) return command.fail(saved.error());
    const storage::Saved& done = saved.value();
    if (done.conflict) {
        return command.fail(
            fmt::format("'{}' was changed by another program, which made revision {}: nothing was "
                        "saved",
                        name, done.revision));
    }
    if (command.json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"name", name}, {"revision", done.revision}}.dump(2));
    } else {
        fmt::print("{}, revision {}: {}\n", name, done.revision, what);
    }
    return kDone;
}

std::string time_text(std::int64_t unix_s) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

std::string time_json(std::int64_t unix_s) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

nlohmann::ordered_json value_json(const std::optional<storage::ProfileValue>& value) {
    if (!value) return nullptr;
    return {{"value", value->value}, {"relative", value->relative}};
}

std::string value_text(std::string_view row, const std::optional<storage::ProfileValue>& value) {
    if (!value) return "none";
    const core::Row* known = core::find(kProfileRows, row);
    const std::string_view unit = known == nullptr ? "" : known->unit;
    const std::string number = number_text(row, *value);
    return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

void add_profile(CommandLine& app, CommandContext& context) {
    CommandLine* group = app.add_subcommand("profile", "Touch profiles: keep, compare, give away, bring back");
    group->require_subcommand();
    add_profile_list(*group, context);
    add_profile_reports(*group, context);
    add_profile_changes(*group, context);
    add_profile_exchange(*group, context);
    add_profile_curves(*group, context);
    group->footer(
        "A profile is an action and what differs from its rows, for the whole instrument or single keys. Every change\n"
        "is a revision: NAME@3 is revision 3 of NAME. Help for one: letoff profile show --help\n"
        "Example: letoff profile copy concert \"My grand\"");
}

}  // namespace letoff::ui
