// What all subcommands share. A subcommand is one pair of files here with one function
//   void add_<name>(CommandLine& app, CommandContext& context);
// that adds it with its options and its help, example included, and sets a callback that leaves its exit status in
// context.status. cli.cpp calls each of them once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ui/app/commands/command_line.h"

namespace letoff::ui {

inline constexpr int kDone = 0, kFailed = 1, kWrongUse = 2;

struct CommandContext {
    int status = kDone;
};

/// Each prints one sentence on stderr, "letoff <command>: <sentence>", and returns the exit status to leave.
int failed(std::string_view command, std::string_view sentence);
int wrong_use(std::string_view command, std::string_view sentence);
/// Prints one line on stderr; the work goes on.
void warn(std::string_view command, std::string_view sentence);

/// A subcommand of a group, as `letoff profile list`.
struct GroupCommand {
    std::string title;  // its name in sentences: "profile list"
    bool json = false;

    int fail(std::string_view sentence) const { return failed(title, sentence); }
    int wrong(std::string_view sentence) const { return wrong_use(title, sentence); }
};

/// Adds it with the group's own database option, --json and its example; `Options` has a GroupCommand `command`.
template <typename Options>
CommandLine* add_group_command(CommandLine& group, CommandContext& context, const std::string& name,
                               const std::string& what, const std::string& example,
                               const std::shared_ptr<Options>& options, int (*run)(const Options&),
                               void (*add_database)(CommandLine&, std::string&), std::string& database) {
    CommandLine* command = group.add_subcommand(name, what);
    options->command.title = group.get_name() + " " + name;
    add_database(*command, database);
    command->add_flag("--json", options->command.json, "Report as JSON");
    command->footer("Example: letoff " + group.get_name() + " " + name + (example.empty() ? "" : " ") + example);
    command->callback([options, run, &context] { context.status = run(*options); });
    return command;
}

}  // namespace letoff::ui
