// The ticks of live play without its clock, for a piece that is taken in off line and for a replay (take_run.h). What
// happens is told to a tap, if there is one.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "keyboard/gesture/live_player.h"
#include "keyboard/keybed/keybed.h"
#include "ui/app/instrument.h"
#include "ui/app/recording/motor_replay.h"
#include "ui/app/recording/take_log.h"

namespace letoff::ui {

class VirtualPlay final : public core::StrikeSink {
  public:
    VirtualPlay(Instrument& instrument, std::unique_ptr<const keyboard::LiveTables> tables, core::TakeTap* tap,
                OfflineSound* sound)
        : keybed_(instrument.keybed()),
          tables_(std::move(tables)),
          touches_(std::make_unique<keyboard::KeybedTouch>()),
          player_(tables_, keybed_.keys(), keybed_.tick_hz(), this),
          take_(keybed_),
          motor_(keybed_),
          sound_(sound) {
        if (tap != nullptr) take_.tell_to(*tap);
    }

    void publish(std::unique_ptr<const keyboard::LiveTables> tables) { tables_.publish(std::move(tables)); }
    void publish(std::unique_ptr<const keyboard::KeybedTouch> touch) { touches_.publish(std::move(touch)); }
    void set_catch_up(double percent) { catch_up_percent_ = percent; }
    void message(double time_s, const core::MidiMessage& message) {
        take_.message(time_s, message);
        player_.message(time_s, message);
    }
    void release_all() {
        take_.release_all();
        player_.release_all();
    }
    bool motor(const core::TakeEvent& event, double shift_s) { return motor_.take(event, shift_s); }
    /// What is told begins, where it has not yet: before the first message.
    void begin_take() { take_.follow_switches(); }
    void finish_take() { take_.finish(); }
    void tick() {
        take_.follow_switches();
        player_.set_catch_up(catch_up_percent_);
        const keyboard::KeybedTouch& touch = touches_.begin_tick();
        keybed_.take_touch(touch);
        motor_.before_tick(player_);
        player_.before_tick(keybed_);
        take_.before_tick(catch_up_percent_, touch, *player_.tables());
        keybed_.tick(sound_, &player_);
        take_.after_tick();
    }
    const keyboard::LiveCounts& counts() const { return player_.counts(); }
    const std::vector<core::Strike>& strikes() const { return strikes_; }

    void on_strike(const core::Strike& strike) noexcept override {
        take_.strike(strike);
        if (sound_ != nullptr) sound_->on_strike(strike);
        strikes_.push_back(strike);
    }
    void on_key_bottom(int /*key_index*/, double /*time_s*/) noexcept override {}
    void on_release(const core::Release& release) noexcept override { take_.release(release); }

  private:
    keyboard::Keybed& keybed_;
    core::SnapshotSwap<keyboard::LiveTables> tables_;
    core::SnapshotSwap<keyboard::KeybedTouch> touches_;
    keyboard::LivePlayer player_;
    TakeLog take_;
    MotorReplay motor_;
    OfflineSound* sound_;
    double catch_up_percent_ = keyboard::kCatchUpRows[0].default_value;
    std::vector<core::Strike> strikes_;
};

}  // namespace letoff::ui
