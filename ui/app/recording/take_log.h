// What the keybed's thread tells of its ticks: the one account of what is played, for recordings, for the capture, for
// the settings page and for lines of JSON. The same for play in time, for a piece that is taken in off line and for a
// replay, so that all three say the same about the same ticks.
//
// Each tap (core/event/take_tap.h) is switched on and off while it is played. A telling begins with everything that
// holds then: the touch and the finger tables, pedals, the numbers of motorised keys and where they are.
//
// Threads: the keybed's, real-time safe. Without a tap that is on nothing is told.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <limits>

#include "core/event/key_motion_code.h"
#include "core/event/strike.h"
#include "core/event/take_tap.h"
#include "keyboard/gesture/live_player.h"
#include "keyboard/haptic/haptic_rows.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::ui {

class TakeLog {
  public:
    /// The state is told this often, from the last thing that happened on for kStatesFor_s: a replay that differs is
    /// noticed within a second, and a keybed that nobody plays keeps no disk awake.
    static constexpr int kStatesPerSecond = 1, kStatesFor_s = 5;
    static constexpr std::size_t kMostTaps = 3;

    explicit TakeLog(const keyboard::Keybed& keybed) : keybed_(keybed) {}
    /// Before the first tick. The taps have to outlive it.
    void tell_to(core::TakeTap& tap) noexcept {
        if (count_ < kMostTaps) listeners_[count_++].tap = &tap;
    }

    /// Before anything of a tick, and before messages are looked at: begins and ends what was switched.
    void follow_switches() noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            Listener& to = listeners_[i];
            if (const std::uint32_t asked = to.tap->telling(); asked != to.telling) switched(to, asked);
        }
    }
    /// After the last tick.
    void finish() noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            if (listeners_[i].is_on()) end(listeners_[i]);
            listeners_[i].telling = listeners_[i].tap->telling();
            listeners_[i].finished = true;
        }
    }

    void message(double time_s, const core::MidiMessage& message) noexcept {
        push({.tick = now(), .time_s = time_s, .kind = core::TakeKind::message, .message = message});
    }
    void release_all() noexcept { push(event(core::TakeKind::release_all)); }
    void gap(double seconds) noexcept { push(event(core::TakeKind::gap, seconds)); }

    // Of a motor array (ui/app/live/live_array.h), before the tick that they hold for.
    void with_hands() noexcept { hands_ = true; }
    void device_key(int key, const keyboard::HapticValues& values) noexcept;
    void live_keys(const std::bitset<core::kKeyCount>& live) noexcept;
    void motion(double time_s, bool all_rest) noexcept;
    void key_moved(int key, core::KeyMotionCode code) noexcept;

    /// After the player has taken what holds in the coming tick.
    void before_tick(double catch_up_percent, const keyboard::KeybedTouch& touch,
                     const keyboard::LiveTables& tables) noexcept;
    void after_tick() noexcept {
        if (now() % (keybed_.tick_hz() / kStatesPerSecond) != 0 || now() > states_until_ || !anybody()) return;
        send(event(core::TakeKind::state, 0, keybed_.state_hash()));
    }

    void strike(const core::Strike& strike) noexcept {
        push({.tick = now(),
              .time_s = strike.strike_time_s,
              .value = strike.hammer_speed_mps,
              .kind = core::TakeKind::strike,
              .key = static_cast<std::int8_t>(strike.key_index)});
    }
    void release(const core::Release& release) noexcept {
        push({.tick = now(),
              .time_s = release.time_s,
              .value = release.key_speed_mps,
              .kind = core::TakeKind::release,
              .key = static_cast<std::int8_t>(release.key_index)});
    }

  private:
    struct Listener {
        core::TakeTap* tap = nullptr;
        std::uint32_t telling = 0;
        bool finished = false;
        // What it knows.
        double catch_up_percent = 0;
        std::uint64_t touch_version = 0;
        const keyboard::LiveTables* tables = nullptr;

        bool is_on() const noexcept { return !finished && core::TakeTap::is_on(telling); }
    };

    bool anybody() const noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            if (listeners_[i].is_on()) return true;
        }
        return false;
    }
    void push(const core::TakeEvent& event) noexcept {
        states_until_ = now() + kStatesFor_s * keybed_.tick_hz();
        send(event);
    }
    void send(const core::TakeEvent& event) noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            if (listeners_[i].is_on()) listeners_[i].tap->push(event);
        }
    }
    std::int64_t now() const noexcept { return keybed_.now_ticks(); }
    core::TakeEvent event(core::TakeKind kind, double value = 0, std::uint64_t bits = 0, int key = 0) const noexcept {
        return {.tick = now(),
                .time_s = keybed_.now_s(),
                .value = value,
                .bits = bits,
                .kind = kind,
                .key = static_cast<std::int8_t>(key)};
    }
    core::TakeEvent live_event() const noexcept;
    core::TakeEvent motion_event() const noexcept;
    void switched(Listener& to, std::uint32_t asked) noexcept;
    void end(Listener& to) noexcept { to.tap->push(event(core::TakeKind::end)); }
    void tell_what_holds(Listener& to) noexcept;
    void tell_device(core::TakeTap& to, int key) const noexcept;
    void tell_tables(Listener& to, const keyboard::LiveTables& tables) noexcept;

    const keyboard::Keybed& keybed_;
    std::array<Listener, kMostTaps> listeners_{};
    std::size_t count_ = 0;
    std::uint64_t touch_version_ = 0;  // that the keys have
    std::int64_t states_until_ = 0;
    // Of a motor array.
    bool hands_ = false, all_rest_ = false;
    double motion_s_ = 0;
    std::bitset<core::kKeyCount> has_device_{}, live_{};
    std::array<keyboard::HapticValues, core::kKeyCount> devices_{};
    std::array<core::KeyMotionCode, core::kKeyCount> codes_{};
};

}  // namespace letoff::ui
