// The way of the keybed's sound frames to the audio thread: fixed-size records, one a tick, and one row of forces for
// each hammer on its strings in that tick. One producer thread (the keybed), one consumer thread (the audio callback);
// neither ever waits or allocates. Dampers in metres of felt compression, forces in newtons on the strike grid.
//
//   Both stores are rings with counts that only grow (core/rt/ring.h); a tick's record names its first row. The
//   producer's release store of head_ publishes the tick with its rows, the consumer's of tail_ gives both back.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/event/sound_frame.h"
#include "core/rt/cache_line.h"

namespace letoff::audio {

struct TickRecord {
    std::int64_t tick = 0;
    std::uint32_t epoch = 0;  // of the time zero that the tick counts from
    int rows = 0;             // hammers on strings
    std::uint64_t first_row = 0;
    core::CaseForces case_forces;
    std::array<double, core::kKeyCount> damper_compression_m{};
};

struct ForceRow {
    int key_index = 0;
    std::span<const float> force_N;  // one value a grid interval of the tick
};

class FrameRing {
  public:
    /// Room for at least this many ticks and hammer-ticks. Allocates.
    FrameRing(int grid_per_tick, std::size_t ticks, std::size_t rows);

    /// Producer. False: full, the frame was not taken.
    bool try_push(const core::SoundFrame& frame, std::uint32_t epoch) noexcept;

    /// Consumer: how many ticks can be read now; they stay until popped.
    std::size_t readable() const noexcept;
    /// Consumer: the i-th of them, 0 the oldest.
    const TickRecord& at(std::size_t i) const noexcept { return ticks_[(tail_count_ + i) & tick_mask_]; }
    ForceRow row(const TickRecord& tick, int i) const noexcept;
    /// Consumer: gives the oldest tick back.
    void pop() noexcept;

  private:
    int grid_per_tick_;
    std::uint64_t tick_mask_, row_mask_;
    std::vector<TickRecord> ticks_;
    std::vector<int> row_key_;
    std::vector<float> row_N_;
    alignas(core::kCacheLine) std::atomic<std::uint64_t> head_{0};
    std::uint64_t rows_written_ = 0;  // producer's
    alignas(core::kCacheLine) std::atomic<std::uint64_t> tail_{0};
    std::atomic<std::uint64_t> rows_freed_{0};
    std::uint64_t tail_count_ = 0;  // consumer's
};

}  // namespace letoff::audio
