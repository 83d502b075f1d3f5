// A device that is ill, or a host that is killed or stands still, through real libusb: the device is the firmware of
// hw/sim, which was written from PROTOCOL.md alone, and what it does is judged by its own clock.
#include <gtest/gtest.h>

#include <cerrno>

#include "hw/sim/sim_finger.h"
#include "tests/usb/host_process.h"
#include "tests/usb/usb_host.h"

namespace letoff::hw {
namespace {

using test::eventually;
using test::HostProcess;
using test::SimKeybed;
using Host = test::UsbHost;
using UsbDeviceTest = test::UsbBedTest;
using Kind = ArrayEvent::Kind;
using firmware::DeviceState;
using firmware::KeyFault;

constexpr int kKey = 40;  // C#4 on 88 keys

/// Between the last frame that was good and the end of the last tick with a force, by the device's clock.
void expect_zero_within_10_ms(const SimKeybed& device) {
    const auto pushed_us = static_cast<std::int64_t>(device.last_push_us() - device.last_valid_us());
    EXPECT_LE(pushed_us, 10'000);
    EXPECT_GT(pushed_us, 5'000);  // it held, then faded: that was the watchdog, and nothing else
}

// Field case 62.
TEST_F(UsbDeviceTest, AHostThatIsKilledUnderForceIsZeroWithin10Ms) {
    bed.plug(1, device);
    {
        HostProcess host(bed, 5);
        ASSERT_TRUE(pushes(device, 5)) << host.told();
        host.kill();
    }
    bed.host_died(1);
    bed.run_freely(true);
    ASSERT_TRUE(eventually([&] { return device.state(bed.now_us()) == DeviceState::calibrated; }));
    expect_zero_within_10_ms(device);
    EXPECT_EQ(device.status(bed.now_us()).watchdog_trips, 1U);
    bed.run_freely(false);
    // The next host begins with zero force and an ARM of its own.
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    EXPECT_EQ(device.first_forces().back(), 0);
    EXPECT_EQ(device.first_forces().size(), 2U);
    EXPECT_EQ(device.status(bed.now_us()).frames_early, 0U);
}

// Field case 63 too: what woke up again has to be armed again, by somebody.
TEST_F(UsbDeviceTest, AHostThatStandsStillFor50MsHasToArmAgain) {
    bed.plug(1, device);
    HostProcess host(bed, 5);
    ASSERT_TRUE(pushes(device, 5)) << host.told();
    host.stop();
    const std::int64_t stopped_at_us = bed.now_us();
    bed.run_freely(true);
    ASSERT_TRUE(eventually([&] { return bed.now_us() >= stopped_at_us + 50'000; }));
    EXPECT_EQ(device.state(bed.now_us()), DeviceState::calibrated);
    expect_zero_within_10_ms(device);
    bed.run_freely(false);
    host.go_on();
    EXPECT_TRUE(eventually([&] { return host.told().find("It waits to be armed again") != std::string::npos; }))
        << host.told();
    const std::int64_t awake_at_us = bed.now_us();
    ASSERT_TRUE(eventually([&] { return bed.now_us() >= awake_at_us + 300'000; }));
    EXPECT_EQ(device.force_N(0, bed.now_us()), 0);
    EXPECT_LE(device.last_push_us(), device.last_valid_us());  // zeros come again, and nothing pushed since
    host.rearm();
    EXPECT_TRUE(pushes(device, 5)) << host.told();
}

TEST_F(UsbDeviceTest, ADeadSensorTakesOneKeyOutAndTheOther87Play) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    device.with(bed.now_us(), [](SimDevice& d) { d.ailment(kKey).sensor_dead = true; });
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kKeyOut, "Key C#4 is taken out: dead sensor"); }))
        << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.live == 87; }));
    EXPECT_EQ(device.force_N(kKey, bed.now_us()), 0);
    EXPECT_NEAR(device.force_N(kKey + 1, bed.now_us()), 3, 0.01);
    EXPECT_TRUE(eventually([&] { return host.report().keys_out.test(kKey); }));
    EXPECT_EQ(host.report().keys_out.count(), 1U);
}

// Field case 59.
TEST_F(UsbDeviceTest, AMotorThatIsNotConnectedIsAFaultOfItsKeyAlone) {
    bed.plug(1, device);
    device.with(bed.now_us(), [](SimDevice& d) { d.ailment(kKey).motor_open = true; });
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kKeyOut, "Key C#4 is taken out: motor without current"); }))
        << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.live == 87; }));
    EXPECT_EQ(device.fault(kKey, bed.now_us()), KeyFault::motor_open);
    EXPECT_EQ(device.fault(kKey - 1, bed.now_us()), KeyFault::none);
    EXPECT_NEAR(device.force_N(kKey - 1, bed.now_us()), 3, 0.01);
    EXPECT_EQ(device.state(bed.now_us()), DeviceState::enabled);
}

TEST_F(UsbDeviceTest, AHotMotorFadesAndIsTakenOut) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    device.with(bed.now_us(), [](SimDevice& d) { d.ailment(kKey).hotter_C = 60; });  // 85 of 90 degrees
    EXPECT_TRUE(eventually([&] { return std::abs(device.force_N(kKey, bed.now_us()) - 1.5) < 0.05; }));
    EXPECT_TRUE(eventually([&] { return host.report().temperature_C[kKey] > 84; }));
    EXPECT_GT(host.faults.count(core::Fault::kForceLimited), 0U);
    EXPECT_EQ(host.live, 88U);
    device.with(bed.now_us(), [](SimDevice& d) { d.ailment(kKey).hotter_C = 66; });
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kKeyOut, "Key C#4 is taken out: motor too hot"); }))
        << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.live == 87; }));
    EXPECT_EQ(device.force_N(kKey, bed.now_us()), 0);
    EXPECT_NEAR(device.force_N(kKey + 1, bed.now_us()), 3, 0.01);
}

