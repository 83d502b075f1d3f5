// Keybed and audio callback each on its own real-time thread, under the guard, beside the threads that feed them and
// ask them. What each does by itself: keybed_work_rt_test.cpp, audio_callback_rt_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "audio/device/audio_out.h"
#include "core/rt/periodic_thread.h"
#include "tests/rt/rt_guard.h"
#include "tests/rt/virtual_live.h"
#include "tests/support/wait_for.h"

namespace letoff::test {
namespace {

using ui::test::kA0;

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
TEST(LiveThreadsRt, BothRealTimeThreadsKeepTheRulesBesideTheOthers) {
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
