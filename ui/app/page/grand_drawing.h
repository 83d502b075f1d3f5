// The grand as the settings page draws it, and with fewer bodies every action that tells its motion in the grand's
// places: to scale, from the numbers that move it. Where a felt works, the outline is that of the contact
// (keyboard/action/grand.cpp); the rest of the wood is there for the eye and touches nothing.
#pragma once

#include <vector>

#include "core/port/action_drawing.h"
#include "keyboard/keybed/key_build.h"

namespace letoff::ui {

/// Bodies, shapes and contacts; not yet where the key rests. `moves`: of each body, whether the action has it.
core::ActionDrawing draw_grand(const keyboard::KeyBuild& key, const core::Mechanism& mechanism,
                               std::vector<bool> moves);

}  // namespace letoff::ui
