// The keybed's contact forces and dampers, read at any place of keybed time (audio/place.h).
//
// A contact force is constant over a grid interval h = 1/96000 s. An interval of sound of nominal length H gets the
// force that carries the same impulse,   F = sum F_i overlap_i / H,   so nothing of a strike is lost where two clocks
// drift, and with equal clocks F is F_i to the bit. One thread (the ring's consumer), real-time safe after
// construction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "audio/live/frame_ring.h"
#include "audio/place.h"
#include "core/event/sound_frame.h"

namespace letoff::audio {

class ForceFeed {
  public:
    /// interval_hz: intervals of sound a second, for which gather() is asked. `ring` must outlive the feed.
    ForceFeed(FrameRing& ring, int tick_hz, int interval_hz);

    /// Looks what has come; ticks of another epoch and such as were already passed are thrown away.
    void refresh(std::uint32_t epoch) noexcept;
    /// Throws away what lies before the place, without waiting for it to be heard; dampers are as they were there.
    void drop_before(Place place) noexcept;
    bool any() const noexcept { return readable_ > 0; }
    /// Up to where the keybed has told.
    Place end() const noexcept { return end_; }
    /// A hammer is on a string in the newest tick.
    bool contact_at_end() const noexcept { return contact_at_end_; }

    /// Moves on from `from` over ticks without a hammer on a string, at most to `to`.
    Place skip_free(Place from, Place to) noexcept;

    /// The forces in the intervals between edges (rising, count + 1 of them); valid until the next call. Ticks that lie
    /// wholly before the last edge are given back to the ring.
    std::span<const core::StringForce> gather(std::span<const Place> edges) noexcept;
    /// Felt compressions at the last edge, straight between the ticks' ends.
    std::span<const double, core::kKeyCount> damper_compression_m() const noexcept { return damper_m_; }
    /// What the actions did to the case in the tick of the last edge.
    const core::CaseForces& case_forces() const noexcept { return case_forces_; }

  private:
    Place begin_of(const TickRecord& tick) const noexcept { return tick.tick * tick_places_; }
    void add_row(const ForceRow& row, Place begin, std::span<const Place> edges) noexcept;
    core::StringForce& force_of(int key_index, int count) noexcept;
    void read_dampers(Place at) noexcept;
    void pop() noexcept;

    FrameRing& ring_;
    Place tick_places_;
    double impulse_scale_;
    std::size_t readable_ = 0;
    static constexpr Place kNowhere = INT64_MIN / 2;  // before every time
    std::uint32_t epoch_ = 0;
    Place end_ = kNowhere;
    Place passed_ = kNowhere;  // end of the last tick that was given back
    bool contact_at_end_ = false;
    std::vector<core::StringForce> forces_;
    std::size_t used_ = 0;
    std::array<int, core::kKeyCount> force_index_{};  // into forces_, -1: none yet
    std::array<double, core::kKeyCount> damper_before_m_{};
    std::array<double, core::kKeyCount> damper_m_{};
    core::CaseForces case_forces_;
};

}  // namespace letoff::audio
