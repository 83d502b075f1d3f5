// The array as the keybed sees it when something is wrong: silence, falls, frames that are damaged, keys and switches.
#include "hw/usb/array_hub.h"

#include <gtest/gtest.h>

#include "tests/hw/usb/virtual_cable.h"

namespace letoff::hw {
namespace {

using test::FakeKeybed;
using test::VirtualCable;
using Kind = ArrayEvent::Kind;
using Phase = DeviceSession::Phase;

struct ArrayHubFaults : testing::Test {
    /// Plugged in, enabled, and this force on every key for so long.
    bool press_down(double force_N, double seconds) {
        cable.force_N = force_N;
        cable.plug(device);
        const bool enabled = cable.enable();
        cable.run(seconds);
        return enabled;
    }

    VirtualCable cable;
    FakeKeybed device;
};

TEST_F(ArrayHubFaults, ASilentDeviceIsCarriedThenNotLiveThenFallen) {
    ASSERT_TRUE(press_down(4, 0.5));
    cable.ignore_live = true;  // a keybed that goes on sending forces
    device.be_mute(true);
    cable.run(0.003);
    EXPECT_TRUE(cable.motion.live.all());
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 4.0, 0.01);
    cable.run(0.003);
    EXPECT_TRUE(cable.motion.live.none());
    EXPECT_LT(device.force_N(0, cable.clock.now_us), 3.5);
    EXPECT_GT(device.force_N(0, cable.clock.now_us), 1.5);
    cable.run(0.0045);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    cable.run(0.010);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);
    EXPECT_TRUE(cable.told(Kind::kFallen, "sent no key motion"));
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kCalibrated);  // DISARM reached it

    // Motion again: no force before somebody arms it again.
    device.be_mute(false);
    cable.run(1.0);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);
    cable.hub.rearm();
    cable.run(1.0);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 4.0, 0.01);
}

TEST_F(ArrayHubFaults, AShortGapIsNoFall) {
    ASSERT_TRUE(press_down(4, 0.5));
    device.be_mute(true);
    cable.run(0.006);
    device.be_mute(false);
    cable.run(0.050);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 4.0, 0.01);
    EXPECT_GT(cable.hub.session(0).counts().missing, 10U);  // the device kept four frames only
    EXPECT_EQ(cable.faults.count(core::Fault::kUsbFrameMissing), cable.hub.session(0).counts().missing);
}

TEST_F(ArrayHubFaults, ADeadKeybedThreadFadesTheForces) {
    ASSERT_TRUE(press_down(4, 0.5));
    cable.keybed_runs = false;
    cable.run(0.011);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);  // the device did nothing wrong
    cable.keybed_runs = true;
    cable.run(0.010);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 4.0, 0.01);
}

TEST_F(ArrayHubFaults, AKeybedThreadThatStaysDeadLetsGo) {
    ASSERT_TRUE(press_down(4, 0.5));
    cable.keybed_runs = false;
    cable.run(0.048);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
    cable.run(0.005);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);
    EXPECT_TRUE(cable.told(Kind::kFallen, "no force of the keys for 50 ms"));
    cable.run(0.010);
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kCalibrated);  // DISARM reached it

    cable.keybed_runs = true;
    cable.run(0.5);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);  // nobody has looked yet
    cable.hub.rearm();
    cable.run(0.5);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 4.0, 0.01);
}

TEST_F(ArrayHubFaults, AHostPausedFor50MsHasToArmAgain) {
    ASSERT_TRUE(press_down(5, 0.5));
    // The whole host stands still; the device's clock does not.
    std::int64_t zero_at_us = 0;
    const std::int64_t paused_at_us = cable.clock.now_us;
    for (int i = 0; i < 500; ++i) {
        cable.clock.now_us += 100;
        if (device.force_N(0, cable.clock.now_us) == 0 && zero_at_us == 0) zero_at_us = cable.clock.now_us;
    }
    EXPECT_LE(zero_at_us - paused_at_us, 10'000);
    EXPECT_GT(zero_at_us - paused_at_us, 5'000);
    cable.run(0.5);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    EXPECT_EQ(device.status(cable.clock.now_us).watchdog_trips, 1U);
    cable.hub.rearm();
    cable.run(0.5);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
}

TEST_F(ArrayHubFaults, ADeviceThatLetsGoByItselfIsNotArmedBehindTheUsersBack) {
    ASSERT_TRUE(press_down(5, 0.5));
    cable.plugs[0].deaf = true;  // motion goes on, forces do not get through
    cable.run(0.020);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);
    EXPECT_TRUE(cable.told(Kind::kFallen, "let go by itself and says CALIBRATED"));
    EXPECT_TRUE(cable.motion.live.none());
    cable.plugs[0].deaf = false;
    cable.run(1.0);
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kCalibrated);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    EXPECT_EQ(device.status(cable.clock.now_us).frames_early, 0U);  // only zeros were sent since
    cable.hub.rearm();
    cable.run(0.5);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
}

