// One key as it is built, before it becomes a lane of a block.
#pragma once

#include "core/string/modal_string.h"
#include "keyboard/action/action.h"
#include "keyboard/action/grand.h"

namespace letoff::keyboard {

/// Its action's numbers and its strings (must outlive the block).
struct KeyBuild {
    GrandValues values = grand_defaults();
    bool damped = true;
    const core::NoteStrings* strings = nullptr;
    int key_index = 0;
    const Action* action = &grand_action();  // of all keys of a block the same
    int register_index = 48;                 // of the key whose numbers the values are; 48: A4, as regulated
    double velocity_out = 0;                 // of an action without a hammer; 0: as fast as its key went
};

}  // namespace letoff::keyboard
