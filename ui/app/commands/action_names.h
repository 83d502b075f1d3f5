// --action NAME wherever it is taken.
#pragma once

#include <string>

#include "ui/app/commands/command.h"

namespace letoff::ui {

/// Accepts the name of an action that this version has (keyboard/action/action.h).
Check action_name();
/// "grand|two_body|..."
std::string action_choices();

}  // namespace letoff::ui
