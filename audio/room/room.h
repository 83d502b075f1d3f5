// The user's room or cabinet behind the instrument: each side is convolved with its response (audio/room/convolver.h),
// and a share of the sound is that.
//
// One thread; process() is real-time safe.
#pragma once

#include <cstdint>
#include <span>

#include "audio/room/convolver.h"
#include "audio/room/room_response.h"

namespace letoff::audio {

class Room {
  public:
    /// wet: 0 dry .. 1 the room alone. Set-up: allocates, and resamples a response of another rate.
    Room(const RoomResponse& response, double wet, int sample_rate_hz);

    /// Both sides of equal length. What is not finite goes in as silence; returns how many samples that were.
    std::int64_t process(std::span<float> left, std::span<float> right) noexcept;
    void silence() noexcept;
    void set_share(double wet) noexcept {
        dry_ = static_cast<float>(1 - wet);
        wet_ = static_cast<float>(wet);
    }

  private:
    Room(const RoomResponse& at_rate, double wet);
    std::int64_t add(Convolver& convolver, std::span<float> side) noexcept;

    float dry_, wet_;
    Convolver left_, right_;
};

}  // namespace letoff::audio
