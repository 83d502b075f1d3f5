// letoff measure: the technician's bench on one key or all of them.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_measure(CommandLine& app, CommandContext& context);
/// Its subcommand for a piece of felt (measure_felt.cpp).
CommandLine* add_measure_felt(CommandLine& measure, CommandContext& context);

}  // namespace letoff::ui
