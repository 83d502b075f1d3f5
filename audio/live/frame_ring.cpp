#include "audio/live/frame_ring.h"

#include <algorithm>
#include <bit>

namespace letoff::audio {

FrameRing::FrameRing(int grid_per_tick, std::size_t ticks, std::size_t rows)
    : grid_per_tick_(grid_per_tick),
      tick_mask_(std::bit_ceil(ticks) - 1),
      row_mask_(std::bit_ceil(rows) - 1),
      ticks_(tick_mask_ + 1),
      row_key_(row_mask_ + 1),
      row_N_((row_mask_ + 1) * static_cast<std::size_t>(grid_per_tick)) {}

bool FrameRing::try_push(const core::SoundFrame& frame, std::uint32_t epoch) noexcept {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) > tick_mask_) return false;
    const std::size_t rows = frame.forces.size();
    if (rows_written_ + rows - rows_freed_.load(std::memory_order_acquire) > row_mask_ + 1) return false;
    TickRecord& tick = ticks_[head & tick_mask_];
    tick.tick = frame.tick;
    tick.epoch = epoch;
    tick.rows = static_cast<int>(rows);
    tick.first_row = rows_written_;
    tick.case_forces = frame.case_forces;
    std::copy(frame.damper_compression_m.begin(), frame.damper_compression_m.end(), tick.damper_compression_m.begin());
    for (const core::StringForce& force : frame.forces) {
        const std::size_t row = rows_written_++ & row_mask_;
        row_key_[row] = force.key_index;
        float* out = row_N_.data() + row * static_cast<std::size_t>(grid_per_tick_);
        const int count = std::clamp(force.count, 0, grid_per_tick_);
        for (int i = 0; i < count; ++i) out[i] = static_cast<float>(force.force_N[static_cast<std::size_t>(i)]);
        std::fill(out + count, out + grid_per_tick_, 0.0F);
    }
    head_.store(head + 1, std::memory_order_release);
    return true;
}

std::size_t FrameRing::readable() const noexcept {
    return head_.load(std::memory_order_acquire) - tail_count_;
}

ForceRow FrameRing::row(const TickRecord& tick, int i) const noexcept {
    const std::size_t row = (tick.first_row + static_cast<std::uint64_t>(i)) & row_mask_;
    const auto grid = static_cast<std::size_t>(grid_per_tick_);
    return {row_key_[row], {row_N_.data() + row * grid, grid}};
}

void FrameRing::pop() noexcept {
    const TickRecord& tick = at(0);
    rows_freed_.store(tick.first_row + static_cast<std::uint64_t>(tick.rows), std::memory_order_release);
    tail_.store(++tail_count_, std::memory_order_release);
}

}  // namespace letoff::audio
