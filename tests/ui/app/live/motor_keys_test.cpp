// Simulated motorised keys on their own thread and the real clock.
#include "ui/app/live/motor_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "tests/support/wait_for.h"

namespace letoff::ui {
namespace {

using letoff::test::wait_for;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Phase = hw::DeviceSession::Phase;

constexpr double kSoon_s = 30;

struct Played {
    core::MonotonicClock clock{4000};
    core::FaultCounters faults;
    std::unique_ptr<MotorKeys> motor = start();

    std::unique_ptr<MotorKeys> start() {
        auto started =
            MotorKeys::start(KeybedWay::kSim, clock, faults, {}, hw::DeviceSetup::of(hw::light_lever(), "M1", 1, 8));
        return started ? std::move(started.value()) : nullptr;
    }
    bool is(Phase phase) const {
        const auto devices = motor->status();
        return !devices.empty() && devices[0].phase == phase;
    }
    /// As the keybed's thread does, until the motors push. A busy machine may hold this thread for so long that they
    /// fall on the way there.
    bool play_until_enabled() {
        core::KeyMotion motion;
        const double until_s = clock.now_s() + kSoon_s;
        while (!is(Phase::kEnabled)) {
            if (clock.now_s() > until_s) return false;
            if (is(Phase::kFallen)) (void)motor->rearm();
            motor->array().newest_motion(motion);
            motor->array().send_forces({});
            std::this_thread::sleep_for(std::chrono::microseconds(250));
        }
        return true;
    }
};

TEST(MotorKeysLive, WhatFellIsArmedAgainOnlyWhenAsked) {
    Played played;
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return played.is(Phase::kWaiting); }));
    EXPECT_THAT(played.motor->rearm(), HasSubstr("no motorised keyboard had fallen"));
    played.motor->hub().enable(true);
    ASSERT_TRUE(played.play_until_enabled());
    // Nobody computes forces any more.
    ASSERT_TRUE(wait_for(kSoon_s, [&] { return played.is(Phase::kFallen); }));
    EXPECT_THAT(played.motor->rearm(), StartsWith("armed again. M1: "));
    EXPECT_TRUE(played.play_until_enabled());
}

}  // namespace
}  // namespace letoff::ui
