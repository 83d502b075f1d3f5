// The keys as every part of the program builds them: register values, damper and strings, for whatever action the touch
// has.
#pragma once

#include <vector>

#include "keyboard/action/registers.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

/// Keys first .. first + count - 1; `strings` has to outlive what is built from them.
std::vector<KeyBuild> grand_keys(const core::StringSet& strings, int first = 0, int count = core::kKeyCount,
                                 const GrandTouch& touch = {});

}  // namespace letoff::keyboard
