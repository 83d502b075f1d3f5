// An action as the settings page draws it, to scale: the upright has a drawing of its own (upright_drawing.h), every
// other the grand's (grand_drawing.h).
#pragma once

#include "core/port/action_drawing.h"
#include "keyboard/keybed/key_build.h"

namespace letoff::ui {

core::ActionDrawing draw_action(const keyboard::KeyBuild& key);

}  // namespace letoff::ui
