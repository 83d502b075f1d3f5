// What a page sends over its WebSocket, one small JSON text each:
//
//   {"t":"on","k":49,"v":80}   a key (1..88) pressed, MIDI velocity 1..127      {"t":"off","k":49,"v":64}   let go
//   {"t":"pedal","p":"sustain","v":127}   sustain, sostenuto, soft; 0..127
//   {"t":"panic"}              {"t":"watch","k":49}   the key to be shown in full; 0: none
//
// Pure; any thread; allocates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace letoff::ui {

struct PageMessage {
    enum class Kind { kOn, kOff, kPedal, kPanic, kWatch };
    Kind kind = Kind::kPanic;
    int key = 0;         // 1..88
    int controller = 0;  // MIDI's, of a pedal
    int value = 0;       // 0..127
};

inline constexpr std::size_t kLongestPageMessage_bytes = 256;

/// Nothing: it is none of these.
std::optional<PageMessage> parse_page_message(std::string_view text);

}  // namespace letoff::ui
