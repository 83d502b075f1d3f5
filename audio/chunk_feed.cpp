#include "audio/chunk_feed.h"

#include <algorithm>

#include "audio/modal/string_bank.h"

namespace letoff::audio {
namespace {

constexpr std::uint32_t kEpoch = 1;
constexpr std::size_t kTicks = 16;  // a chunk is told by two ticks, or by one and a bit

}  // namespace

int chunk_samples(int sample_rate_hz, int tick_hz) {
    const int longest = core::kMaxStrikeSamplesPerTick / grid_per_sample(sample_rate_hz);
    return std::clamp(sample_rate_hz / tick_hz, 1, longest);
}

ChunkFeed::ChunkFeed(int sample_rate_hz, int tick_hz)
    : rate_hz_(sample_rate_hz),
      tick_hz_(tick_hz),
      samples_(chunk_samples(sample_rate_hz, tick_hz)),
      grid_per_sample_(grid_per_sample(sample_rate_hz)),
      ring_(core::kStrikeGrid_hz / tick_hz, kTicks, kTicks * core::kKeyCount),
      feed_(ring_, tick_hz, sample_rate_hz * grid_per_sample_) {}

void ChunkFeed::push(const core::SoundFrame& tick) noexcept {
    if (first_tick_ == INT64_MIN) first_tick_ = tick.tick;
    newest_tick_ = tick.tick;
    core::SoundFrame counted = tick;
    counted.tick -= first_tick_;
    (void)ring_.try_push(counted, kEpoch);  // has room: whoever pushes takes every chunk
    feed_.refresh(kEpoch);
}

bool ChunkFeed::take(int samples, core::SoundFrame& chunk) noexcept {
    if (place_of_sample(sample_ + samples, rate_hz_) > feed_.end()) return false;
    const int intervals = samples * grid_per_sample_;
    const std::int64_t first = sample_ * grid_per_sample_;
    for (int i = 0; i <= intervals; ++i)
        edges_[static_cast<std::size_t>(i)] = place_of_sample(first + i, rate_hz_ * grid_per_sample_);
    chunk.tick = newest_tick_;
    chunk.tick_hz = tick_hz_;
    chunk.forces = feed_.gather({edges_.data(), static_cast<std::size_t>(intervals) + 1});
    chunk.damper_compression_m = feed_.damper_compression_m();
    chunk.case_forces = feed_.case_forces();
    sample_ += samples;
    return true;
}

int ChunkFeed::rest(core::SoundFrame& chunk) noexcept {
    if (first_tick_ == INT64_MIN) return 0;
    int samples = samples_ - 1;
    while (samples > 0 && !take(samples, chunk)) --samples;
    return samples;
}

}  // namespace letoff::audio
