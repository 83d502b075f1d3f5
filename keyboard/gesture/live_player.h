// Plays live: MIDI messages become fingers on the keybed as they come, in the tick that covers the moment they came at.
//
// A note-on takes the key's stroke over just before the strings (catch_up.h) where the key's state allows it; else the
// stroke is made with real travel, and on a key still down the finger first leaves it as far as the mechanics need. A
// finger leaves a key at its note-off, but not before its stroke has struck and the hammer had time to be caught.
// Pairing as in core/midi/performance.h: an off is owed per on, whatever the channel; the key is let go when none is
// owed. A note-on within kSameMoment_s of its key's last one is the same stroke (two channels, one finger).
// A release velocity of 0 is taken as not sensed, 64: many keyboards send it.
// Polyphonic pressure is where a device's key is, between its note-on and note-off and beside them: a key that stays
// down past kPressedFrom without a note is pressed silently, which lifts its damper, until it is up past kUpFrom.
// Whoever has a keyboard that sends pressure as aftertouch must not hand it over. Pedals: live_pedals.h.
//
// Thread rules: one object, on the keybed's thread: message(), release_all(), before_tick(), and as the keybed's strike
// sink. No allocation after construction. Tables are published by control threads through the swap; what is in use
// plays on until the next tick after. set_catch_up() may be called on any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/midi/message.h"
#include "core/midi/velocity.h"
#include "core/port/strike_sink.h"
#include "core/rt/snapshot.h"
#include "core/unit/keys.h"
#include "keyboard/gesture/catch_up.h"
#include "keyboard/gesture/catch_up_table.h"
#include "keyboard/gesture/live_pedals.h"
#include "keyboard/gesture/stroke_table.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {

/// What a live player plays by. `catch_up` may be empty: until it is there, all travel is real. It holds states of the
/// key as it was recorded; put into a key of another touch they would press felts together that throw the hammer. So
/// each is used only while its key has the touch of the stamp kept beside it; a stroke is only a finger's way and is
/// used until a better one comes.
struct LiveTables {
    std::vector<StrokeTable> strokes;  // one a key
    std::vector<CatchUpTable> catch_up;
    std::vector<std::uint64_t> catch_up_touch;  // stamps; empty: all as the keybed was built (0)
    std::uint64_t strokes_touch = 0;            // the newest stamp among the strokes

    bool may_catch_up(const Keybed& keybed, int key_index) const noexcept {
        const auto k = static_cast<size_t>(key_index);
        return k < catch_up.size() && catch_up[k].playable() &&
               keybed.has_touch(key_index, k < catch_up_touch.size() ? catch_up_touch[k] : 0);
    }
};

enum class CatchUpUse : std::uint8_t {
    real_travel,    // asked for, or there is no table yet
    caught_up,      // struck as its message came
    not_caught_up,  // the key's state did not allow it
};

/// The last note of a key. Read it in the inner sink's on_strike to learn how the strike came about.
struct LiveNote {
    double note_time_s = -std::numeric_limits<double>::infinity();  // of its message
    double midi_velocity = 0;
    CatchUpUse catch_up = CatchUpUse::real_travel;
    bool struck = false;
};

struct LiveCounts {
    std::int64_t notes = 0;  // strokes asked for
    std::int64_t strikes = 0, extra_strikes = 0;
    std::int64_t caught_up = 0, not_caught_up = 0;
    std::int64_t caught_up_strikes = 0;  // of the strikes; as many as caught_up unless mechanics failed
    std::int64_t merged = 0;             // note-ons of the same moment
    std::int64_t superseded = 0;         // a stroke that waited for its key to come up when the next note came
    std::int64_t silent = 0;             // strokes that did not strike
    std::int64_t stray_note_offs = 0, notes_outside_keys = 0;
    std::int64_t messages_dropped = 0;  // the queue was full: all was let go
    double catch_up_energy_J = 0;
};

class LivePlayer final : public core::StrikeSink {
  public:
    static constexpr double kSameMoment_s = 0.010;  // a key repeats at most some fifteen times a second
    static constexpr size_t kMostMessages = 4096;   // waiting for their tick
    // Of 127. The damper leaves its strings from 45 % of the dip on; the jack lets go at 90 %.
    static constexpr int kPressedFrom = 76, kUpFrom = 50;
    static constexpr double kSilentAfter_s = 0.100;  // a stroke that is to sound has struck by then

