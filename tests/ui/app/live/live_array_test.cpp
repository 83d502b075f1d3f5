// Notes through simulated motorised keys (array_play.h).
#include <gtest/gtest.h>

#include "tests/ui/app/live/array_play.h"
#include "ui/app/live/motor_keys.h"

namespace letoff::ui {
namespace {

using test::ArrayPlay;
constexpr int kKeys = ArrayPlay::kKeys, kKey = ArrayPlay::kKey;

double struck_mps(ArrayPlay& play, int velocity) {
    play.strikes.clear();
    play.note(velocity);
    play.run(0.4);
    play.note(0);
    play.run(0.4);
    return play.strikes.size() == 1 ? play.strikes[0].hammer_speed_mps : -1.0;
}

TEST(LiveArray, NotesArePlayedByItsHandsAsLoudAsWithoutIt) {
    ArrayPlay with(true), without(false);
    with.enable();
    for (const int velocity : {40, 64, 100}) {
        const double wanted = struck_mps(without, velocity), got = struck_mps(with, velocity);
        EXPECT_NEAR(got / wanted, 1.0, 0.1) << velocity << ": " << wanted << " m/s";
    }
    EXPECT_EQ(with.releases.size(), 3U);
    EXPECT_NEAR(with.plant_dip_m(), 0, 0.5e-3);
}

TEST(LiveArray, TheHandFeelsTheActionAndNotTheLever) {
    ArrayPlay play(true);
    play.enable();
    play.sim->device(0).key(kKey).plant.finger = hw::SimFinger::actuator(0.010, 0.006, play.now_s());
    play.run(0.6);  // 4 mm down: before the damper and the let-off
    // Down weight of the model's key, some 0.5 N; the lever alone would rub with 0.05 N.
    EXPECT_NEAR(play.finger_N(), 0.5, 0.15);
}

TEST(LiveArray, ALostDeviceLetsItsNotesGo) {
    ArrayPlay play(true);
    play.enable();
    play.note(64);
    play.run(0.3);
    ASSERT_EQ(play.strikes.size(), 1U);
    ASSERT_GT(play.keybed.dip_m(kKey), 0.008);
    play.sim->device(0).be_silent(10);
    play.run(0.5);
    EXPECT_EQ(play.keybed.haptics().counts().live, 0);
    EXPECT_EQ(play.releases.size(), 1U);
    EXPECT_LT(play.keybed.dip_m(kKey), 0.001);
    EXPECT_EQ(play.keybed.forces().force_N[kKey], 0.0);
    // The other way to play is there: the same note without the array.
    play.note(0);
    play.run(0.1);
    EXPECT_GT(struck_mps(play, 64), 0);
}

// The loop gave up a second: the array's clock went on, the keybed's did not.
TEST(LiveArray, MotionIsOnTheKeybedsClockAfterAGap) {
    ArrayPlay play(true);
    play.ahead_s = 0;
    play.enable();
    EXPECT_GT(struck_mps(play, 64), 0);
    play.ahead_s = 1.0;
    play.run(0.05);
    EXPECT_EQ(play.keybed.haptics().counts().live, 0);  // its motion is a second old
    play.ahead_s = 0;
    play.run(0.2);
    EXPECT_EQ(play.keybed.haptics().counts().live, kKeys);
}

// Lost for a moment under a held note: the keybed's finger is gone, the hand on the device is not.
TEST(LiveArray, AHandOnAKeyThatWasLostAndFoundLeavesItWithItsNote) {
    ArrayPlay play(true);
    play.enable();
    play.note(64);
    play.run(0.3);
    ASSERT_EQ(play.strikes.size(), 1U);
    play.ahead_s = 1.0;
    play.run(0.05);
    ASSERT_EQ(play.keybed.haptics().counts().live, 0);
    play.ahead_s = 0;
    play.run(0.2);
    ASSERT_EQ(play.keybed.haptics().counts().live, kKeys);
    ASSERT_GT(play.plant_dip_m(), 0.008);
    play.note(0);
    play.run(0.4);
    EXPECT_NEAR(play.plant_dip_m(), 0, 0.5e-3);
    EXPECT_LT(play.keybed.dip_m(kKey), 0.001);
}

TEST(LiveArray, AHandIsToldOfANoteThatEndsWhileItsKeyIsLost) {
    ArrayPlay play(true);
    play.enable();
    play.note(64);
    play.run(0.3);
    ASSERT_EQ(play.strikes.size(), 1U);
    play.ahead_s = 1.0;
    play.run(0.05);
    play.ahead_s = 0;
    play.note(0);  // acts in the next tick, before there is motion again
    play.run(0.6);
    EXPECT_EQ(play.keybed.haptics().counts().live, kKeys);
    EXPECT_NEAR(play.plant_dip_m(), 0, 0.5e-3);
}

TEST(LiveArray, TakesItsHandsAwayWithIt) {
    struct Counted final : core::Hands {
        void press(int, double, double) noexcept override {}
        void lift(int, double, double) noexcept override { ++lifts; }
        int lifts = 0;
    } hands;
    ArrayPlay play(false);
    auto array = std::make_unique<LiveArray>(play.hub, &hands, play.keybed, keyboard::haptic_defaults());
    play.keybed.lift(3, 0, 0.2);
    EXPECT_EQ(hands.lifts, 1);
    array.reset();
    play.keybed.lift(3, 0, 0.2);
    EXPECT_EQ(hands.lifts, 1);
}

TEST(MotorKeys, NamesAreKnown) {
    EXPECT_EQ(parse_keybed("sim").value(), KeybedWay::kSim);
    EXPECT_EQ(parse_keybed("auto").value(), KeybedWay::kAuto);
    EXPECT_EQ(parse_keybed("both").error(), "there is no keybed 'both', use one of auto, usb, sim, none");
}

TEST(MotorKeys, ADevicesOwnNumbersAreTaken) {
    hw::DeviceReport device;
    device.identity.front_rail = true;
    device.identity.act_delay_us = 95;
    device.stream.rate_kHz = 4;
    device.stream.samples = 2;
    hw::KeyRow row;
    row.moving_mass = 2000;
    row.friction = 25;
    row.peak_force = 15000;
    row.second_force = 5000;
    row.continuous_force = 2500;
    row.slew = 2500;
    device.key_rows = {row};
    const auto v = haptics_on(device, 0, keyboard::haptic_defaults());
    using keyboard::haptic_row;
    EXPECT_DOUBLE_EQ(v[haptic_row("device_mass_g")], 20);
    EXPECT_DOUBLE_EQ(v[haptic_row("device_dry_friction_N")], 0.05);
    EXPECT_DOUBLE_EQ(v[haptic_row("device_stops")], 0);  // there is no back rail
    EXPECT_NEAR(v[haptic_row("device_delay_ms")], 0.095 + 0.25 + 0.0625, 1e-9);
    EXPECT_DOUBLE_EQ(v[haptic_row("force_peak_N")], 30);
    EXPECT_DOUBLE_EQ(v[haptic_row("force_strong_N")], 10);
    auto lower = keyboard::haptic_defaults();
    lower[haptic_row("force_peak_N")] = 12;
    EXPECT_DOUBLE_EQ(haptics_on(device, 0, lower)[haptic_row("force_peak_N")], 12);
}

}  // namespace
}  // namespace letoff::ui
