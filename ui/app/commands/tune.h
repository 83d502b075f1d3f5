// letoff tune: the tuning of a profile, looked at or changed.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_tune(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
