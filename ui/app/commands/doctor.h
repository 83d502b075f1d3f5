// `letoff doctor`: what the instrument needs from this machine, what is missing, and how to put it right.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_doctor(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
