// One tick of the live instrument, in the order in which a keystroke goes through it: messages that came in and motion
// of a motor array's keys, fingers, 88 actions, then forces to the array, contact forces to the sound, strikes and
// releases to MIDI out.
//
// Keybed time: its tick k is the loop's tick k - first; a gap in the loop's time moves the keybed's time zero, never
// its count. Threads: on_period, idle_ticks and the strike sink on the keybed's thread, real-time safe; release_all(),
// newest_status() and the rest on the control thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/event/take_tap.h"
#include "core/port/strike_sink.h"
#include "core/rt/latest_value.h"
#include "core/rt/monotonic_clock.h"
#include "core/rt/periodic_loop.h"
#include "hw/midi/midi_inputs.h"
#include "hw/midi/midi_strike_out.h"
#include "hw/osc/osc_in.h"
#include "keyboard/gesture/live_player.h"
#include "keyboard/keybed/keybed.h"
#include "ui/app/live/live_array.h"
#include "ui/app/live/live_sound_out.h"
#include "ui/app/live/message_feed.h"
#include "ui/app/live/page_port.h"
#include "ui/app/recording/take_log.h"

namespace letoff::ui {

struct KeybedStatus {
    std::int64_t ticks = 0;
    keyboard::LiveCounts player;
    std::int64_t keybed_faults = 0, not_converged = 0;
    int sleeping_keys = 0;
    int live_keys = 0;  // played on a motor array
};

class KeybedWork final : public core::PeriodicWork, public core::StrikeSink {
  public:
    /// A touch published while the loop idles waits for its next wake-up: wake the clock.
    KeybedWork(keyboard::Keybed& keybed, core::SnapshotSwap<keyboard::LiveTables>& tables,
               core::SnapshotSwap<keyboard::KeybedTouch>& touches, hw::MidiInputs& inputs, hw::MidiOutQueue& out,
               LiveSoundOut& sound, MessageFeed& feed, const core::MonotonicClock& clock);

    /// Before the loop starts: whose time it is, the motorised keys if there are any, and the page that plays and
    /// looks, if there is one.
    void follow(const core::PeriodicLoop& loop) { loop_ = &loop; }
    void play_array(LiveArray& array) {
        array_ = &array;
        if (array.has_hands()) take_.with_hands();
    }
    void serve(PagePort& page) { page_ = &page; }
    void take_osc(hw::OscIn& osc) { osc_ = &osc; }

    void on_period(std::int64_t tick) noexcept override;
    std::int64_t idle_ticks() noexcept override;

    void on_strike(const core::Strike& strike) noexcept override {
        out_.on_strike(strike);
        if (local_.load(std::memory_order_relaxed)) sound_.on_strike(strike);
        if (page_ != nullptr) page_->note_strike(strike, keybed_.now_ticks() - first_tick_);
        take_.strike(strike);
    }
    void on_key_bottom(int key_index, double time_s) noexcept override { out_.on_key_bottom(key_index, time_s); }
    void on_release(const core::Release& release) noexcept override {
        out_.on_release(release);
        take_.release(release);
    }

    /// Before the loop starts: who is told everything that is played while the tap is switched on.
    void tell_to(core::TakeTap& tap) { take_.tell_to(tap); }
    /// After the loop has stopped: what is told ends.
    void finish_takes() noexcept { take_.finish(); }
    /// Before the loop starts: how fine the velocities are that go out.
    void set_midi_velocity(core::VelocityForm form) noexcept { out_.set_velocity_form(form); }
    /// Off: what is played goes out and makes no sound here; controller 122 sets it too. What sounds dies away.
    void set_local(bool on) noexcept { local_.store(on, std::memory_order_relaxed); }
    bool local() const noexcept { return local_.load(std::memory_order_relaxed); }
    /// Before the loop starts: where keys are goes out so many times a second; 0: never.
    void set_key_position_hz(int hz) noexcept { position_ticks_ = hz > 0 ? std::max(1, keybed_.tick_hz() / hz) : 0; }
    /// Before the loop starts: polyphonic pressure that comes in is where keys are (live_player.h); else it means
    /// nothing.
    void take_key_positions(bool taken) noexcept { positions_in_ = taken; }
    /// Panic: all fingers leave, the pedal goes up.
    void release_all() noexcept { release_all_.store(true, std::memory_order_release); }
    /// From the next tick on.
    void set_catch_up(double percent) noexcept { catch_up_percent_.store(percent, std::memory_order_relaxed); }
    /// The last program change since the last call, 0..127; -1: none came.
    int take_program() noexcept { return program_.exchange(-1, std::memory_order_relaxed); }
    /// False: nothing new since the last call.
    bool newest_status(KeybedStatus& status) noexcept;

  private:
    double ahead_s() const noexcept;
    double keybed_time_s(std::int64_t monotonic_ns) const noexcept;
    void take_messages(double until_s) noexcept;
    void play(double time_s, const core::MidiMessage& message) noexcept;
    void release() noexcept;
    void tell_status() noexcept;
    void take_from_page(double earlier_s) noexcept;

    /// The sound, deaf to hammers and to what the action knocks while local control is off.
    struct LocalSound final : core::SoundSink {
        explicit LocalSound(KeybedWork& work) : owner(work) {}
        void on_tick(const core::SoundFrame& frame) noexcept override;
        KeybedWork& owner;
    };

    keyboard::Keybed& keybed_;
    core::SnapshotSwap<keyboard::KeybedTouch>& touches_;
    keyboard::LivePlayer player_;
    hw::MidiInputs& inputs_;
    hw::MidiStrikeOut out_;
    LiveSoundOut& sound_;
    MessageFeed& feed_;
    const core::MonotonicClock& clock_;
    const core::PeriodicLoop* loop_ = nullptr;
    LiveArray* array_ = nullptr;
    PagePort* page_ = nullptr;
    hw::OscIn* osc_ = nullptr;
    bool page_knows_ = false;  // that nothing moves any more
    TakeLog take_;
    std::atomic<double> catch_up_percent_;
    const std::int64_t first_tick_;  // the keybed's at the loop's tick 0
    std::int64_t zero_tick_ = INT64_MIN;
    std::atomic<bool> release_all_{false};
    std::atomic<int> program_{-1};
    int position_ticks_ = 0;
    bool positions_in_ = false;
    std::atomic<bool> local_{true};
    LocalSound local_sound_{*this};
    core::LatestValue<KeybedStatus> status_;
};

}  // namespace letoff::ui
