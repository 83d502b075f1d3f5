// Where the keybed reports strikes and releases: MIDI out, the recording, the events of a rendering.
#pragma once

#include "core/event/strike.h"

namespace letoff::core {

class StrikeSink {
  public:
    virtual ~StrikeSink() = default;
    /// On the keybed's thread, in the order of ticks; within a tick in the order of keys.
    virtual void on_strike(const Strike& strike) noexcept = 0;
    /// The key met the front rail: for a soft stroke that is after its strike.
    virtual void on_key_bottom(int key_index, double time_s) noexcept = 0;
    virtual void on_release(const Release& release) noexcept = 0;
};

}  // namespace letoff::core
