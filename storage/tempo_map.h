// Ticks of a Standard MIDI File -> seconds, exactly.
//
//   t(tick) = (sum over tempo segments of ticks_i * us_per_quarter_i) / (division * 10^6)          metrical time
//   t(tick) = tick * scale / (frames_per_second * ticks_per_frame)                                 SMPTE time
//
// The sum is kept as an integer and divided once, so a thousand tempo events drift no more than one rounding of the
// last bit. 29 frames per second means 30000/1001 (drop frame; SMPTE ST 12). Source: Standard MIDI Files 1.0 (RP-001).
#pragma once

#include <cstdint>

namespace letoff::storage {

class TempoMap {
  public:
    static constexpr int kDefaultTempo_us = 500000;  // per quarter note, until the file says otherwise (RP-001)

    /// The division word of a header. not valid(): it asks for zero ticks a quarter or frame, or for a frame rate that
    /// SMPTE lacks.
    explicit TempoMap(int division_word);
    bool valid() const { return denominator_ > 0; }

    /// From here on in ticks; ticks never go back. Ignored under SMPTE time, where tempo has no meaning.
    void set_tempo(std::int64_t tick, int us_per_quarter);

    double seconds(std::int64_t tick) const;

    /// A sequence that starts when the earlier one ended (format 2): its tick 0 is `tick` of the earlier one, its tempo
    /// the default.
    void start_sequence(std::int64_t tick);

    /// Whether a tick comes after `time_s`; to be asked before the tick is used otherwise, so that the integer sums
    /// cannot overflow.
    bool later_than(std::int64_t tick, int time_s) const;

  private:
    std::int64_t elapsed(std::int64_t tick) const;

    std::int64_t denominator_ = 0;    // elapsed() in one second
    std::int64_t per_tick_ = 0;       // elapsed() in one tick: us per quarter, or the SMPTE scale
    std::int64_t segment_tick_ = 0;   // the latest tempo event
    std::int64_t segment_start_ = 0;  // elapsed() there
    bool smpte_ = false;
};

}  // namespace letoff::storage
