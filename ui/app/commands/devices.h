// letoff devices: what sound and MIDI this machine has, and why a thing cannot be used.
#pragma once

#include "ui/app/commands/command.h"

namespace letoff::ui {

void add_devices(CommandLine& app, CommandContext& context);

}  // namespace letoff::ui
