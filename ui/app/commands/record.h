#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_record(CLI::App& app, CommandContext& context);

}  // namespace letoff::ui
