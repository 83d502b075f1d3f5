// A simulated motor array under the real hub, on virtual time: frames and requests go both ways as the protocol has
// them.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "hw/sim/sim_transport.h"
#include "tests/hw/usb/manual_clock.h"

namespace letoff::hw::test {

class SimArray {
  public:
    // Of objects this large the analyzer forgets what their initializers set.
    // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject)
    explicit SimArray(const DeviceSetup& setup, ArrayOptions options = {})
        : hub(std::move(options), clock, faults_), sim(hub, clock, {setup}) {}

    /// Tick by tick of 4 kHz: frames, then what the keybed would do.
    void run(double seconds, const std::function<void()>& tick) {
        for (int i = 0; i < static_cast<int>(seconds * clock.tick_hz()); ++i) {
            clock.now_us += clock.kTick_us;
            sim.round(clock.now_s());
            tick();
        }
    }
    /// The keys push when it returns true.
    bool enable() {
        hub.enable(true);
        const core::KeyForces none;
        for (int i = 0; i < 30; ++i) {
            run(0.1, [&] {
                hub.newest_motion(motion);
                hub.send_forces(none);
            });
            const auto devices = hub.status();
            if (!devices.empty() && devices[0].phase == DeviceSession::Phase::kEnabled) return true;
        }
        return false;
    }

    letoff::test::ManualClock clock;

  private:
    core::FaultCounters faults_;

  public:
    ArrayHub hub;
    SimTransport sim;
    core::KeyMotion motion;
};

}  // namespace letoff::hw::test
