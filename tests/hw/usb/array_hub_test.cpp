// The array as the keybed sees it, with devices that follow PROTOCOL.md at the other end of a virtual cable.
#include "hw/usb/array_hub.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/usb/virtual_cable.h"

namespace letoff::hw {
namespace {

using test::FakeKeybed;
using test::VirtualCable;
using Kind = ArrayEvent::Kind;
using Phase = DeviceSession::Phase;

TEST(ArrayHub, FromPluggedInToPushing) {
    VirtualCable cable;
    FakeKeybed device;
    cable.plug(device);
    cable.run(1.0);
    EXPECT_EQ(cable.hub.session(0).phase(), Phase::kWaiting);  // nobody asked for force
    EXPECT_EQ(device.state(cable.clock.now_us), DeviceState::kDisabled);
    EXPECT_TRUE(cable.motion.live.none());
    EXPECT_GT(cable.motions, 3000);

    cable.force_N = 3;
    ASSERT_TRUE(cable.enable());
    cable.run(0.5);
    EXPECT_TRUE(cable.motion.live.all());
    EXPECT_NEAR(device.force_N(40, cable.clock.now_us), 3.0, 0.002);
    const Status status = device.status(cable.clock.now_us);
    EXPECT_EQ(status.frames_early, 0U);  // never a force before ENABLED
    EXPECT_EQ(status.frames_bad + status.frames_stale, 0U);
    EXPECT_EQ(status.last_refusal, WriteRefusal::kNone);
    EXPECT_EQ(device.first_forces().front(), 0);
    EXPECT_TRUE(cable.told(Kind::kFound, "FAKE-1"));
    EXPECT_TRUE(cable.told(Kind::kReady, "gives the forces back"));
}

// A host that looks at that moment would give every key a limit of no force, for good.
TEST(ArrayHub, WhatIsNotReadYetIsNoLimitOfZero) {
    VirtualCable cable;
    FakeKeybed device;
    cable.plug(device);
    while (!cable.hub.session(0).has_identity()) cable.run(0.00025);
    cable.plugs[0].frozen = true;
    cable.run(0.2);
    ASSERT_EQ(cable.hub.status().size(), 1U);
    EXPECT_TRUE(cable.hub.status()[0].key_rows.empty());
    cable.plugs[0].frozen = false;
    cable.run(1.0);
    ASSERT_EQ(cable.hub.status()[0].key_rows.size(), 88U);
    EXPECT_GT(cable.hub.status()[0].key_rows[87].peak_force, 0);
}

TEST(ArrayHub, MotionArrivesInMetresWithItsTime) {
    VirtualCable cable;
    FakeKeybed device({.clock_ppm = 200});
    device.set_motion([](int key, std::uint64_t us, double& position_m, double& velocity_mps) {
        const double t = static_cast<double>(us) * 1e-6;
        position_m = key == 10 ? 5e-3 + 4e-3 * std::sin(6.28 * 2 * t) : 0;
        velocity_mps = key == 10 ? 4e-3 * 6.28 * 2 * std::cos(6.28 * 2 * t) : 0;
    });
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    cable.run(4.0);
    // What the device saw at the time the motion claims.
    const auto us = static_cast<double>(device.device_us(0)) + cable.motion.time_s * 1.0002e6;
    EXPECT_NEAR(cable.motion.dip_m[10], 5e-3 + 4e-3 * std::sin(6.28 * 2 * us * 1e-6), 20e-6);
    EXPECT_NEAR(cable.motion.dip_speed_mps[10], 4e-3 * 6.28 * 2 * std::cos(6.28 * 2 * us * 1e-6), 1e-3);
    EXPECT_EQ(cable.motion.dip_m[11], 0);
    // The cable looks every 250 us, so arrivals beat against the device's clock: one beat is 1.25 s.
    EXPECT_NEAR(cable.hub.session(0).clock().rate_ppm(), 200, 40);
    EXPECT_NEAR(cable.motion.time_s, cable.clock.now_s(), 0.6e-3);
}

TEST(ArrayHub, TwoDevicesWithClocksApartStandAtOneMoment) {
    VirtualCable cable;
    FakeKeybed bass({.serial = "B", .first_key = 1, .keys = 44, .clock_ppm = 200, .time_zero_us = 1});
    FakeKeybed treble({.serial = "T", .first_key = 45, .keys = 44, .clock_ppm = -200, .time_zero_us = 900'000'000});
    // Both see the same true motion; each tells it in its own time.
    const auto motion_of = [](const FakeKeybed& device, double ppm) {
        const auto zero = static_cast<double>(device.device_us(0));
        return [zero, ppm](int, std::uint64_t us, double& position_m, double& velocity_mps) {
            const double t = (static_cast<double>(us) - zero) * 1e-6 / (1 + ppm * 1e-6);
            position_m = 5e-3 + 4e-3 * std::sin(20 * t);
            velocity_mps = 0.08 * std::cos(20 * t);
        };
    };
    bass.set_motion(motion_of(bass, 200));
    treble.set_motion(motion_of(treble, -200));
    cable.plug(bass);
    cable.plug(treble);
    ASSERT_TRUE(cable.enable());
    double worst_m = 0;
    cable.run(2.0);
    for (int i = 0; i < 4000; ++i) {
        cable.run(0.00025);
        worst_m = std::max(worst_m, std::abs(cable.motion.dip_m[0] - cable.motion.dip_m[87]));
    }
    // 0.08 m/s: 10 um is 0.12 ms.
    EXPECT_LT(worst_m, 12e-6);
    EXPECT_TRUE(cable.motion.live.all());
}

TEST(ArrayHub, SwappedDevicesKeepTheirKeys) {
    VirtualCable cable;
    FakeKeybed bass({.serial = "B", .first_key = 1, .keys = 44});
    FakeKeybed treble({.serial = "T", .first_key = 45, .keys = 44});
    const auto at = [](double m) { return [m](int, std::uint64_t, double& position_m, double&) { position_m = m; }; };
    bass.set_motion(at(1e-3));
    treble.set_motion(at(2e-3));
    cable.plug(bass);
    cable.plug(treble);
    cable.run(0.2);
    cable.unplug(0);
    cable.unplug(1);
    cable.run(0.1);
    cable.plug(treble);  // into the other sockets
    cable.plug(bass);
    cable.run(0.2);
    EXPECT_NEAR(cable.motion.dip_m[0], 1e-3, 1e-6);
    EXPECT_NEAR(cable.motion.dip_m[87], 2e-3, 1e-6);
}

TEST(ArrayHub, DevicesThatOverlapOrShareASerialAreNamedAndLeftAlone) {
    VirtualCable cable;
    FakeKeybed one({.serial = "A", .first_key = 1, .keys = 44});
    FakeKeybed overlapping({.serial = "B", .first_key = 44, .keys = 44});
    FakeKeybed same_name({.serial = "A", .first_key = 45, .keys = 44});
    cable.plug(one);
    cable.plug(overlapping);
    cable.plug(same_name);
    cable.run(0.2);
    EXPECT_FALSE(cable.hub.is_done(0));
    EXPECT_TRUE(cable.hub.is_done(1));
    EXPECT_TRUE(cable.hub.is_done(2));
    EXPECT_TRUE(cable.told(Kind::kRefused, "B has keys 44 to 87, which overlap those of A, 1 to 44"));
    EXPECT_TRUE(cable.told(Kind::kRefused, "Two motorised keyboards call themselves A"));
}

TEST(ArrayHub, RailsThatAreNotThereAreNamed) {
    VirtualCable cable;
    FakeKeybed device({.rails = false});
    cable.plug(device);
    cable.run(0.1);
    EXPECT_TRUE(cable.told(Kind::kNote, "has no front and back rail of real felt"));
}

TEST(ArrayHub, ADeviceThatDoesNotKnowItsPositionsIsHeldToFiveNewtons) {
    VirtualCable cable({.session = {},
                        .calibration =
                            [](const Identity& identity) {
                                const KeySensorCalibration here{.k_m_per_V2 = 1e-3, .offset_m = 2e-3};
                                return std::vector<KeySensorCalibration>(identity.keys, here);
                            },
                        .cogging = {}});
    FakeKeybed device({.senses = bit(Field::kHallFront) | bit(Field::kHallRear)});  // whose rows say 60 N
    cable.force_N = 40;
    cable.ignore_live = true;
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    double most_N = 0;
    for (int i = 0; i < 400; ++i) {
        cable.run(0.001);
        most_N = std::max(most_N, device.force_N(0, cable.clock.now_us));
    }
    EXPECT_NEAR(most_N, 5, 0.003);
}

TEST(ArrayHub, WhatTheCogsNeedIsAddedWhereTheKeyIs) {
    VirtualCable cable({.session = {}, .calibration = {}, .cogging = [](const Identity& identity) {
                            std::vector<CoggingTable> tables(identity.keys);
                            tables[40].first = 10;
                            tables[40].last = 90;
                            tables[40].force_in_bin_N.fill(0.25);
                            return tables;
                        }});
    FakeKeybed device;
    double at_m = 5e-3;
    device.set_motion([&at_m](int, std::uint64_t, double& position_m, double&) { position_m = at_m; });
    cable.force_N = 1;
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    cable.run(0.3);
    EXPECT_NEAR(device.force_N(40, cable.clock.now_us), 1.25, 0.002);
    EXPECT_NEAR(device.force_N(41, cable.clock.now_us), 1.0, 0.002);
    for (int i = 0; i < 45; ++i) {  // to where nothing was measured
        at_m -= 0.1e-3;
        cable.run(0.005);
    }
    EXPECT_NEAR(device.force_N(40, cable.clock.now_us), 1.0, 0.002);
}

TEST(ArrayHub, ForcesThatAreNoNumbersAreZero) {
    VirtualCable cable;
    FakeKeybed device;
    cable.plug(device);
    ASSERT_TRUE(cable.enable());
    cable.force_N = std::nan("");
    cable.run(0.3);
    EXPECT_EQ(device.force_N(0, cable.clock.now_us), 0);
    cable.force_N = 1e300;
    cable.run(0.020);
    EXPECT_LE(device.force_N(0, cable.clock.now_us), 60.0);
    cable.run(2.0);
    EXPECT_NEAR(device.force_N(0, cable.clock.now_us), 5.0, 0.01);
}

}  // namespace
}  // namespace letoff::hw
