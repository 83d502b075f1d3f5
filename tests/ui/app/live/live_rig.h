// What live play joins (ui/app/live/live_play.cpp), without its devices: MIDI bytes come from a system made of lists,
// the keybed's work plays a few keys, its sound and its messages are for the test to take. The clock is real; whether
// the loop runs on it, on a thread or step by step, is the test's own affair.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/hw/midi/fake_system.h"
#include "tests/keyboard/gesture/live_keys.h"
#include "ui/app/live/keybed_work.h"

namespace letoff::ui::test {

/// Keys in whole blocks of eight (one that is not full never sleeps), and what plays them.
struct RigKeys {
    std::vector<keyboard::KeyBuild> keys;
    keyboard::LiveTables tables;

    /// A0, A4, C8 and the same again, with strokes and catch-up.
    static const RigKeys& eight() {
        static const RigKeys all = [] {
            const keyboard::LiveKeys& three = keyboard::LiveKeys::get();
            RigKeys eight;
            for (std::size_t i = 0; i < core::kLanes; ++i) {
                eight.keys.push_back(three.keys[i % 3]);
                eight.keys.back().key_index = static_cast<int>(i);
                eight.tables.strokes.push_back(three.tables.strokes[i % 3]);
                eight.tables.catch_up.push_back(three.tables.catch_up[i % 3]);
            }
            return eight;
        }();
        return all;
    }

    /// From A0 up, with strokes of about the strength asked for and no catch-up, for tests that have no time to play
    /// keys beforehand: a key front that has a fifth of the hammer's speed after 9 mm.
    static RigKeys rough(int count) {
        RigKeys some;
        some.keys = keyboard::piano_keys(0, count);
        keyboard::StrokeTable table;
        for (int v = 0; v < keyboard::StrokeTable::kVelocities; ++v) {
            const double knot = keyboard::StrokeTable::kVelocityKnots[static_cast<std::size_t>(v)];
            const double key_mps = core::speed_mps_of_midi_velocity(knot) / core::kHammerPerKey;
            for (int tray = 0; tray < keyboard::StrokeTable::kTrays; ++tray)
                table.entry(tray, v).stroke = {key_mps * key_mps / (2 * 0.009), 2 * 0.009 / key_mps};
        }
        some.tables.strokes.assign(some.keys.size(), table);
        return some;
    }
};

inline constexpr int kA0 = 21, kA4 = 22, kC8 = 23;  // of RigKeys::eight()

/// Two keys and the pedal, over and over.
inline MessageFeed short_piece() {
    return {{{0.00, core::control_change(0, core::kSustainPedal, 127)},
             {0.00, core::note_on(0, kA0, 80)},
             {0.05, core::note_on(1, kC8, 110)},
             {0.15, core::note_off(0, kA0)},
             {0.16, core::note_off(1, kC8)},
             {0.20, core::control_change(0, core::kSustainPedal, 0)}},
            0.5,
            true};
}

struct RigSetting {
    std::int64_t zero_ns = 0;  // of the clock
    std::size_t out_messages = hw::MidiOutQueue::kRingMessages;
    std::string_view executor = "inline";
    int threads = 1;
};

/// short_piece() plays from half a second on.
class LiveRig {
  public:
    static constexpr int kTick_hz = keyboard::kLiveTick_hz;
    static constexpr const char* kKeyboards[] = {"Keys A", "Keys B", "Keys C"};

    /// `keys` must outlive it.
    LiveRig(const RigSetting& setting, const RigKeys& keys)
        : clock(kTick_hz, setting.zero_ns),
          inputs({.choice = {hw::MidiChoice::Kind::kAuto, {}}, .wake = [this] { clock.wake(); }}, {midi}, faults),
          out(faults, setting.out_messages),
          executor(std::move(core::make_executor(setting.executor, setting.threads).value())),
          keybed(keys.keys, kTick_hz, *executor),
          tables(std::make_unique<keyboard::LiveTables>(keys.tables)),
          sound(keyboard::piano_strings(), {}, {}, kTick_hz, faults),
          work(settled(keybed), tables, touches, inputs, out, sound, feed, clock),
          keys_(keys) {
        tap.switch_on();
        work.tell_to(tap);
        plug_in();
    }

    // Control thread, and while no keyboard plays.
    void plug_in() {
        for (const char* name : kKeyboards) midi->source_ports.push_back(hw::test::port(name));
        inputs.poll();
    }
    void unplug() {  // what they hold is lost
        midi->source_ports.clear();
        inputs.poll();
    }
    /// For keys that have the touch of that stamp.
    void publish_tables(std::uint64_t stamp = 0) {
        auto some = std::make_unique<keyboard::LiveTables>(keys_.tables);
        some->catch_up_touch.assign(some->catch_up.size(), stamp);
        tables.publish(std::move(some));
    }

    /// Another touch of all keys, each as `change` leaves its values.
    template <typename Change>
    void publish_touch(const Change& change) {
        auto touch = std::make_unique<keyboard::KeybedTouch>();
        touch->version = ++touch_version_;
        for (keyboard::KeyBuild key : keys_.keys) {
            change(key);
            touch->keys.push_back(keyboard::key_touch(key, touch_version_));
        }
        touches.publish(std::move(touch));
    }

    // As the system's thread hands bytes over, real-time safe; one thread at a time for each keyboard.
    void note(int keyboard, int note, int velocity) noexcept { send(keyboard, 0x90, note, velocity); }
    void pedal(int keyboard, int value) noexcept { send(keyboard, 0xB0, core::kSustainPedal, value); }

    // In the order of construction, as in LivePlay.
    core::FaultCounters faults;
    core::MonotonicClock clock;
    std::shared_ptr<hw::test::FakeSystem> midi = std::make_shared<hw::test::FakeSystem>();
    hw::MidiInputs inputs;
    hw::MidiOutQueue out;
    std::unique_ptr<core::Executor> executor;
    keyboard::Keybed keybed;
    core::SnapshotSwap<keyboard::LiveTables> tables;
    core::SnapshotSwap<keyboard::KeybedTouch> touches{std::make_unique<keyboard::KeybedTouch>()};
    LiveSoundOut sound;
    MessageFeed feed = short_piece();
    core::TakeTap tap{faults};  // what a recording would keep
    KeybedWork work;

  private:
    static keyboard::Keybed& settled(keyboard::Keybed& keybed) {
        keybed.settle();
        return keybed;
    }
    void send(int keyboard, int status, int data1, int data2) noexcept {
        const hw::test::FakeSystem::In& port = *midi->ins[static_cast<std::size_t>(keyboard) + 1];  // 0: our own
        const std::array bytes{static_cast<std::uint8_t>(status), static_cast<std::uint8_t>(data1),
                               static_cast<std::uint8_t>(data2)};
        port.handler(port.context, bytes);
    }

    const RigKeys& keys_;
    std::uint64_t touch_version_ = 0;
};

}  // namespace letoff::ui::test