TEST_F(UsbDeviceTest, ADelayThatIsNotTheStatedOneIsNoticed) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    ASSERT_TRUE(eventually([&] { return host.report().round_trip_s > 0; }));
    EXPECT_LT(host.report().round_trip_s, 2.2e-3);
    EXPECT_FALSE(host.told(Kind::kNote, "states that it senses")) << host.all_events();
    bed.unplug(1);
    device.with(bed.now_us(), [](SimDevice& d) { d.more_sense_delay_us = 3000; });
    bed.plug(1, device);
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kNote, "it is slower than it says"); })) << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.report().round_trip_s > 3e-3; }));
}

// A cable that loses, spoils, repeats and reorders one frame in a hundred each way: counted, played on (field case 66).
TEST_F(UsbDeviceTest, ABadCableBothWaysIsCountedAndPlayedOn) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    constexpr TroubleRates kRates{.drop = 0.01, .corrupt = 0.01, .shorten = 0.01, .repeat = 0.01, .reorder = 0.01};
    device.with(bed.now_us(), [&](SimDevice& d) { d.in_trouble.rates = d.out_trouble.rates = kRates; });
    const std::int64_t until_us = bed.now_us() + 1'000'000;
    ASSERT_TRUE(eventually([&] { return bed.now_us() >= until_us; }));
    FrameTrouble::Counts in, out;
    firmware::Status status;
    device.with(bed.now_us(), [&](SimDevice& d) {
        in = d.in_trouble.counts;
        out = d.out_trouble.counts;
        d.in_trouble.rates = d.out_trouble.rates = {};
        status = d.status();
    });
    EXPECT_GT(in.dropped + in.corrupted + in.shortened + in.repeated + in.reordered, 25);
    const auto counts = [&] { return host.counts(); };
    ASSERT_TRUE(eventually([&] { return counts().frames > 0 && counts().corrupt() > 0; }));
    EXPECT_NEAR(static_cast<double>(counts().repeated), in.repeated, 2);
    EXPECT_NEAR(static_cast<double>(counts().corrupt()), in.corrupted + in.shortened, 2);
    EXPECT_GE(counts().missing + 2, static_cast<std::uint64_t>(in.dropped + in.corrupted + in.shortened));
    EXPECT_NEAR(status.frames_bad, out.corrupted + out.shortened, 2);
    EXPECT_GE(status.frames_stale + 2, static_cast<std::uint32_t>(out.repeated));
    EXPECT_EQ(status.watchdog_trips, 0U);
    EXPECT_EQ(counts().falls, 0U) << host.all_events();
    EXPECT_TRUE(pushes(device));
}

TEST_F(UsbDeviceTest, AClockThatRuns200PpmFastIsFollowed) {
    SimKeybed& fast = another({.serial = "FAST", .clock_ppm = 200});
    bed.plug(1, fast);
    Host host(bed);
    ASSERT_TRUE(pushes(fast)) << host.all_events();
    EXPECT_TRUE(eventually([&] { return std::abs(host.report().clock_ppm - 200) < 40; })) << host.report().clock_ppm;
    EXPECT_EQ(host.counts().missing + host.counts().late + host.counts().falls, 0U);
}

// Field case 60: the device is gone in whatever transfer says it first.
TEST_F(UsbDeviceTest, GoneInAnyTransferIsACleanCloseAndOpenedAnew) {
    bed.plug(1, device);
    Host host(bed);
    for (const std::uint8_t endpoint : {kEndpointIn, kEndpointOut, std::uint8_t{0}}) {
        ASSERT_TRUE(pushes(device)) << int{endpoint} << host.all_events();
        host.events.clear();
        bed.inject(1, {endpoint, ESHUTDOWN, 1});
        if (endpoint == 0) host.hub.enable(false);  // a request: DISARM
        EXPECT_TRUE(eventually([&] { return host.told(Kind::kLost, "was unplugged"); })) << int{endpoint};
        host.hub.enable(true);
        EXPECT_TRUE(eventually([&] { return host.told(Kind::kReady, "SIM-1"); })) << host.all_events();
        EXPECT_EQ(device.first_forces().back(), 0);
    }
}

// The emergency-stop switch of the device itself.
TEST_F(UsbDeviceTest, TheStopSwitchIsNamedAndStaysInForce) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    device.with(bed.now_us(), [](SimDevice& d) { d.stop_switch = true; });
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kFallen, "emergency stop"); })) << host.all_events();
    EXPECT_EQ(device.force_N(0, bed.now_us()), 0);
    bed.unplug(1);
    bed.plug(1, device);  // a new session while it is pressed
    host.events.clear();
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kFallen, "emergency stop"); })) << host.all_events();
    EXPECT_EQ(device.state(bed.now_us()), DeviceState::fault);
    device.with(bed.now_us(), [](SimDevice& d) { d.stop_switch = false; });
    host.hub.rearm();
    EXPECT_TRUE(pushes(device)) << host.all_events();
}

}  // namespace
}  // namespace letoff::hw
