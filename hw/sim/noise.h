// Seeded noise: the same on every machine and compiler.
#pragma once

#include <cstdint>

#include "core/unit/split_mix.h"

namespace letoff::hw {

class Noise {
  public:
    explicit Noise(std::uint64_t seed) : numbers_(seed) {}
    /// 0 <= x < 1.
    double uniform() noexcept { return numbers_.unit(); }
    /// Mean 0, variance 1, within +-3.5: the sum of four uniform ones.
    double normal() noexcept {
        constexpr double kScale = 1.7320508075688772;  // sqrt(12 / 4)
        const double a = uniform(), b = uniform(), c = uniform(), d = uniform();
        return kScale * (a + b + c + d - 2);
    }

  private:
    core::SplitMix numbers_;
};

}  // namespace letoff::hw
