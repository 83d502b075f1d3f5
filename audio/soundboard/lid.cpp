#include "audio/soundboard/lid.h"

#include <cmath>

#include "core/unit/constants.h"

namespace letoff::audio {

Lid::Lid(double open, int sample_rate_hz) : treble_(static_cast<float>(std::pow(10, -kClosed_dB * (1 - open) / 20))) {
    const double turn = std::tan(core::kPi * kShaded_hz / sample_rate_hz);
    share_ = static_cast<float>(turn / (1 + turn));
}

void Lid::shade(std::span<float> left, std::span<float> right) noexcept {
    if (treble_ == 1) return;
    shade(left, left_);
    shade(right, right_);
}

void Lid::shade(std::span<float> out, LowPass& low) const noexcept {
    for (float& sample : out) {
        low.out += share_ * (sample + low.in - 2 * low.out);
        low.in = sample;
        sample = low.out + treble_ * (sample - low.out);
    }
}

}  // namespace letoff::audio
