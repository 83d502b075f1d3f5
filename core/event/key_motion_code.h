// The motion of a real key in 32 bits: what of it a keybed is given, and a recording keeps, so that both are the same
// to the bit.
//
//   dip in whole um, +-32.767 mm            a step adds 0.3 um rms to the 2 um of a sensor's own noise
//   speed in steps of 0.2 mm/s, +-6.55 m/s  a step adds 0.06 mm/s rms to a coil's 0.2
//
// What is beyond is at the end of its range, which is no motion of a key (HapticKey::kDeepest_m, kFastest_mps); what is
// no number stays none. Real-time safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace letoff::core {

struct KeyMotionCode {
    static constexpr double kDip_m = 1e-6, kSpeed_mps = 0.2e-3;  // a step

    std::int16_t dip = 0, speed = 0;

    friend bool operator==(const KeyMotionCode&, const KeyMotionCode&) = default;

    static KeyMotionCode of(double dip_m, double speed_mps) noexcept {
        return {steps(dip_m / kDip_m), steps(speed_mps / kSpeed_mps)};
    }
    double dip_m() const noexcept { return value(dip, kDip_m); }
    double speed_mps() const noexcept { return value(speed, kSpeed_mps); }

    std::uint32_t bits() const noexcept {
        return static_cast<std::uint32_t>(static_cast<std::uint16_t>(dip)) |
               static_cast<std::uint32_t>(static_cast<std::uint16_t>(speed)) << 16;
    }
    static KeyMotionCode of_bits(std::uint64_t bits) noexcept {
        return {static_cast<std::int16_t>(static_cast<std::uint16_t>(bits & 0xFFFFU)),
                static_cast<std::int16_t>(static_cast<std::uint16_t>(bits >> 16 & 0xFFFFU))};
    }

  private:
    static constexpr std::int16_t kMost = std::numeric_limits<std::int16_t>::max();
    static constexpr std::int16_t kNoNumber = std::numeric_limits<std::int16_t>::min();

    static std::int16_t steps(double wanted) noexcept {
        if (wanted != wanted) return kNoNumber;
        const double near = std::clamp<double>(wanted, -kMost, kMost);
        return static_cast<std::int16_t>(near + (near < 0 ? -0.5 : 0.5));
    }
    static double value(std::int16_t steps, double step) noexcept {
        return steps == kNoNumber ? std::numeric_limits<double>::quiet_NaN() : steps * step;
    }
};

}  // namespace letoff::core
