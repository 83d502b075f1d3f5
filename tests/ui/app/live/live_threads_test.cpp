// The live instrument's threads beside one another, on the real clock: keybed (with the workers of its executor), sound
// device, MIDI sources, the reader of MIDI out, control. What each does alone is tested elsewhere; this is what the
// thread sanitizer looks at.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "audio/device/audio_out.h"
#include "core/rt/periodic_thread.h"
#include "tests/support/wait_for.h"
#include "tests/ui/app/live/live_rig.h"

namespace letoff::ui {
namespace {

using letoff::test::wait_for;
using test::LiveRig;
using test::RigKeys;

/// Plays a keyboard's own five notes until it is told to stop, as the thread of a MIDI library does.
class PlayingKeyboard {
  public:
    PlayingKeyboard(LiveRig& rig, int keyboard) : thread_([this, &rig, keyboard] { play(rig, keyboard); }) {}
    ~PlayingKeyboard() {
        stop_.store(true);
        thread_.join();
    }
    PlayingKeyboard(const PlayingKeyboard&) = delete;
    PlayingKeyboard& operator=(const PlayingKeyboard&) = delete;

  private:
    void play(LiveRig& rig, int keyboard) {
        for (int i = 0; !stop_.load(); ++i) {
            const int note = test::kA0 + 5 * keyboard + i % 5;
            rig.note(keyboard, note, i / 5 % 2 == 0 ? 40 + i % 80 : 0);
            if (i % 7 == 0) rig.pedal(keyboard, i % 127);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

audio::AudioSetting setting_for(int rate_hz, int frames) {
    audio::AudioSetting setting;
    setting.choice = audio::parse_audio_choice("none").value();
    setting.rate_hz = rate_hz;
    setting.frames = frames;
    return setting;
}

TEST(LiveThreads, PlayTogetherWhileKeyboardsAndDevicesComeAndGo) {
    const RigKeys keys = RigKeys::rough(16);  // two blocks, so that the executor has work for two threads
    LiveRig rig({.zero_ns = core::monotonic_now_ns(), .executor = "threads", .threads = 2}, keys);
    auto device = audio::AudioOut::open(setting_for(48000, 256), rig.sound);
    ASSERT_TRUE(device.ok()) << device.error();
    core::PeriodicThread thread("keybed", rig.clock, rig.work, rig.faults);
    rig.work.follow(thread.loop());
    ASSERT_TRUE(thread.start(core::RtMode::off, core::kKeybedPriority).ok());

    KeybedStatus status;
    audio::LiveSoundStatus sound;
    int ons = 0, offs = 0, others = 0;
    const auto plays_on = [&](int strikes, std::int64_t blocks) {
        return wait_for(120, [&] {
            core::TimedMidiMessage message;
            while (rig.out.pop(message)) {
                if (!core::is_note(message.message)) {
                    ++others;
                } else {
                    ++(message.message.kind == core::MidiKind::note_on ? ons : offs);
                }
            }
            rig.work.newest_status(status);
            rig.sound.take_status(sound);
            return status.player.strikes >= strikes && sound.blocks >= blocks && sound.running;
        });
    };
    {
        const PlayingKeyboard a(rig, 0), b(rig, 1), c(rig, 2);
        EXPECT_TRUE(plays_on(10, 50));
        rig.publish_tables();
        rig.publish_touch(
            [](keyboard::KeyBuild& key) { key.values[keyboard::grand_row("hammer_inertia_kgm2")] *= 1.2; });
        rig.work.set_catch_up(50);
        EXPECT_TRUE(device.value()->stop().ok());  // the device goes, another comes, with another rate
        device = audio::AudioOut::open(setting_for(44100, 64), rig.sound);
        ASSERT_TRUE(device.ok()) << device.error();
        EXPECT_TRUE(plays_on(20, 50));
        rig.publish_tables();
        rig.work.release_all();
        EXPECT_TRUE(device.value()->stop().ok());
        device = audio::AudioOut::open(setting_for(48000, 64), rig.sound);  // the first sound is taken anew
        ASSERT_TRUE(device.ok()) << device.error();
        EXPECT_TRUE(plays_on(30, 200));
    }
    rig.unplug();
    EXPECT_TRUE(plays_on(static_cast<int>(status.player.strikes) + 4, 0));  // the piece goes on
    rig.plug_in();
    thread.stop();
    EXPECT_TRUE(device.value()->stop().ok());
    rig.tables.collect();
    EXPECT_EQ(rig.tables.alive(), 1);
    rig.touches.collect();
    EXPECT_EQ(rig.touches.alive(), 1);
    EXPECT_TRUE(rig.keybed.has_touch(15, 1));
    EXPECT_EQ(rig.faults.count(core::Fault::kMidiPortLost), 3u);
    EXPECT_GE(ons, 20);
    EXPECT_GE(offs, 10);
    EXPECT_GT(others, ons);  // each with its prefix, and the pedal
    EXPECT_EQ(status.keybed_faults, 0);
}

}  // namespace
}  // namespace letoff::ui
