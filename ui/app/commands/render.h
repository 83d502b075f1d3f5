// letoff render: a MIDI file through the instrument off line, to a WAV file and, if asked, its events and its strikes.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_render(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
