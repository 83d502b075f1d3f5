// A message that came in live, for the thread that plays the keys.
#pragma once

#include <cstdint>

#include "core/midi/message.h"

namespace letoff::core {

struct ArrivedMessage {
    std::int64_t time_ns = 0;  // CLOCK_MONOTONIC when it came, or when it is to act
    MidiMessage message;
};

}  // namespace letoff::core
