// What live play joins (ui/app/live/live_play.cpp), without its devices: MIDI bytes come from a system made of lists,
// the keybed's work plays eight keys with their catch-up tables, its sound and its messages are for the test to take.
// The clock is real; whether the loop runs on it, on a thread or step by step, is the test's own affair.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tests/hw/midi/fake_system.h"
#include "tests/keyboard/gesture/live_keys.h"
#include "ui/app/live/keybed_work.h"

namespace letoff::ui::test {

/// A0, A4, C8 and the same again up to a block of eight (one that is not full never sleeps): notes 21 to 28.
struct EightKeys {
    static constexpr int kA0 = 21, kA4 = 22, kC8 = 23;
    std::vector<keyboard::KeyBuild> keys;
    keyboard::LiveTables tables;

    static const EightKeys& get() {
        static const EightKeys all = [] {
            const keyboard::LiveKeys& three = keyboard::LiveKeys::get();
            EightKeys eight;
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
};

/// Two keys and the pedal, over and over.
inline MessageFeed short_piece() {
    return {{{0.00, core::control_change(0, core::kSustainPedal, 127)},
             {0.00, core::note_on(0, EightKeys::kA0, 80)},
             {0.05, core::note_on(1, EightKeys::kC8, 110)},
             {0.15, core::note_off(0, EightKeys::kA0)},
             {0.16, core::note_off(1, EightKeys::kC8)},
             {0.20, core::control_change(0, core::kSustainPedal, 0)}},
            0.5,
            true};
}

class LiveRig {
  public:
    static constexpr int kTick_hz = keyboard::kLiveTick_hz;
    static constexpr const char* kKeyboards[] = {"Keys A", "Keys B", "Keys C"};

    /// zero_ns: of the clock. out_messages: room for MIDI out. short_piece() plays from half a second on.
    explicit LiveRig(std::int64_t zero_ns, std::size_t out_messages = hw::MidiOutQueue::kRingMessages)
        : clock(kTick_hz, zero_ns),
          inputs({.choice = {hw::MidiChoice::Kind::kAuto, {}}, .wake = [this] { clock.wake(); }}, {midi}, faults),
          out(faults, out_messages),
          executor(std::move(core::make_executor("inline", 1).value())),
          keybed(settled(*executor)),
          tables(std::make_unique<keyboard::LiveTables>(EightKeys::get().tables)),
          sound(keyboard::piano_strings(), kTick_hz, faults),
          work(*keybed, tables, inputs, out, sound, feed, clock) {
        plug_in();
    }

    void plug_in() {
        for (const char* name : kKeyboards) midi->source_ports.push_back(hw::test::port(name));
        inputs.poll();
    }
    /// Control thread: all keyboards are gone, what they hold is lost.
    void unplug() {
        midi->source_ports.clear();
        inputs.poll();
    }
    void publish_tables() { tables.publish(std::make_unique<keyboard::LiveTables>(EightKeys::get().tables)); }

    /// As the system's thread hands bytes over; real-time safe, one thread at a time for each keyboard.
    void bytes(int keyboard, std::span<const std::uint8_t> some) noexcept {
        const hw::test::FakeSystem::In& port = *midi->ins[static_cast<std::size_t>(keyboard) + 1];  // 0: our own
        port.handler(port.context, some);
    }
    void note(int keyboard, int note, int velocity) noexcept {
        const std::uint8_t message[] = {0x90, static_cast<std::uint8_t>(note), static_cast<std::uint8_t>(velocity)};
        bytes(keyboard, message);
    }
    void pedal(int keyboard, int value) noexcept {
        const std::uint8_t message[] = {0xB0, core::kSustainPedal, static_cast<std::uint8_t>(value)};
        bytes(keyboard, message);
    }

    // In the order of construction, as in LivePlay.
    core::FaultCounters faults;
    core::MonotonicClock clock;
    std::shared_ptr<hw::test::FakeSystem> midi = std::make_shared<hw::test::FakeSystem>();
    hw::MidiInputs inputs;
    hw::MidiOutQueue out;
    std::unique_ptr<core::Executor> executor;
    std::unique_ptr<keyboard::Keybed> keybed;
    core::SnapshotSwap<keyboard::LiveTables> tables;
    LiveSoundOut sound;
    MessageFeed feed = short_piece();
    KeybedWork work;

  private:
    static std::unique_ptr<keyboard::Keybed> settled(core::Executor& executor) {
        auto keybed = std::make_unique<keyboard::Keybed>(EightKeys::get().keys, kTick_hz, executor);
        keybed->settle();
        return keybed;
    }
};

}  // namespace letoff::ui::test
