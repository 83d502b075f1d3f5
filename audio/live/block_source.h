// What an audio device asks for its sound.
#pragma once

#include <cstdint>

namespace letoff::audio {

class BlockSource {
  public:
    virtual ~BlockSource() = default;
    /// On the device's real-time thread: fills `frames` samples on each side, full scale 1. request_time_ns: when the
    /// device asked, CLOCK_MONOTONIC.
    virtual void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept = 0;
};

}  // namespace letoff::audio
