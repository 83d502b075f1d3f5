// The host's USB path through real libusb: a device that is a model behind umockdev. Host and device live in the
// testbed's time, which waits for a busy machine; what must happen in time is asked of that.
#include "hw/usb/usb_transport.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include "tests/usb/usb_host.h"

namespace letoff::hw {
namespace {

using test::eventually;
using test::SimKeybed;
using test::UsbTestbed;
using Host = test::UsbHost;
using UsbTransportTest = test::UsbBedTest;
using Kind = ArrayEvent::Kind;

TEST_F(UsbTransportTest, FindsADeviceThatIsThereAndPushes) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    EXPECT_TRUE(host.told(Kind::kFound, "SIM-1"));
    EXPECT_EQ(host.live, 88U);
    EXPECT_EQ(device.first_forces().front(), 0);
    EXPECT_EQ(device.status(bed.now_us()).frames_early, 0U);
    host.transport.stop();
    EXPECT_EQ(device.state(bed.now_us()), firmware::DeviceState::disabled);
    EXPECT_TRUE(host.hub.closed());
}

TEST_F(UsbTransportTest, PluggedInLaterUnpluggedAtRestAndBack) {
    Host host(bed);
    host.force_N = 0;
    bed.plug(1, device);
    ASSERT_TRUE(eventually([&] { return host.told(Kind::kReady, "SIM-1"); })) << host.all_events();
    bed.unplug(1);
    ASSERT_TRUE(eventually([&] { return host.told(Kind::kLost, "was unplugged"); }));
    EXPECT_TRUE(eventually([&] { return host.live == 0; }));
    host.events.clear();
    bed.plug(2, device);
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kReady, "SIM-1"); })) << host.all_events();
    EXPECT_EQ(host.transport.reopened(), 0);
}

TEST_F(UsbTransportTest, UnpluggedUnderForceInMidTransfer) {
    bed.plug(1, device);
    Host host(bed);
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(pushes(device)) << round << host.all_events();
        bed.unplug(1);  // eight reads and a write are under way
        ASSERT_TRUE(eventually([&] { return host.told(Kind::kLost, "was unplugged"); })) << round;
        host.events.clear();
        EXPECT_EQ(device.force_N(0, bed.now_us() + 10'000), 0);
        bed.plug(1, device);
    }
    ASSERT_TRUE(pushes(device)) << host.all_events();
    for (const int first : device.first_forces()) EXPECT_EQ(first, 0);
    EXPECT_EQ(device.first_forces().size(), 4U);
}

TEST_F(UsbTransportTest, AStalledEndpointIsCleared) {
    bed.plug(1, device);
    Host host(bed);
    std::uint64_t cleared = 0;
    for (const std::uint8_t endpoint : {kEndpointIn, kEndpointOut}) {
        ASSERT_TRUE(pushes(device)) << host.all_events();
        device.halt(endpoint, bed.now_us());
        ++cleared;
        ASSERT_TRUE(eventually([&] { return device.halts_cleared() == cleared; })) << int{endpoint};
        const std::uint64_t sent = device.sent_frames();
        EXPECT_TRUE(eventually([&] { return device.sent_frames() > sent + 100; })) << host.all_events();
        host.hub.rearm();  // whether it fell depends on how long that took
    }
    EXPECT_TRUE(pushes(device)) << host.all_events();
    EXPECT_EQ(host.transport.reopened(), 0);
}

TEST_F(UsbTransportTest, AFailingEndpointIsOpenedAnew) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    bed.inject(1, {kEndpointIn, EPROTO, UsbTransport::kMostFailures});
    ASSERT_TRUE(eventually([&] { return host.transport.reopened() == 1; })) << host.all_events();
    EXPECT_TRUE(host.told(Kind::kLost, "fails to send key motion"));
    EXPECT_TRUE(pushes(device)) << host.all_events();
    EXPECT_EQ(device.first_forces().back(), 0);
}

