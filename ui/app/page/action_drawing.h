// The grand action as the settings page draws it: to scale, from the numbers that move it. Where a felt works, the
// outline is that of the contact (keyboard/action/grand.cpp); the rest of the wood is there for the eye and touches
// nothing.
#pragma once

#include "core/port/instrument_control.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::ui {

core::ActionDrawing draw_action(const keyboard::KeyBuild& key);

}  // namespace letoff::ui
