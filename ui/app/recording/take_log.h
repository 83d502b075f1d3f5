// What the keybed's thread tells of its ticks while they are recorded. The same for play in time, for a piece that is
// taken in off line and for a replay, so that all three say the same about the same ticks.
//
// Threads: the keybed's, real-time safe. Without a tap nothing is told.
#pragma once

#include <cstdint>
#include <limits>

#include "core/event/strike.h"
#include "core/event/take_tap.h"
#include "keyboard/gesture/live_player.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::ui {

class TakeLog {
  public:
    /// The state is told this often: a replay that differs is noticed within a second.
    static constexpr int kStatesPerSecond = 1;

    TakeLog(core::TakeTap* tap, const keyboard::Keybed& keybed) : tap_(tap), keybed_(keybed) {}
    /// Before the first tick: another listener.
    void also_tell(core::TakeTap* tap) { (tap_ == nullptr ? tap_ : other_) = tap; }

    void message(double time_s, const core::MidiMessage& message) noexcept {
        if (tap_ == nullptr) return;
        push({.tick = now(), .time_s = time_s, .kind = core::TakeKind::message, .message = message});
    }
    void release_all() noexcept { tell(core::TakeKind::release_all, 0, 0); }
    void gap(double seconds) noexcept { tell(core::TakeKind::gap, seconds, 0); }

    /// After the player has taken what holds in the coming tick.
    void before_tick(double catch_up_percent, const keyboard::KeybedTouch& touch,
                     const keyboard::LiveTables& tables) noexcept {
        if (tap_ == nullptr) return;
        if (catch_up_percent != catch_up_percent_) {
            catch_up_percent_ = catch_up_percent;
            tell(core::TakeKind::catch_up, catch_up_percent, 0);
        }
        if (touch.version != touch_version_) {
            touch_version_ = touch.version;
            tell(core::TakeKind::touch, 0, touch.version);
        }
        if (&tables != tables_) tell_tables(tables);
    }
    void after_tick() noexcept {
        if (tap_ != nullptr && now() % (keybed_.tick_hz() / kStatesPerSecond) == 0)
            tell(core::TakeKind::state, 0, keybed_.state_hash());
    }

    void strike(const core::Strike& strike) noexcept {
        if (tap_ == nullptr) return;
        push({.tick = now(),
              .time_s = strike.strike_time_s,
              .value = strike.hammer_speed_mps,
              .kind = core::TakeKind::strike,
              .key = static_cast<std::int8_t>(strike.key_index)});
    }
    void release(const core::Release& release) noexcept {
        if (tap_ == nullptr) return;
        push({.tick = now(),
              .time_s = release.time_s,
              .value = release.key_speed_mps,
              .kind = core::TakeKind::release,
              .key = static_cast<std::int8_t>(release.key_index)});
    }

  private:
    void push(const core::TakeEvent& event) noexcept {
        tap_->push(event);
        if (other_ != nullptr) other_->push(event);
    }
    std::int64_t now() const noexcept { return keybed_.now_ticks(); }
    void tell(core::TakeKind kind, double value, std::uint64_t bits, int key = 0) noexcept {
        if (tap_ == nullptr) return;
        push({.tick = now(),
              .time_s = keybed_.now_s(),
              .value = value,
              .bits = bits,
              .kind = kind,
              .key = static_cast<std::int8_t>(key)});
    }
    void tell_tables(const keyboard::LiveTables& tables) noexcept {
        tables_ = &tables;
        tell(core::TakeKind::tables, 0, tables.strokes_touch, tables.catch_up.empty() ? 0 : 1);
        for (std::size_t k = 0; k < tables.catch_up_touch.size(); ++k) {
            if (tables.catch_up_touch[k] != 0)
                tell(core::TakeKind::table_of_key, 0, tables.catch_up_touch[k], static_cast<int>(k));
        }
    }

    core::TakeTap* tap_;  // null: nobody listens
    core::TakeTap* other_ = nullptr;
    const keyboard::Keybed& keybed_;
    double catch_up_percent_ = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t touch_version_ = 0;
    const keyboard::LiveTables* tables_ = nullptr;
};

}  // namespace letoff::ui
