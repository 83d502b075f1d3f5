// Numbers from a seed, the same on every machine and compiler: SplitMix64 (Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

namespace letoff::core {

inline constexpr std::uint64_t kSplitMixStep = 0x9E3779B97F4A7C15U;

/// The first number of a seed; each of its 64 bits as likely 0 as 1.
constexpr std::uint64_t split_mix(std::uint64_t seed) noexcept {
    std::uint64_t x = seed + kSplitMixStep;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/// 0 <= x < 1, of the upper 53 bits.
constexpr double unit_of(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// One number of a seed after the other.
class SplitMix {
  public:
    explicit SplitMix(std::uint64_t seed) noexcept : state_(seed) {}
    /// 0 <= x < 1.
    double unit() noexcept {
        const std::uint64_t bits = split_mix(state_);
        state_ += kSplitMixStep;
        return unit_of(bits);
    }

  private:
    std::uint64_t state_;
};

}  // namespace letoff::core
