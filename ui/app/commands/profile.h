// letoff profile: the touch profiles, their history, and their way in and out as JSON.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_profile(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