TEST_F(ArrayHubFaults, FramesAreCountedByWhatIsWrongWithThem) {
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    int n = 0;
    std::vector<test::UsbDeviceModel::Bytes> kept;
    device.set_tamper([&](test::UsbDeviceModel::Bytes frame) -> std::vector<test::UsbDeviceModel::Bytes> {
        switch (n++) {
            case 10:
                return {};  // missing
            case 20:
                return {frame, frame};  // repeated
            case 30:
                frame[100] ^= 1;
                return {frame};
            case 40:
                frame.resize(frame.size() - 7);
                return {frame};
            case 50:
                kept.push_back(frame);
                return {};
            case 51:
                return {frame, kept.front()};  // reordered
            default:
                return {frame};
        }
    });
    cable.run(0.1);
    const LinkCounts& counts = cable.hub.session(0).counts();
    EXPECT_EQ(counts.missing, 4U);  // lost, corrupt, short, and the one that came too late
    EXPECT_EQ(counts.repeated, 1U);
    EXPECT_EQ(counts.reordered, 1U);
    EXPECT_EQ(counts.refused[static_cast<std::size_t>(Refused::kCrc)], 1U);
    EXPECT_EQ(counts.refused[static_cast<std::size_t>(Refused::kLength)], 1U);
    EXPECT_EQ(cable.faults.count(core::Fault::kUsbFrameCorrupt), 2U);
    EXPECT_EQ(cable.faults.count(core::Fault::kUsbFrameMissing), 4U);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
}

// A device that did not stop its stream when the session began.
TEST_F(ArrayHubFaults, MotionBeforeTheKeysAreKnownIsLeftAlone) {
    cable.plug(device);
    while (!cable.hub.session(0).has_identity()) cable.run(0.00025);
    ASSERT_TRUE(cable.hub.session(0).key_rows().empty());
    const auto stream = encode(stream_command(cable.hub.session(0).stream()));
    ASSERT_TRUE(device.on_control({kRequestTypeOut, static_cast<std::uint8_t>(Request::kCommand), 0, 0, kCommandBytes},
                                  stream, cable.clock.now_us));
    const auto frame = device.next_in(kEndpointIn, cable.clock.now_us + 1000);
    ASSERT_TRUE(frame);
    cable.hub.on_motion(cable.plugs[0].slot, *frame);
    EXPECT_EQ(cable.hub.session(0).counts().wrong, 1U);
    EXPECT_EQ(cable.hub.session(0).counts().frames, 0U);
    EXPECT_TRUE(cable.enable());
}

TEST_F(ArrayHubFaults, UnpluggedUnderForceAndBack) {
    ASSERT_TRUE(press_down(5, 0.5));
    cable.unplug(0);
    cable.run(0.020);
    EXPECT_TRUE(cable.motion.live.none());
    EXPECT_TRUE(cable.told(Kind::kLost, "was unplugged"));
    EXPECT_EQ(cable.faults.count(core::Fault::kUsbDeviceLost), 1U);
    cable.plug(device);
    cable.run(2.0);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 5.0, 0.01);
    ASSERT_EQ(device.first_forces().size(), 2U);
    EXPECT_EQ(device.first_forces()[1], 0);
}

TEST_F(ArrayHubFaults, AKeyWithoutSensorOrMotorIsNamedTheOthersPlay) {
    bool dead = false;
    device.set_motion(
        [&dead](int key, std::uint64_t, double& position_m, double&) { position_m = key == 48 && dead ? 16e-3 : 0; });
    cable.force_N = 2;
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    cable.run(0.3);
    dead = true;
    device.set_key_status(39, 6);  // no current flows
    device.set_key_status(0, 1);   // too hot
    cable.run(0.1);
    EXPECT_TRUE(cable.told(Kind::kKeyOut, "Key A4 is taken out: its sensor says that it is outside its travel"));
    EXPECT_TRUE(cable.told(Kind::kKeyOut, "Key C4 is taken out: motor without current"));
    EXPECT_TRUE(cable.told(Kind::kKeyOut, "Key A0 is taken out: motor too hot"));
    EXPECT_EQ(cable.motion.live.count(), 85U);
    EXPECT_EQ(device.force_N(48, cable.clock.now_us), 0);
    EXPECT_NEAR(device.force_N(49, cable.clock.now_us), 2, 0.002);
    EXPECT_EQ(cable.motion.dip_speed_mps[48], 0);
}

TEST_F(ArrayHubFaults, TheStopSwitchNeedsReleaseAndAnExplicitWayBack) {
    cable.force_N = 2;
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    device.press_stop_switch(true);
    cable.run(0.1);
    EXPECT_TRUE(cable.told(Kind::kFallen, "emergency stop"));
    cable.hub.rearm();
    cable.run(0.2);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);  // still pressed
    EXPECT_TRUE(cable.told(Kind::kFallen, "It is in FAULT"));
    device.press_stop_switch(false);
    cable.run(0.2);
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kFault);
    cable.hub.rearm();
    cable.run(0.5);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
}

TEST_F(ArrayHubFaults, EmergencyStopFromTheHost) {
    ASSERT_TRUE(press_down(5, 0.3));
    cable.hub.emergency_stop();
    cable.run(0.001);
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kFault);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    cable.run(0.1);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kFallen);
    cable.hub.rearm();
    cable.run(0.5);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kEnabled);
}

TEST_F(ArrayHubFaults, ClosingFadesTheForceAndDisables) {
    ASSERT_TRUE(press_down(4, 0.3));
    cable.hub.close();
    cable.run(0.025);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 2.0, 0.2);
    cable.run(0.030);
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kDisabled);
    EXPECT_TRUE(cable.hub.closed());
}

}  // namespace
}  // namespace letoff::hw