TEST_F(UsbTransportTest, ADeviceThatTakesNoForcesLetsGoAndIsOpenedAnew) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    const std::int64_t refused_at_us = bed.now_us();
    device.refuse_out(true);
    EXPECT_EQ(device.force_N(0, refused_at_us + 10'100), 0);  // by its own clock, whatever the host does
    ASSERT_TRUE(eventually([&] { return host.transport.reopened() >= 1; })) << host.all_events();
    EXPECT_TRUE(host.told(Kind::kLost, "takes no force frames"));
    device.refuse_out(false);
    EXPECT_TRUE(pushes(device)) << host.all_events();
}

TEST_F(UsbTransportTest, ShortCorruptRepeatedAndReorderedFrames) {
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    const LinkCounts before = host.counts();
    int n = 0;
    test::UsbDeviceModel::Bytes kept;
    device.set_tamper([&](test::UsbDeviceModel::Bytes frame) -> std::vector<test::UsbDeviceModel::Bytes> {
        switch (++n) {
            case 20:
                frame.resize(512);
                return {frame};
            case 40:
                frame[500] ^= 0x10;
                return {frame};
            case 60:
                return {frame, frame};
            case 80:
                kept = frame;
                return {};
            case 81:
                return {frame, kept};
            case 100:
                return {test::UsbDeviceModel::Bytes{}};  // an empty packet
            default:
                return {frame};
        }
    });
    const auto refused = [&](Refused why) {
        const auto i = static_cast<std::size_t>(why);
        return host.counts().refused[i] - before.refused[i];
    };
    EXPECT_TRUE(eventually([&] { return refused(Refused::kLength) >= 2; }));
    EXPECT_EQ(refused(Refused::kCrc), 1U);
    EXPECT_EQ(host.counts().repeated - before.repeated, 1U);
    EXPECT_EQ(host.counts().reordered - before.reordered, 1U);
    device.set_tamper({});
}

TEST_F(UsbTransportTest, TwoDevicesOneOfThemPulled) {
    SimKeybed& bass = another({.serial = "BASS", .first_key = 1, .keys = 44, .clock_ppm = -200});
    SimKeybed& treble = another({.serial = "TREBLE", .first_key = 45, .keys = 44, .clock_ppm = 200});
    bed.plug(1, bass);
    bed.plug(2, treble);
    Host host(bed);
    ASSERT_TRUE(pushes(bass) && pushes(treble)) << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.live == 88; }));
    bed.unplug(1);
    EXPECT_TRUE(eventually([&] { return host.live == 44; }));
    EXPECT_TRUE(pushes(treble));
    // Back elsewhere, with its keys.
    bed.plug(5, bass);
    EXPECT_TRUE(eventually([&] { return host.live == 88; })) << host.all_events();
}

TEST_F(UsbTransportTest, SwappedDevicesKeepTheirKeys) {
    SimKeybed& bass = another({.serial = "BASS", .first_key = 1, .keys = 44});
    SimKeybed& treble = another({.serial = "TREBLE", .first_key = 45, .keys = 44});
    bed.plug(1, bass);
    bed.plug(2, treble);
    Host host(bed);
    host.force_N = 0.5;
    ASSERT_TRUE(pushes(bass, 0.5) && pushes(treble, 0.5)) << host.all_events();
    bed.unplug(1);
    bed.unplug(2);
    EXPECT_TRUE(eventually([&] { return host.live == 0; }));
    // A finger holds A0 down, whose device is now where the other was.
    bass.with(bed.now_us(), [](SimDevice& d) {
        const double now_s = 1e-6 * static_cast<double>(d.time_us());
        d.key(0).plant.finger = SimFinger::actuator(0.05, 0.006, now_s, 1e6);
    });
    bed.plug(1, treble);
    bed.plug(2, bass);
    EXPECT_TRUE(eventually([&] { return host.live == 88; })) << host.all_events();
    EXPECT_TRUE(eventually([&] { return host.first_dip_m > 0.004; })) << host.first_dip_m;
    EXPECT_LT(host.last_dip_m, 0.001);
    for (const SimKeybed* each : {&bass, &treble}) {
        for (const int first : each->first_forces()) EXPECT_EQ(first, 0);
        EXPECT_EQ(each->first_forces().size(), 2U);
    }
}

