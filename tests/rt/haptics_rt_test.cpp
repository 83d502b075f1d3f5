// Real ticks of 88 keys that are live, under the guard.
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/rt_guard.h"
#include "ui/app/live/live_array.h"

namespace letoff::test {
namespace {

TEST(HapticsRt, TicksOf88LiveKeysKeepTheRules) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), 4000, *executor);
    const keyboard::HapticValues values = keyboard::haptic_defaults();
    keybed.use_haptics({&values, 1});
    core::KeyMotion motion;
    const core::DenormalsOff denormals_off;

    RtGuard guard;
    for (int tick = 0; tick < 600; ++tick) {
        motion.time_s = keybed.now_s();
        for (std::size_t k = 0; k < core::kKeyCount; ++k) {
            motion.live[k] = tick < 500 || k % 2 == 0;  // half of them go away, one says nonsense
            motion.dip_m[k] = std::min(0.0095, 1e-5 * std::max(0, tick - 400));
            motion.dip_speed_mps[k] = tick > 400 ? 0.04 : 0.0;
        }
        if (tick == 550) motion.dip_m[0] = std::numeric_limits<double>::quiet_NaN();
        keybed.take_motion(motion);
        keybed.tick(nullptr, nullptr);
    }
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(keybed.haptics().counts().live, 44);
    EXPECT_EQ(keybed.haptics().counts().faults, 1);
    EXPECT_GT(keybed.forces().force_N[40], 0.1);
    EXPECT_EQ(keybed.forces().force_N[41], 0.0);
    EXPECT_EQ(keybed.faults(), 0);
}

/// Keys that a program moves, and hands that count.
struct ScriptedArray final : core::KeyArray, core::Hands {
    core::KeyMotion next;
    int sent = 0, moves = 0;
    bool newest_motion(core::KeyMotion& motion) noexcept override {
        motion = next;
        return true;
    }
    bool send_forces(const core::KeyForces&) noexcept override { return ++sent > 0; }
    void press(int, double, double) noexcept override { ++moves; }
    void lift(int, double, double) noexcept override { ++moves; }
};

TEST(HapticsRt, AnArrayWhoseNumbersChangeKeepsTheRules) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), 4000, *executor);
    ScriptedArray keys;
    ui::LiveArray array(keys, &keys, keybed, keyboard::haptic_defaults());
    auto some = std::make_unique<keyboard::LiveTables>();
    some->strokes.resize(core::kKeyCount);
    core::SnapshotSwap<keyboard::LiveTables> tables(std::move(some));
    keyboard::LivePlayer player(tables, core::kKeyCount, 4000, nullptr);
    const core::DenormalsOff denormals_off;
    std::int64_t violations = 0;
    std::string first;
    for (int round = 0; round < 3; ++round) {
        array.wake(std::vector<keyboard::HapticValues>(core::kKeyCount, keyboard::haptic_defaults()));
        RtGuard guard;
        for (int tick = 0; tick < 100; ++tick) {
            keys.next.time_s = keybed.now_s();
            if (tick == 20) keys.next.live.set();
            if (tick == 80) keys.next.live.reset();
            if (tick == 40) keybed.press(3, keybed.now_s(), 1);
            if (tick == 60) keybed.lift(3, keybed.now_s(), 0.2);
            array.before_tick(keybed, player, 0);
            player.before_tick(keybed);
            keybed.tick(nullptr, &player);
            array.after_tick(keybed);
        }
        guard.disarm();
        violations += guard.total();
        if (first.empty() && guard.total() > 0) first = guard.report();
        EXPECT_TRUE(array.is_awake());
    }
    EXPECT_EQ(violations, 0) << first;
    EXPECT_EQ(keys.moves, 6);
    EXPECT_EQ(keys.sent, 300);
}

}  // namespace
}  // namespace letoff::test
