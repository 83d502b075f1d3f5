// An action as the settings page draws it; the upright has a drawing of its own (upright_drawing.h), every other the
// grand's: to scale, from the numbers that move it. Where a felt works, the
// outline is that of the contact (keyboard/action/grand.cpp); the rest of the wood is there for the eye and touches
// nothing.
#pragma once

#include "core/port/instrument_control.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::ui {

core::ActionDrawing draw_action(const keyboard::KeyBuild& key);

}  // namespace letoff::ui
