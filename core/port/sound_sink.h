// Where the keybed puts what the strings need, once a tick.
#pragma once

#include "core/event/sound_frame.h"

namespace letoff::core {

class SoundSink {
  public:
    virtual ~SoundSink() = default;
    /// On the keybed's thread, for every tick in order. The frame's spans are valid only during the call.
    virtual void on_tick(const SoundFrame& frame) noexcept = 0;
};

}  // namespace letoff::core
