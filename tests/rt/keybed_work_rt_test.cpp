// The keybed's thread as live play runs it: MIDI from the sources' rings and from a piece, catch-up, the keys, contact
// forces into the sound's ring, strikes into MIDI out's; the loop round it, late ticks, gaps and sleep; and the audio
// callback that takes the sound. On virtual time under guard and trap; both threads for real: live_threads_rt_test.cpp.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <functional>
#include <string>

#include "tests/rt/broken_rules.h"
#include "tests/rt/system_call_trap.h"
#include "tests/rt/virtual_live.h"

namespace letoff::test {
namespace {

using ui::test::kA0;
using ui::test::kA4;

/// More than the player keeps.
void send_more_than_fits(LiveRig& rig) noexcept {
    for (int i = 0; i < 3 * 1500; ++i) rig.note(i % 3, kA4, 1 + i % 100);
}

TEST(KeybedWorkRt, TicksKeepTheRulesWhateverHappens) {
    VirtualLive live;
    LiveRig& rig = live.rig();
    std::int64_t violations = 0;
    std::string first;
    const auto guarded = [&](const std::function<void()>& stretch) {
        RtGuard guard;
        stretch();
        guard.disarm();
        violations += guard.total();
        if (first.empty() && guard.total() > 0) first = guard.report();
    };
    guarded([&] {
        live.play(0.1);  // asleep
        rig.note(0, kA0, 90);
        rig.note(1, kA4, 60);
        rig.pedal(0, 100);
        live.play(0.1);
        rig.note(2, kA4, 100);  // held: not caught up
        live.play(0.2);
        rig.note(0, kA0, 0);
        rig.note(1, kA4, 0);
        rig.note(2, kA4, 0);
        rig.pedal(0, 0);
        live.play(0.5);  // the piece has begun
    });
    live.page().listen(true);
    live.page().watch(1);
    live.page().play(core::note_on(0, kA4, 70));
    guarded([&] { live.play(0.3); });
    core::Telemetry telemetry;
    EXPECT_TRUE(live.page().newest(telemetry));
    EXPECT_GT(telemetry.dip_m[1], 0.005F);
    EXPECT_GT(telemetry.watched.contact_N[keyboard::kFingerKey], 0.5F);
    live.page().play(core::note_off(0, kA4));
    live.page().release_all();
    guarded([&] { live.play(0.2); });
    live.page().listen(false);
    rig.publish_tables();
    guarded([&] {
        live.play(0.2);
        live.be_late(0.003);  // caught up
        live.play(0.1);
        live.be_late(0.2);  // given up: time zero moves
        live.play(0.5);
        rig.work.set_catch_up(0);
        rig.note(0, kA4, 100);
        live.play(0.3);
    });
    publish_another_touch(rig, 1);
    guarded([&] {
        rig.note(0, kA4, 100);
        live.play(0.1);
    });
    EXPECT_GT(rig.keybed.gliding_keys(), 0);
    publish_another_touch(rig, 0.5);  // while the first is on its way
    guarded([&] { live.play(0.5); });
    EXPECT_TRUE(rig.keybed.has_touch(0, 2));
    rig.unplug();
    guarded([&] { live.play(0.1); });
    rig.plug_in();
    guarded([&] {
        send_more_than_fits(rig);
        live.play(0.1);
        rig.work.release_all();
        live.play(0.3);
        core::TimedMidiMessage message;
        while (rig.out.pop(message)) {
        }
        live.play(0.3);
    });
    EXPECT_EQ(violations, 0) << first;

    ui::KeybedStatus status;
    ASSERT_TRUE(rig.work.newest_status(status));
    EXPECT_GT(status.player.caught_up, 2);
    EXPECT_GT(status.player.not_caught_up, 0);
    EXPECT_GT(status.player.strikes, 5);
    EXPECT_GT(status.player.messages_dropped, 0);
    EXPECT_EQ(status.keybed_faults, 0);
    EXPECT_GT(live.loop().idled_ticks(), 100);
    EXPECT_GT(live.loop().skipped_ticks(), 100);
    EXPECT_GT(live.loop().late_hosts(), 0);
    EXPECT_GT(rig.faults.count(core::Fault::kMidiOutputOverflow), 0U);
    EXPECT_EQ(rig.faults.count(core::Fault::kMidiPortLost), 3U);
    audio::LiveSoundStatus sound;
    ASSERT_TRUE(rig.sound.take_status(sound));
    EXPECT_GT(live.counters().blocks, 1000);
    EXPECT_TRUE(sound.running);
    EXPECT_GT(sound.peak, 0);
}

/// All that one thread can do by itself: messages and the loss of their source wait in the rings. What of it did not
/// happen, as a bit each.
std::int64_t play_unattended(VirtualLive& live) {
    live.play(0.9);
    live.rig().work.set_catch_up(0);
    live.be_late(0.003);
    live.play(0.2);
    live.be_late(0.2);
    live.play(0.5);
    live.rig().work.release_all();
    live.play(0.3);
    ui::KeybedStatus status;
    live.rig().work.newest_status(status);
    return missing_of({
        status.player.messages_dropped > 0,
        status.player.caught_up > 1,
        status.player.strikes > 2,
        live.loop().idled_ticks() > 100,
        live.rig().keybed.has_touch(0, 1),
        live.loop().skipped_ticks() > 100,
        live.rig().faults.count(core::Fault::kMidiOutputOverflow) > 0,
        live.counters().blocks > 500,
    });
}

TEST(KeybedWorkRt, TicksMakeNoSystemCallWhateverHappens) {
    if (!clock_is_no_system_call()) GTEST_SKIP() << "this machine's clock is a system call";
    VirtualLive live(16);
    live.rig().note(0, kA0, 90);
    live.rig().pedal(1, 100);
    send_more_than_fits(live.rig());
    live.rig().unplug();
    publish_another_touch(live.rig(), 0.01);  // so little that the tables' states fit
    live.rig().publish_tables(1);
    const TrapReport report = run_trapped([&] { return play_unattended(live); });
    EXPECT_TRUE(report.clean()) << report.text();
    EXPECT_EQ(report.answer, 0);
}

TEST(KeybedWorkRt, ATickThatBreaksTheRulesIsReported) {
    VirtualLive live;
    const auto report_of = [&](void (*broken)()) {
        live.break_a_rule(broken);
        return run_trapped([&] { return live.play(0.1), 0; });
    };
    EXPECT_EQ(report_of(grow_a_vector).count(RtViolation::kAllocate), 1);
    EXPECT_EQ(report_of(lock_a_mutex).count(RtViolation::kLock), 1);
    EXPECT_EQ(report_of(read_the_clock_by_system_call).system_call, SYS_clock_gettime);
    live.break_a_rule(grow_a_vector);
    RtGuard guard;
    live.play(0.1);
    guard.disarm();
    EXPECT_EQ(guard.count(RtViolation::kAllocate), 1);
    EXPECT_EQ(guard.total(), 2);  // with the end of it
}

}  // namespace
}  // namespace letoff::test
