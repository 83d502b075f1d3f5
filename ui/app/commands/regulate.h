// letoff regulate: turns values of a touch profile, for one key, several, or the whole instrument.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_regulate(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
