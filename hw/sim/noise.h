// Seeded noise: the same on every machine and compiler.
#pragma once

#include <cstdint>

namespace letoff::hw {

class Noise {
  public:
    explicit Noise(std::uint64_t seed) : state_(seed) {}
    /// 0 <= x < 1 (SplitMix64, Steele et al. 2014).
    double uniform() noexcept {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    /// Mean 0, variance 1, within +-3.5: the sum of four uniform ones.
    double normal() noexcept {
        constexpr double kScale = 1.7320508075688772;  // sqrt(12 / 4)
        const double a = uniform(), b = uniform(), c = uniform(), d = uniform();
        return kScale * (a + b + c + d - 2);
    }

  private:
    std::uint64_t state_;
};

}  // namespace letoff::hw
