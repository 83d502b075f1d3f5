// A clock that a test moves, to the microsecond; ticks of 4 kHz.
#pragma once

#include "core/port/clock.h"

namespace letoff::test {

class ManualClock final : public core::Clock {
  public:
    static constexpr std::int64_t kTick_us = 250;
    int tick_hz() const noexcept override { return 4000; }
    std::int64_t now_ticks() const noexcept override { return now_us / kTick_us; }
    double now_s() const noexcept override { return static_cast<double>(now_us) * 1e-6; }
    bool wait_until(std::int64_t) noexcept override { return true; }
    std::int64_t now_us = 0;
};

}  // namespace letoff::test
