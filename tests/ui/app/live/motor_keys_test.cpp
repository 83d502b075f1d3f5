// Simulated motorised keys on their own thread and the real clock.
#include "ui/app/live/motor_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "core/rt/privilege.h"
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

/// Of the thread of this program with this name.
int scheduling_of(const std::string& name) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string comm;
        std::getline(std::ifstream(task.path() / "comm"), comm);
        if (comm == name) return sched_getscheduler(std::stoi(task.path().filename().string()));
    }
    return -1;
}

// A thread that waits its turn among all others lets the motors fall on a busy machine.
TEST(MotorKeysThread, HasThePriorityThatTheSystemGrants) {
    bool granted = false;
    std::thread([&] {
        granted = core::make_thread_realtime(core::RtMode::automatic, core::kArrayPriority).value().granted;
    }).join();
    for (const core::RtMode rt : {core::RtMode::automatic, core::RtMode::off}) {
        core::MonotonicClock clock{4000};
        core::FaultCounters faults;
        const auto keys = MotorKeys::start(KeybedWay::kSim, clock, faults, {},
                                           hw::DeviceSetup::of(hw::light_lever(), "M1", 1, 8), rt);
        const int wanted = granted && rt == core::RtMode::automatic ? SCHED_FIFO : SCHED_OTHER;
        EXPECT_TRUE(wait_for(kSoon_s, [&] { return scheduling_of("letoff-sim") == wanted; })) << core::rt_mode_name(rt);
    }
}

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
