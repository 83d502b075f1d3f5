#include "audio/limiter.h"

#include <algorithm>
#include <cmath>

namespace letoff::audio {
namespace {

// 0.001 dB: a cut so small is none, so that what follows is the same bits again.
constexpr float kAsGoodAsNone = 1e-4F;
// The waves of a steady tone are sampled at other places of their tops each time, and a struck one is falling: what
// comes this near to the threshold keeps the gain where it is.
constexpr float kNear = 0.8F;

}  // namespace

Limiter::Limiter(int sample_rate_hz) noexcept
    : step_(static_cast<float>(1 / (kRelease_s * sample_rate_hz))), hold_(static_cast<int>(kHold_s * sample_rate_hz)) {}

Limiter::Report Limiter::process(std::span<float> left, std::span<float> right) noexcept {
    Report report;
    const auto size_of = [&report](float& sample) {
        if (!std::isfinite(sample)) {
            ++report.not_finite;
            sample = 0;
        }
        const float size = std::abs(sample);
        report.limited += size > kThreshold ? 1 : 0;
        return size;
    };
    const std::size_t count = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < count; ++i) {
        const float size = std::max(size_of(left[i]), size_of(right[i]));
        report.largest = std::max(report.largest, size);
        if (size * gain() > kThreshold) cut_ = 1 - kThreshold / size;
        if (cut_ == 0) continue;
        if (size * gain() >= kNear * kThreshold) {
            held_ = hold_;
        } else if (held_ > 0) {
            --held_;
        } else {
            cut_ -= cut_ * step_;
            if (cut_ < kAsGoodAsNone) cut_ = 0;
        }
        // The product may round to just above.
        left[i] = std::clamp(left[i] * gain(), -kThreshold, kThreshold);
        right[i] = std::clamp(right[i] * gain(), -kThreshold, kThreshold);
    }
    return report;
}

}  // namespace letoff::audio