    /// Both have to outlive the player; the tables as many as the keybed has keys. `inner` is told strikes, key bottoms
    /// and releases.
    LivePlayer(core::SnapshotSwap<LiveTables>& tables, int keys, int tick_hz, core::StrikeSink* inner);

    /// A message that came at time_s of the keybed's clock, in the order of coming; acts in the tick that covers it.
    void message(double time_s, const core::MidiMessage& message) noexcept;
    /// A source was lost, or panic: waiting messages forgotten, all fingers leave, pedal up.
    void release_all() noexcept;
    /// Before the tick that covers (now, now + 1 / tick_hz].
    void before_tick(Keybed& keybed) noexcept;

    /// Percent, see kCatchUpRows. Any thread; holds from the next note on.
    void set_catch_up(double percent) noexcept {
        catch_up_percent_.store(core::clamp_to(kCatchUpRows[0], percent), std::memory_order_relaxed);
    }
    /// A key whose motor is enabled is never moved at once: a hand may be on it.
    void set_motor_enabled(int key_index, bool enabled) noexcept { key(key_index).motor = enabled; }

    const LiveNote& note(int key_index) const { return keys_[static_cast<size_t>(key_index)].note; }
    const LiveCounts& counts() const { return counts_; }
    /// Of the last tick; other ones are at another place. Null before the first tick.
    const LiveTables* tables() const noexcept { return tables_; }
    /// No finger and no foot has work to do.
    bool idle() const;

    void on_strike(const core::Strike& strike) noexcept override;
    void on_key_bottom(int key_index, double time_s) noexcept override;
    void on_release(const core::Release& release) noexcept override;

  private:
    static constexpr double kNever_s = std::numeric_limits<double>::infinity();
    struct Key {
        LiveNote note;
        int owed = 0;  // note-offs still to come, all channels
        bool motor = false;
        bool awaits_strike = false, press_waits = false, lift_waits = false;
        double strike_s = 0;  // expected, or the last one's time
        double lift_s = 0, lift_mps = 0;
        double leaves_mps = 0;       // the finger that is leaving
        double give_up_s = 0;        // a waiting stroke begins then at the latest
        double silent_s = kNever_s;  // a silent press begins then
        bool silent = false;         // pressed so
        /// Something of it is still to come.
        bool busy() const { return awaits_strike || press_waits || lift_waits || silent_s < kNever_s; }
    };

    Key& key(int index) { return keys_[static_cast<size_t>(index)]; }
    void act(Keybed& keybed, double time_s, core::MidiMessage message) noexcept;
    void note_on(Keybed& keybed, double time_s, int note, double midi_velocity) noexcept;
    void note_off(double time_s, const core::MidiMessage& message, double midi_velocity) noexcept;
    void control(double time_s, const core::MidiMessage& message) noexcept;
    void key_position(double time_s, int note, int value) noexcept;
    void all_up() noexcept;
    void all_off(double time_s, int channel) noexcept;
    void let_go(Key& key, double time_s, double midi_velocity) noexcept;
    void press(Keybed& keybed, int index, double start_s) noexcept;
    void go_on(Keybed& keybed, int index) noexcept;
    void leave_quickly(Keybed& keybed, int index, double start_s) noexcept;
    double speed_mps(double midi_velocity) const noexcept;

    struct Timed {
        double time_s;
        core::MidiMessage message;
    };

    core::SnapshotSwap<LiveTables>& swap_;
    const LiveTables* tables_ = nullptr;  // of this tick
    core::StrikeSink* inner_;
    double h_s_;
    std::vector<Key> keys_;
    std::vector<Timed> waiting_;  // a ring
    size_t first_ = 0, count_ = 0;
    core::VelocityPrefix prefix_;
    std::array<std::array<int, core::kMidiNotes>, core::kMidiChannels> owed_{};
    LivePedals pedals_;
    std::atomic<double> catch_up_percent_{kCatchUpRows[0].default_value};
    std::array<double, core::kMidiNotes> whole_mps_{};         // 10^..., of whole velocities
    std::array<double, core::kVelocity14bitPerStep> finer_{};  // factor of each 128th more
    LiveCounts counts_;
};

}  // namespace letoff::keyboard
