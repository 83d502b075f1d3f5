// Plays a performance on the keybed: decides when each finger starts, how hard, and when it leaves, so that the strike
// falls on the note's time.
//
// A note on a rested key: its stroke starts `travel_s` before the note. A note on a key that is still down or on its
// way up (a repetition): the finger leaves the held key as late as lets the key come up far enough and be struck again
// in time; what the earlier note loses is reported as note_shortened_ms. Where even that is too short the stroke is
// made anyway, from where the key is: the mechanics decide whether it sounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/midi/performance.h"
#include "core/port/strike_sink.h"
#include "keyboard/gesture/stroke_aim.h"
#include "keyboard/gesture/stroke_table.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::keyboard {

/// What became of one note.
struct NoteOutcome {
    int key_index = 0;
    double note_time_s = 0;
    double note_velocity = 0;
    bool struck = false;
    bool repetition = false;       // the key had not rested for kRest_s before its finger started
    core::Strike strike;           // if struck
    double note_shortened_ms = 0;  // how much earlier than its note-off the finger had to leave
    int extra_strikes = 0;         // further strikes before the next note of the key
};

class Player final : public core::StrikeSink {
  public:
    static constexpr double kRest_s = 0.120;

    /// The performance has to outlive the player. With `keys` each stroke is aimed on a copy of its key just before it
    /// starts (off line); without, the tables alone decide (live).
    Player(const core::Performance& performance, std::span<const StrokeTable> tables, int tick_hz,
           std::span<const KeyBuild> keys = {}, double begin_s = 0);

    /// The performance's time 0 is this long after the keybed's begin_s: a stroke begins before its note.
    static constexpr double kLead_s = 0.5;
    /// Keybed time after which nothing is left to do.
    double end_s() const { return end_s_; }

    /// Gives the keybed what its coming tick needs: presses, lifts, the pedal.
    void before_tick(Keybed& keybed);

    void on_strike(const core::Strike& strike) noexcept override;
    void on_key_bottom(int key_index, double time_s) noexcept override;
    void on_release(const core::Release& release) noexcept override;

    /// One a note, in the order of the performance, times as in the performance (the lead taken off).
    const std::vector<NoteOutcome>& outcomes() const { return outcomes_; }
    const std::vector<core::Release>& releases() const { return releases_; }
    /// Strikes that belong to no note: after the first of a note, or before any. Times as in the performance.
    const std::vector<core::Strike>& extra_strikes() const { return extra_strikes_; }

  private:
    struct Plan {
        int note;                // index into the performance
        Stroke stroke;           // from a rested key
        double start_s, lift_s;  // keybed time
        double lift_speed_mps;
        double path_share;  // of the full stroke that is planned: less on a key that has not come up fully
        bool aimed = false;
    };
    struct Key {
        std::vector<Plan> plans;
        size_t next_press = 0, next_lift = 0;
    };

    void plan_key(std::span<const int> notes, const StrokeTable& table, Key& key);
    // A foot on one pedal.
    struct Foot {
        std::vector<core::PedalMove> moves;  // as they are meant
        size_t next = 0;
    };
    static Foot foot_for(std::span<const core::PedalMove> moves);
    double sustain_at(double time_s) const;
    double after(std::int64_t tick, double share, const Foot& foot, size_t& next) const;
    void aim(int key_index, Plan& plan, const Keybed& keybed);

    const core::Performance& performance_;
    double h_s_;
    double lead_s_;  // keybed time of the performance's time 0
    Foot sustain_, sostenuto_, soft_;
    double end_s_ = 0;
    std::vector<Key> keys_;
    std::vector<NoteOutcome> outcomes_;
    std::vector<int> current_note_;  // of each key, -1 before its first
    std::vector<core::Release> releases_;
    std::vector<core::Strike> extra_strikes_;
    std::vector<StrokeAim> aims_;  // one a key, or none
};

}  // namespace letoff::keyboard
