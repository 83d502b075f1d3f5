// letoff play: the live instrument.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_play(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
