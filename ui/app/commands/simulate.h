// letoff simulate: one key driven by a CSV file, everything it does as another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "keyboard/bench/simulate.h"
#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_simulate(CommandLine& app, CommandContext& context);

/// The lines of a file `t_s,value`: a header line may come first; empty lines and lines beginning with # are passed
/// over. The error names the file, the line, what is there and what would be accepted.
core::Result<std::vector<keyboard::PathPoint>> parse_path_csv(std::string_view text, keyboard::DriveMode mode,
                                                              std::string_view file_name);

/// One row a tick; the first row names the columns.
std::string trace_csv(const keyboard::Trace& trace);

}  // namespace letoff::ui
