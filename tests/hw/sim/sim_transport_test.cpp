#include "hw/sim/sim_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hw/sim/device_numbers.h"

namespace letoff::hw {
namespace {

/// A machine's: time passes while it is asked for, now and then more than a frame's.
class BusyClock final : public core::Clock {
  public:
    int tick_hz() const noexcept override { return 4000; }
    std::int64_t now_ticks() const noexcept override { return static_cast<std::int64_t>(now_s() * tick_hz()); }
    double now_s() const noexcept override {
        constexpr double kShort_s = 2e-6, kLong_s = 1.5e-3;
        now_s_ += random_() % 400 == 0 ? kLong_s : kShort_s;
        return now_s_;
    }
    bool wait_until(std::int64_t tick) noexcept override {
        now_s_ = std::max(now_s_, static_cast<double>(tick) / tick_hz());
        return true;
    }

  private:
    mutable double now_s_ = 0;
    mutable std::mt19937 random_{1};
};

TEST(SimTransport, NoForceIsAnsweredSoonerThanTheDeviceCanSense) {
    BusyClock clock;
    core::FaultCounters faults;
    ArrayHub hub({}, clock, faults);
    SimTransport sim(hub, clock, {DeviceSetup::of(light_lever(), "T1", 1, 8)});
    hub.enable(true);
    for (std::int64_t tick = 1; tick < 3 * clock.tick_hz(); ++tick) {
        clock.wait_until(tick);
        sim.round(clock.now_s());
        hub.send_forces({});
    }
    const auto devices = hub.status();
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].phase, DeviceSession::Phase::kEnabled) << devices[0].why;
    EXPECT_GE(devices[0].round_trip_s, 1e-6 * devices[0].identity.sense_delay_us);
}

}  // namespace
}  // namespace letoff::hw
