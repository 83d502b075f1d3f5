// What all subcommands share. A subcommand is one pair of files here with one function
//   void add_<name>(CommandLine& app, CommandContext& context);
// that adds it with its options and its help, example included, and sets a callback that leaves its exit status in
// context.status. cli.cpp calls each of them once.
#pragma once

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

}  // namespace letoff::ui
