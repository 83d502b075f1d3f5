#include "audio/room/room.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace letoff::audio {

Room::Room(const RoomResponse& response, double wet, int sample_rate_hz)
    : Room(at_rate(response, sample_rate_hz), wet) {}

Room::Room(const RoomResponse& response, double wet)
    : dry_(static_cast<float>(1 - wet)),
      wet_(static_cast<float>(wet)),
      left_(response.left, Convolver::part_samples(response.rate_hz)),
      right_(response.right, Convolver::part_samples(response.rate_hz)) {}

std::int64_t Room::add(Convolver& convolver, std::span<float> side) noexcept {
    std::int64_t not_finite = 0;
    std::array<float, 64> wet;
    for (std::size_t done = 0; done < side.size(); done += wet.size()) {
        const std::span<float> part = side.subspan(done, std::min(wet.size(), side.size() - done));
        for (float& sample : part) {
            if (std::isfinite(sample)) continue;
            sample = 0;
            ++not_finite;
        }
        convolver.process(part, std::span(wet).first(part.size()));
        for (std::size_t i = 0; i < part.size(); ++i) part[i] = dry_ * part[i] + wet_ * wet[i];
    }
    return not_finite;
}

std::int64_t Room::process(std::span<float> left, std::span<float> right) noexcept {
    return add(left_, left) + add(right_, right);
}

void Room::silence() noexcept {
    left_.silence();
    right_.silence();
}

}  // namespace letoff::audio
