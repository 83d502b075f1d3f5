// The keybed's thread as live play runs it: MIDI from the sources' rings and from a piece, catch-up, the keys, contact
// forces into the sound's ring, strikes into MIDI out's; the loop round it, late ticks, gaps and sleep; and the audio
// callback that takes the sound. On virtual time under guard and trap, then both threads for real.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <atomic>
#include <functional>
#include <optional>

#include "core/rt/periodic_thread.h"
#include "tests/rt/broken_rules.h"
#include "tests/rt/system_call_trap.h"
#include "tests/rt/virtual_live.h"
#include "tests/support/wait_for.h"

namespace letoff::test {
namespace {

using ui::test::kA0;
using ui::test::kA4;

/// A heavier hammer on higher capstans, the pedal's tray, a finger that plays elsewhere: everything that a touch can
/// turn.
void publish_another_touch(LiveRig& rig, double by) {
    rig.publish_touch([by](keyboard::KeyBuild& key) {
        key.values[keyboard::grand_row("capstan_y_mm")] += 0.2 * by;
        key.values[keyboard::grand_row("hammer_inertia_kgm2")] *= 1 + 0.2 * by;
        key.values[keyboard::grand_row("knuckle_felt_r")] -= 0.2 * by;
        key.values[keyboard::grand_row("tray_travel_mm")] += by;
        key.values[keyboard::grand_row("touch_point_mm")] += 10 * by;
    });
}

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
    const bool happened[] = {
        status.player.messages_dropped > 0,
        status.player.caught_up > 1,
        status.player.strikes > 2,
        live.loop().idled_ticks() > 100,
        live.rig().keybed.has_touch(0, 1),
        live.loop().skipped_ticks() > 100,
        live.rig().faults.count(core::Fault::kMidiOutputOverflow) > 0,
        live.counters().blocks > 500,
    };
    std::int64_t missing = 0;
    for (std::size_t i = 0; i < std::size(happened); ++i) missing |= happened[i] ? 0 : std::int64_t{1} << i;
    return missing;
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

/// Arms the thread that it is called on, from its first call until end(): between calls it may only wait, within them
/// nothing. Control thread: end() and what follows.
class ThreadGuard {
  public:
    template <typename Work>
    auto inside(Work work) noexcept {
        if (!thread_ && !ended_.load(std::memory_order_relaxed)) thread_.emplace();
        RtGuard call;
        const auto result = work();
        call.disarm();
        if (thread_) in_calls_ += call.total();
        if (first_ == nullptr) first_ = call.first_call();
        ++calls_;
        if (end_.load(std::memory_order_relaxed) && thread_) {
            thread_->disarm();
            all_but_waits_ = thread_->total() - thread_->count(RtViolation::kWait);
            thread_.reset();
            ended_.store(true, std::memory_order_release);
        }
        return result;
    }
    void end() { end_.store(true, std::memory_order_relaxed); }
    bool ended() const { return ended_.load(std::memory_order_acquire); }

    // When it has ended.
    std::int64_t in_calls() const { return in_calls_; }
    std::int64_t allocations_and_locks() const { return all_but_waits_; }
    std::string first() const { return first_ == nullptr ? "none" : first_; }
    std::int64_t calls() const { return calls_; }

  private:
    std::optional<RtGuard> thread_;
    std::int64_t in_calls_ = 0, all_but_waits_ = 0, calls_ = 0;
    const char* first_ = nullptr;
    std::atomic<bool> end_{false}, ended_{false};
};

struct GuardedWork final : core::PeriodicWork {
    explicit GuardedWork(core::PeriodicWork& w) : work(w) {}
    void on_period(std::int64_t tick) noexcept override {
        guard.inside([&] { return work.on_period(tick), 0; });
    }
    std::int64_t idle_ticks() noexcept override {
        return guard.inside([&] { return work.idle_ticks(); });
    }
    core::PeriodicWork& work;
    ThreadGuard guard;
};

struct GuardedSound final : audio::AudioClient, audio::BlockSource {
    explicit GuardedSound(ui::LiveSoundOut& s) : sound(s) {}
    audio::BlockSource* stream_opening(int rate_hz, int frames) override {
        source = sound.stream_opening(rate_hz, frames);
        return this;
    }
    void stream_stopped() override { sound.stream_stopped(); }
    void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept override {
        guard.inside([&] { return source->render(left, right, frames, request_time_ns), 0; });
    }
    ui::LiveSoundOut& sound;
    audio::BlockSource* source = nullptr;
    ThreadGuard guard;
};

/// Keybed, sound device, keyboard and control, each on its thread, on the real clock.
TEST(KeybedWorkRt, BothRealTimeThreadsKeepTheRulesBesideTheOthers) {
    LiveRig rig({core::monotonic_now_ns()}, RigKeys::eight());
    GuardedSound sound(rig.sound);
    audio::AudioSetting setting;
    setting.choice = audio::parse_audio_choice("none").value();
    setting.frames = 64;
    auto device = audio::AudioOut::open(setting, sound);
    ASSERT_TRUE(device.ok()) << device.error();
    GuardedWork work(rig.work);
    core::PeriodicThread thread("keybed", rig.clock, work, rig.faults);
    rig.work.follow(thread.loop());
    ASSERT_TRUE(thread.start(core::RtMode::off, core::kKeybedPriority).ok());

    ui::KeybedStatus status;
    int turns = 0, retuned_at = 0;
    core::StringDesign a_tone_lower;
    a_tone_lower.tuning.a4_hz = 392;
    const bool played = wait_for(60, [&] {
        rig.note(turns % 3, kA0 + turns % 3, turns % 2 == 0 ? 90 : 0);
        if (turns % 20 == 19) rig.publish_tables();
        if (turns % 20 == 9) publish_another_touch(rig, 0.1 * (turns % 3));
        if (turns == 5) rig.sound.want(a_tone_lower, {});
        if (rig.sound.poll()) retuned_at = turns;
        if (turns++ == 50) rig.work.release_all();
        core::TimedMidiMessage message;
        while (rig.out.pop(message)) {
        }
        audio::LiveSoundStatus of_sound;
        rig.sound.take_status(of_sound);
        rig.work.newest_status(status);
        return status.player.strikes >= 20 && turns > 60 && of_sound.blocks > 500 && retuned_at > 0 &&
               turns > retuned_at + 20;
    });
    work.guard.end();
    sound.guard.end();
    EXPECT_TRUE(wait_for(30, [&] { return work.guard.ended() && sound.guard.ended(); }));
    thread.stop();
    EXPECT_TRUE(device.value()->stop().ok());
    EXPECT_TRUE(played) << status.player.strikes << " strikes";
    EXPECT_EQ(work.guard.in_calls(), 0) << work.guard.first();
    EXPECT_EQ(work.guard.allocations_and_locks(), 0) << work.guard.first();
    EXPECT_EQ(sound.guard.in_calls(), 0) << sound.guard.first();
    EXPECT_EQ(sound.guard.allocations_and_locks(), 0) << sound.guard.first();
    EXPECT_GT(work.guard.calls(), 1000);
    EXPECT_GT(sound.guard.calls(), 500);
}

}  // namespace
}  // namespace letoff::test
