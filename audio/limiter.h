// The last thing before the way out: no sample leaves louder than kThreshold, and what stays below passes unchanged to
// the bit. One gain for both sides, so that the image does not move:
//
//   gain |x| > threshold:  gain = threshold / |x| at once;  then the gain holds for kHold_s after the last sample that
//   came near the threshold, and goes back to exactly 1; what is missing to 1 falls by e in kRelease_s.
//
// It looks ahead by nothing. A limiter that does (1 to 5 ms are usual) turns the gain down before a peak instead of on
// its rise, but every sound then comes that much later, and a note is due one tick and one block after its byte
// (design, section 7). What the sudden gain costs is a flattened top of the first half-wave that is too loud; the hold,
// longer than a half-wave of the lowest note, keeps the gain still under the ones that follow.
//
// One thread, real-time safe.
#pragma once

#include <cstdint>
#include <span>

namespace letoff::audio {

class Limiter {
  public:
    static constexpr float kThreshold = 0.98855309F;  // -0.1 dB of full scale: room for a converter's own filter
    static constexpr double kHold_s = 0.02;           // a half-wave of A0 is 18 ms
    static constexpr double kRelease_s = 0.2;         // a fortissimo is over; shorter pumps, longer ducks what follows

    explicit Limiter(int sample_rate_hz) noexcept;

    struct Report {
        float largest = 0;            // size of a sample before limiting; not finite ones left out
        std::int64_t limited = 0;     // samples that came louder than the threshold, each side counted
        std::int64_t not_finite = 0;  // samples that were no number or infinite: they leave as 0
    };
    /// Both sides are of equal length. What was found in them.
    Report process(std::span<float> left, std::span<float> right) noexcept;

    /// 1: nothing is turned down.
    float gain() const noexcept { return 1 - cut_; }

  private:
    float cut_ = 0;  // 1 - gain: so small steps near a gain of 1 do not round to nothing
    float step_;     // share of the cut that is given back in a sample
    int hold_, held_ = 0;
};

}  // namespace letoff::audio
