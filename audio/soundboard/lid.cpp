#include "audio/soundboard/lid.h"

#include <cmath>

#include "core/unit/constants.h"

namespace letoff::audio {

Lid::Lid(double open, int sample_rate_hz)
    : treble_(static_cast<float>(std::pow(10, -kClosed_dB * (1 - open) / 20))),
      low_pass_(static_cast<float>(1 - std::exp(-2 * core::kPi * kShaded_hz / sample_rate_hz))) {}

void Lid::shade(std::span<float> left, std::span<float> right) noexcept {
    if (treble_ == 1) return;
    shade(left, low_left_);
    shade(right, low_right_);
}

void Lid::shade(std::span<float> out, float& low) const noexcept {
    for (float& sample : out) {
        low += low_pass_ * (sample - low);
        sample = low + treble_ * (sample - low);
    }
}

}  // namespace letoff::audio
