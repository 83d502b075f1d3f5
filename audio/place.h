// Places in keybed time, as the sound counts them: in 2^-20 of a strike-grid interval (10 ps). Whole numbers, so that
// steps that fit the grid are exact.
#pragma once

#include <cstdint>

#include "core/unit/constants.h"

namespace letoff::audio {

using Place = std::int64_t;
inline constexpr Place kPlacePerGrid = Place{1} << 20;
inline constexpr Place kPlacePerSecond = kPlacePerGrid * core::kStrikeGrid_hz;

/// Where sample n begins, counted from sample 0; n >= 0. In two steps: the product would not fit after a few minutes.
constexpr Place place_of_sample(std::int64_t n, int rate_hz) noexcept {
    return n / rate_hz * kPlacePerSecond + n % rate_hz * kPlacePerSecond / rate_hz;
}
/// The first sample that begins there or later; place >= 0.
constexpr std::int64_t sample_at(Place place, int rate_hz) noexcept {
    const Place rest = place % kPlacePerSecond * rate_hz;
    return place / kPlacePerSecond * rate_hz + (rest + kPlacePerSecond - 1) / kPlacePerSecond;
}
/// seconds: within some hours of 0.
constexpr Place place_of_time(double seconds) noexcept {
    const double place = seconds * static_cast<double>(kPlacePerSecond);
    return static_cast<Place>(place < 0 ? place - 0.5 : place + 0.5);
}

}  // namespace letoff::audio
