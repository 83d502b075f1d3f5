#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_keyboard(CLI::App& app, CommandContext& context);

}  // namespace letoff::ui
