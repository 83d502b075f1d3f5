// The upright as the settings page draws it: where a felt works, from the contacts of its mechanism; the wood round it
// from its table (keyboard/action/upright_numbers.h), for the eye.
#pragma once

#include "core/port/action_drawing.h"

namespace letoff::ui {

/// Bodies, shapes and contacts; not yet where the key rests.
core::ActionDrawing draw_upright(const core::Mechanism& upright, bool damped);

}  // namespace letoff::ui