TEST_F(UsbTransportTest, WhoMayNotIsToldTheUdevRule) {
    // Past umockdev, which has a /sys of its own.
    const auto writable = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, UsbTestbed::kRefusedFile, O_RDWR));
    if (writable >= 0 || errno != EACCES) {
        if (writable >= 0) ::close(writable);
        GTEST_SKIP() << "this system has no file that is refused to everybody";
    }
    bed.refuse_open(1, true);
    bed.plug(1, device);
    Host host(bed);
    const std::string rule = "packaging/udev/70-letoff-keybed.rules";
    EXPECT_TRUE(eventually([&] { return host.told(Kind::kRefused, rule); })) << host.all_events();
    std::ifstream there(std::string(LETOFF_SOURCE_DIR "/") + kUdevRule);
    std::string text((std::istreambuf_iterator<char>(there)), {});
    EXPECT_NE(text.find("*:ff4b01:*"), std::string::npos);  // and the rule is for this class triple
}

TEST_F(UsbTransportTest, AStrangerWithTheSameNumberIsLeftAlone) {
    struct Stranger final : test::UsbDeviceModel {
        Bytes descriptors() const override {
            Bytes d = SimKeybed().descriptors();
            d[33] = d[42] = 0x00;  // another interface subclass, in both settings
            return d;
        }
        std::string string(int) const override { return "stranger"; }
        std::optional<Bytes> on_control(const test::SetupPacket&, std::span<const std::uint8_t>,
                                        std::int64_t) override {
            ++touched;
            return std::nullopt;
        }
        bool on_out(std::uint8_t, std::span<const std::uint8_t>, std::int64_t) override { return true; }
        std::optional<Bytes> next_in(std::uint8_t, std::int64_t) override { return std::nullopt; }
        void on_reset(std::int64_t) override {}
        std::atomic<int> touched{0};
    };
    Stranger stranger;
    bed.plug(1, stranger);
    bed.plug(2, device);
    Host host(bed);
    ASSERT_TRUE(pushes(device)) << host.all_events();
    EXPECT_EQ(stranger.touched, 0);
}

TEST_F(UsbTransportTest, WithoutAnyDeviceItWaitsAndEnds) {
    Host host(bed);
    EXPECT_TRUE(host.hub.status().empty());
    host.transport.stop();
    EXPECT_TRUE(host.hub.closed());
}

/// 88 keys at 4 kHz, four samples a packet each way, for a minute of the testbed's time.
TEST(UsbTransportLong, AMinuteWithoutLoss) {
    SimKeybed device({.clock_ppm = 200});
    UsbTestbed bed;
    bed.plug(1, device);
    Host host(bed);
    ASSERT_TRUE(eventually([&] { return host.told(Kind::kReady, "SIM-1"); })) << host.all_events();
    const std::int64_t until_us = bed.now_us() + 60'000'000;
    while (bed.now_us() < until_us) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const LinkCounts counts = host.counts();
    const firmware::Status status = device.status(bed.now_us());
    std::printf(
        "60 s of 88 keys at 4 kHz, 4 samples a frame: %llu motion frames, %llu force frames, %llu URBs; %llu late, "
        "least "
        "round trip %.2f ms, clock %+.0f ppm\n",
        static_cast<unsigned long long>(counts.frames), static_cast<unsigned long long>(counts.forces),
        static_cast<unsigned long long>(bed.urbs()), static_cast<unsigned long long>(counts.late),
        1e3 * host.report().round_trip_s, host.report().clock_ppm);
    EXPECT_GE(counts.frames, 60'000U);
    EXPECT_EQ(counts.missing + counts.repeated + counts.reordered + counts.corrupt(), 0U);
    EXPECT_EQ(counts.falls, 0U);
    EXPECT_GE(status.frames_valid, 59'900U);
    EXPECT_EQ(status.frames_bad + status.frames_stale + status.frames_early, 0U);
    EXPECT_EQ(status.watchdog_trips, 0U);
    EXPECT_EQ(device.state(bed.now_us()), firmware::DeviceState::enabled);
}

}  // namespace
}  // namespace letoff::hw
