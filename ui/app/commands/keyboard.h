// letoff keyboard: what is known of foreign MIDI keyboards, learnt and put right.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_keyboard(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
