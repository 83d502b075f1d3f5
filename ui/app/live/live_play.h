// The instrument live: one Instrument, its keybed on a real-time thread, its sound on a device, MIDI in and out. Every
// part that is lost is reported once and found again while the rest plays on.
//
// Threads: all calls on the control thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "audio/device/audio_out.h"
#include "core/fault/fault.h"
#include "core/result.h"
#include "core/rt/periodic_thread.h"
#include "hw/osc/osc_in.h"
#include "hw/osc/osc_out.h"
#include "storage/input_map_store.h"
#include "storage/profile.h"
#include "ui/app/instrument.h"
#include "ui/app/live/event_lines.h"
#include "ui/app/live/keybed_work.h"
#include "ui/app/live/live_touch.h"
#include "ui/app/live/midi_thread.h"
#include "ui/app/live/motor_keys.h"
#include "ui/app/live/rearm_desk.h"
#include "ui/app/live/tuning_in.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/recording/take_desk.h"

namespace letoff::ui {

struct LiveSetting {
    audio::AudioSetting audio;
    hw::MidiChoice midi_in{hw::MidiChoice::Kind::kAuto, {}};
    std::vector<hw::MidiOutputChoice> midi_out;
    int key_position_hz = 0;        // where keys are, as polyphonic pressure; 0: not sent
    bool key_positions_in = false;  // what comes as polyphonic pressure is where keys are
    bool local = true;              // what is played sounds here too
    std::string osc_in, osc_out;    // hw/osc; "": none
    KeybedWay keybed = KeybedWay::kAuto;
    keyboard::HapticValues haptics = keyboard::haptic_defaults();
    hw::ArrayOptions array;  // what is kept of motorised keyboards; the stream is chosen by the tick
    core::RtMode rt = core::RtMode::automatic;
    double catch_up_percent = 100;
    bool catch_up_fixed = false;  // by the user: a touch that comes later does not turn it
    /// What is asked for over the profile's tuning, for a touch that comes later; null: nothing.
    std::function<core::Result<core::StringValues>(const core::StringValues&)> tuned{};
    LiveSamples samples;
    bool demo = false;
    bool once = false;                                    // the demo once, then done()
    std::optional<storage::RecordingStore> recordings{};  // where what is played is kept under `recording`'s name
    storage::RecordingHead recording{};
    std::optional<storage::RecordingStore> captures{};  // likewise, what nobody asked for, under `captured`'s
    storage::RecordingHead captured{};
    std::string events{};                                              // where lines of JSON go; "-": standard output
    std::vector<storage::KnownKeyboard> keyboards{};                   // what was learnt of foreign ones
    core::VelocityForm midi_velocity = core::VelocityForm::prefix_88;  // of what goes out
};

struct LiveReport {
    double played_s = 0;
    KeybedStatus keybed;
    std::int64_t late_ours = 0, late_hosts = 0, skipped_ticks = 0;
    double tick_p50_us = 0, tick_p99_us = 0, tick_p999_us = 0, tick_max_us = 0;  // processor time of a tick
    std::vector<core::Histogram::Bin> tick_times;
    double lateness_p50_us = 0, lateness_p99_us = 0, lateness_p999_us = 0, lateness_max_us = 0;
    std::int64_t blocks = 0, xruns = 0, blocks_over_period = 0, blocks_over_period_ours = 0;
    double block_p50_us = 0, block_p999_us = 0;
    audio::LiveSoundStatus sound;
    audio::AudioFormat audio;
    int touch_changes = 0;  // taken over while it played
};

/// "pulse (NAME), 48000 Hz in blocks of 128 frames".
std::string words_of(const audio::AudioFormat& format);

/// What it plays on, and what else there is.
struct LiveDevices {
    audio::AudioChoice audio_choice;
    audio::AudioFormat audio;
    bool audio_runs = false;  // else it is lost and tried again
    hw::MidiChoice midi_in;
    std::vector<hw::MidiOutputChoice> midi_out;
    hw::MidiDevices midi;
    KeybedWay keybed = KeybedWay::kNone;
    std::vector<hw::DeviceReport> motors;
};

class LivePlay {
  public:
    /// Called with one sentence for everything that happens: what was opened, lost, found.
    using Say = std::function<void(const std::string&)>;

