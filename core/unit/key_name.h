// Keys as people write them: the number 1..88 (A0 = 1), a name (A0, C#4, Bb3; C4 is middle C, MIDI 60) or midi:60.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::core {

/// The key index 0..87. Letters in either case; any sharp or flat that lands on the keyboard (Cb4 is B3).
Result<int> parse_key(std::string_view text);

/// The name with a sharp where the key is black: "A0", "C#4". The index must be 0..87.
std::string key_name(int key_index);

}  // namespace letoff::core
