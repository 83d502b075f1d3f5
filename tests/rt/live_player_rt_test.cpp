// The live player under the guard: messages, catch-up, repetition, pedal, a change of tables and letting go, as they
// come while it plays.
#include <gtest/gtest.h>

#include "tests/keyboard/gesture/live_keys.h"
#include "tests/rt/all_keys.h"
#include "tests/rt/rt_guard.h"

namespace letoff::test {
namespace {

TEST(LivePlayerRt, MessagesCatchUpAndTicksKeepTheRules) {
    using keyboard::LiveKeys;
    const LiveKeys& live = LiveKeys::get();
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(live.keys, keyboard::kLiveTick_hz, *executor);
    keybed.settle();
    core::SnapshotSwap<keyboard::LiveTables> swap(std::make_unique<keyboard::LiveTables>(live.tables));
    CountingSink sink;
    keyboard::LivePlayer player(swap, keybed.keys(), keyboard::kLiveTick_hz, &sink);
    swap.publish(std::make_unique<keyboard::LiveTables>(live.tables));

    RtGuard guard;
    for (int tick = 0; tick < 2000; ++tick) {
        const double time_s = keybed.now_s() + 1e-4;
        if (tick == 10) player.message(time_s, core::control_change(0, core::kSustainPedal, 100));
        if (tick == 200) player.message(time_s, core::control_change(0, core::kSustainPedal, 0));
        if (tick % 400 == 20) {
            for (int key = 0; key < 3; ++key) {
                for (const core::MidiMessage& message : core::note_on_14bit(key, LiveKeys::kA0 + key, 9000 + tick))
                    player.message(time_s, message);
            }
        }
        if (tick % 400 == 100) player.message(time_s, core::note_on(0, LiveKeys::kA4, 90));  // held: strikes again
        if (tick % 400 == 200) {
            for (int key = 0; key < 3; ++key) player.message(time_s, core::note_off(key, LiveKeys::kA0 + key));
            player.message(time_s, core::note_off(0, LiveKeys::kA4));
        }
        if (tick == 1500) player.set_catch_up(0);
        if (tick == 1900) player.release_all();
        player.before_tick(keybed);
        keybed.tick(nullptr, &player);
    }
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_GE(player.counts().caught_up, 9);
    EXPECT_GE(player.counts().not_caught_up, 4);
    EXPECT_GE(sink.strikes, 12);
    EXPECT_GE(sink.releases, 1);
    swap.collect();
    EXPECT_EQ(swap.alive(), 1);
}

}  // namespace
}  // namespace letoff::test