    /// Everything runs when it returns. `instrument` must outlive it. Error: a sentence.
    static core::Result<std::unique_ptr<LivePlay>> start(Instrument& instrument, LiveSetting setting, Say say);
    /// Fingers leave, notes are ended, sound and MIDI closed.
    ~LivePlay();
    LivePlay(const LivePlay&) = delete;
    LivePlay& operator=(const LivePlay&) = delete;

    /// From the next tick on the keys turn into this touch while they play; their tables follow behind. A sentence says
    /// what becomes of it: which keys change.
    /// `profile`: of which it is made, for a recording.
    std::string take_touch(const Touch& touch, const storage::Profile& profile);
    /// The last program change that came by MIDI, 0..127; -1: none since the last call.
    int take_program() { return work_->take_program(); }
    /// Rows of the touch that OSC asked for since the last call.
    std::vector<hw::OscParameter> take_osc_parameters() {
        return osc_in_ ? osc_in_->take_parameters() : std::vector<hw::OscParameter>();
    }
    /// Every 50 ms or so.
    void poll();
    /// The demo was to be played once and has been.
    bool done() const;
    /// All fingers leave, sound and MIDI end; the report holds what was. A sentence if something was lost by it.
    core::Result<bool> stop();
    /// After stop(): a sound server that stands still holds MIDI's thread, which goes on to use what it has. So this
    /// must not be destroyed, and the program be left by _Exit.
    bool held_by_server() const { return held_by_server_; }

    LiveReport report();
    /// The ticks up to the first late one, oldest first; empty: there was none since the last call.
    std::vector<core::TickRecord> take_late_ticks();
    // live_devices.cpp
    LiveDevices devices();
    /// The sound goes out another way; a sentence which. It may take seconds, in which the keys play on unheard. Where
    /// it cannot be had what was before is taken again, and the error says so.
    core::Result<std::string> use_audio(const audio::AudioChoice& choice);
    void use_midi_in(hw::MidiChoice choice);
    void use_midi_out(std::vector<hw::MidiOutputChoice> choices);
    /// Somebody has looked: motors that fell may push again.
    core::Result<std::string> rearm();

    /// Where a settings page plays and looks; it is served for as long as this plays.
    PagePort& page() { return page_; }
    /// What is kept of what is played; likewise.
    TakeDesk& takes() { return takes_; }
    const core::FaultCounters& faults() const { return faults_; }

  private:
    LivePlay(Instrument& instrument, LiveSetting setting, Say say);
    core::Result<bool> open_audio();
    std::string take_sound(const Touch& touch);
    void want_samples();
    void want_room();
    void say(const std::string& sentence) const { say_(sentence); }
    void say_midi();
    std::vector<audio::AudioEvent> poll_audio();
    core::Result<bool> open_keybed();
    void poll_keybed();
    void take_keybed_status();
    void open_tuning();
    void poll_tuning();
    core::Result<bool> begin();
    core::Result<bool> start_recording();
    core::Result<bool> open_event_lines();
    core::Result<bool> open_osc();

    // In the order of construction; taken down the other way round.
    Instrument& instrument_;
    LiveSetting setting_;
    Say say_;
    core::FaultCounters faults_;
    core::MonotonicClock clock_;
    PagePort page_{clock_};
    TakeDesk takes_{faults_, [this] { clock_.wake(); }};
    LiveTouch touch_;
    MessageFeed feed_;
    LiveSoundOut sound_;
    std::mutex audio_mutex_;  // MIDI's thread asks about the sound; taken while that is polled or stopped
    std::unique_ptr<audio::AudioOut> audio_;
    std::unique_ptr<MidiThread> midi_;
    std::unique_ptr<TuningIn> tuning_in_;
    std::unique_ptr<MotorKeys> motor_;
    std::unique_ptr<RearmDesk> rearm_desk_;
    std::unique_ptr<LiveArray> array_;
    std::unique_ptr<EventLines> event_lines_;
    std::unique_ptr<hw::OscIn> osc_in_;
    std::unique_ptr<KeybedWork> work_;
    std::unique_ptr<core::PeriodicThread> thread_;
    std::set<std::string> devices_;  // motorised keyboards that are played, by serial
    std::int64_t started_ns_ = 0, done_since_ns_ = 0;
    std::int64_t xruns_ = 0, xruns_told_ns_ = 0;
    std::int64_t xruns_of_others_ = 0;  // of the devices before
    LiveReport last_;
    bool stopped_ = false, held_by_server_ = false;
};

}  // namespace letoff::ui
