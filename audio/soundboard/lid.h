// The lid of a grand: open it throws the treble to the audience, closed it keeps much of it in. A shelf: what lies
// above about kShaded_hz is taken down by up to kClosed_dB, evenly in dB with the opening; what lies below goes round
// the lid whatever its place (a board of 1.5 m, wavelengths beyond 0.3 m). One thread; real-time safe.
#pragma once

#include <span>

namespace letoff::audio {

class Lid {
  public:
    static constexpr double kShaded_hz = 1000;
    static constexpr double kClosed_dB = 8;  // chosen, as a listener in front of the instrument has it

    /// `open`: 0 closed to 1 on its long prop, where the sound stays as it is to the bit.
    Lid(double open, int sample_rate_hz);

    void shade(std::span<float> left, std::span<float> right) noexcept;
    void silence() noexcept { left_ = right_ = {}; }

  private:
    struct LowPass {
        float in = 0, out = 0;
    };
    void shade(std::span<float> out, LowPass& low) const noexcept;

    float treble_;  // what is left of it
    float share_;   // of the low-pass's input, this sample's and the last one's
    LowPass left_, right_;
};

}  // namespace letoff::audio
