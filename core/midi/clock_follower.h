// Tempo from MIDI clock (24 a quarter note), whose bytes come through USB and drivers with a jitter of some
// milliseconds: the slope of a straight line through the last kMost of them (least squares). With a jitter of +-4 ms
// (standard deviation 2.3 ms) two beats tell a tempo of 120 a minute within 0.1 %, four within 0.04 %.
//
// A pause, or a last beat that is more than kChange away from what the line says, starts anew: the tempo changed. One
// beat of 24 clocks tells the tempo within 0.35 % (one standard deviation, 120 a minute), so kChange is nine of them.
// No allocation; one thread. Source: MIDI 1.0 Detailed Specification, "System real time".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/midi/message.h"

namespace letoff::core {

class ClockFollower {
  public:
    static constexpr int kPerQuarter = 24;
    static constexpr std::size_t kMost = 96;
    static constexpr double kChange = 0.03;
    static constexpr std::int64_t kPause_ns = 1'000'000'000;  // 2.5 quarters a minute: no music is that slow

    /// Every message of the source, clock or not, at its arrival.
    void see(const MidiMessage& message, std::int64_t time_ns) noexcept;

    /// Quarter notes a minute; none before a beat was heard.
    std::optional<double> tempo_bpm() const noexcept;
    /// Between start or continue, and stop.
    bool running() const noexcept { return running_; }
    /// Quarters since the start; moved by song position (sixteenths).
    double position_quarters() const noexcept { return static_cast<double>(clocks_) / kPerQuarter; }

  private:
    double slope_ns(std::size_t newest) const noexcept;
    void keep_newest(std::size_t count) noexcept;

    std::array<std::int64_t, kMost> times_ns_{};  // oldest first
    std::size_t count_ = 0;
    std::int64_t clocks_ = 0;
    bool running_ = false;
};

}  // namespace letoff::core
