// letoff record: recordings, listed, kept, imported, replayed and exported.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_record(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
