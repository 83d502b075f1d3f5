// The host under test in this process: hub, transport, and a keybed that runs beside them.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "hw/usb/usb_transport.h"
#include "tests/hw/usb/sim_keybed.h"
#include "tests/support/wait_for.h"
#include "tests/usb/usb_testbed.h"

namespace letoff::test {

template <typename Condition>
bool eventually(Condition condition) {
    return wait_for(30.0, condition);
}

inline hw::SessionOptions four_samples() {
    hw::SessionOptions options;
    options.samples = 4;
    return options;
}

/// A keybed that runs beside it, and all that listens.
struct UsbHost {
    explicit UsbHost(const UsbTestbed& bed)
        : clock(bed),
          hub({.session = four_samples(), .calibration = {}, .cogging = {}}, clock, faults),
          transport(hub) {
        hub.enable(true);
        EXPECT_TRUE(transport.start().ok());
        keybed = std::thread([this] {
            while (!stop) {
                core::KeyMotion next;
                if (hub.newest_motion(next)) {
                    live = next.live.count();
                    first_dip_m = next.dip_m.front();
                    last_dip_m = next.dip_m.back();
                }
                core::KeyForces forces;
                forces.force_N.fill(force_N);
                hub.send_forces(forces);
                std::this_thread::sleep_for(std::chrono::microseconds(500));
            }
        });
    }
    ~UsbHost() {
        transport.stop();
        stop = true;
        keybed.join();
    }
    UsbHost(const UsbHost&) = delete;
    UsbHost& operator=(const UsbHost&) = delete;

    bool told(hw::ArrayEvent::Kind kind, const std::string& part) {
        for (auto& event : hub.take_events()) events.push_back(std::move(event));
        for (const auto& event : events) {
            if (event.kind == kind && event.sentence.find(part) != std::string::npos) return true;
        }
        return false;
    }
    std::string all_events() {
        for (auto& event : hub.take_events()) events.push_back(std::move(event));
        std::string all;
        for (const auto& event : events) all += event.sentence + "\n";
        return all;
    }
    hw::DeviceReport report() const {
        const auto reports = hub.status();
        return reports.empty() ? hw::DeviceReport{} : reports[0];
    }
    hw::LinkCounts counts() const { return report().counts; }

    UsbTestbedClock clock;
    core::FaultCounters faults;
    hw::ArrayHub hub;
    hw::UsbTransport transport;
    std::atomic<double> force_N{3};
    std::atomic<std::size_t> live{0};
    std::atomic<double> first_dip_m{0}, last_dip_m{0};  // of A0 and C8
    std::atomic<bool> stop{false};
    std::vector<hw::ArrayEvent> events;
    std::thread keybed;
};

/// A bed with a device that plugs in as the test says.
struct UsbBedTest : ::testing::Test {
    bool pushes(SimKeybed& one, double force_N = 3) {
        return eventually([&] { return std::abs(one.force_N(0, bed.now_us()) - force_N) < 0.01; });
    }
    SimKeybed& another(const SimKeybedSetup& setup) { return others.emplace_back(setup); }

    // The bed's thread asks what is plugged in until the bed is gone, so it goes first.
    std::deque<SimKeybed> others;
    SimKeybed device;
    UsbTestbed bed;
};

}  // namespace letoff::test
