// What the parts of `letoff profile` and `letoff regulate` share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ui/app/commands/command.h"
#include "ui/app/profiles/library.h"

namespace letoff::ui {

/// One `letoff profile` subcommand, or one beside them that works on profiles.
struct ProfileCommand : GroupCommand {
    std::string db;

    /// Opens the library and says its warnings; on failure says why and leaves `status`.
    std::optional<ProfileLibrary> open(ProfileLibrary::Missing missing, int& status) const;
};

void add_db_option(CommandLine& command, std::string& db);
void add_note_option(CommandLine& command, std::string& note);

/// Adds `letoff profile NAME`; `Options` has a ProfileCommand `command`.
template <typename Options>
CommandLine* add_profile_command(CommandLine& group, CommandContext& context, const std::string& name,
                                 const std::string& what, const std::string& example,
                                 const std::shared_ptr<Options>& options, int (*run)(const Options&)) {
    return add_group_command(group, context, name, what, example, options, run, add_db_option, options->command.db);
}

/// "My grand, revision 8: renamed", or as JSON; ends a command that changed something.
int report_saved(const ProfileCommand& command, std::string_view name, const core::Result<storage::Saved>& saved,
                 std::string_view what);

/// "2026-11-27 10:22:01 UTC", and "2026-11-27T10:22:01Z" for JSON.
std::string time_text(std::int64_t unix_s);
std::string time_json(std::int64_t unix_s);

nlohmann::ordered_json value_json(const std::optional<storage::ProfileValue>& value);
/// "44.5 mm", "+0.2 mm", "none"
std::string value_text(std::string_view row, const std::optional<storage::ProfileValue>& value);

void add_profile_list(CommandLine& group, CommandContext& context);     // list
void add_profile_reports(CommandLine& group, CommandContext& context);  // show, history, diff, rows
void add_profile_changes(CommandLine& group,
                         CommandContext& context);  // new, copy, blend, rename, note, delete, restore, undo
void add_profile_exchange(CommandLine& group, CommandContext& context);  // export, import
void add_profile_curves(CommandLine& group, CommandContext& context);    // curves

}  // namespace letoff::ui
