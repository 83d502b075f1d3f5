// letoff bench: how fast the instrument is on this machine, against the figures it is held to.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_bench(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
