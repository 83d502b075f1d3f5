// A keybed's ticks off line, cut anew into chunks of sound: for sample rates that ticks do not hold a whole number of
// samples of. The contact forces keep their impulse, the dampers are taken straight between ticks (ForceFeed). The
// place of every sample is counted from the first tick, never summed. One thread.
#pragma once

#include <array>
#include <cstdint>

#include "audio/live/force_feed.h"
#include "audio/live/frame_ring.h"
#include "core/event/sound_frame.h"

namespace letoff::audio {

/// Samples of a chunk: about a tick, as far as the strings take as many at once.
int chunk_samples(int sample_rate_hz, int tick_hz);

class ChunkFeed {
  public:
    ChunkFeed(int sample_rate_hz, int tick_hz);

    /// One tick after the other. Every chunk that it completes must be taken before the next.
    void push(const core::SoundFrame& tick) noexcept;
    /// The next chunk, if it has been told to its end: valid until the next call. Its number is the newest tick's.
    bool next(core::SoundFrame& chunk) noexcept { return take(samples_, chunk); }
    /// After the last tick: the samples that do not fill a chunk. Returns how many; 0: none.
    int rest(core::SoundFrame& chunk) noexcept;

  private:
    bool take(int samples, core::SoundFrame& chunk) noexcept;

    int rate_hz_, tick_hz_, samples_, grid_per_sample_;
    FrameRing ring_;
    ForceFeed feed_;
    std::int64_t first_tick_ = INT64_MIN, newest_tick_ = 0;
    std::int64_t sample_ = 0;  // the next
    std::array<Place, core::kMaxStrikeSamplesPerTick + 1> edges_{};
};

}  // namespace letoff::audio
