#include "keyboard/gesture/live_player.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "keyboard/gesture/habits.h"

namespace letoff::keyboard {
namespace {

using Phase = core::Finger::Phase;

// A finger in a hurry leaves faster than the key can follow (full rise 55 ms, half 32 ms, at 0.25 m/s and more).
constexpr double kRepeatLift_mps = 0.5;
// A stroke that has not struck this long after it should have is silent.
constexpr double kSilent_s = 0.100;
// A key less deep than this, its hammer back on the lever, gives any stroke its speed. A hammer still falling from its
// check to the lever does not (A0, A4, C8): it is thrown twice as fast by MIDI velocity 24, by 52 and more the jack
// slips off its knuckle.
constexpr double kRestedDip_m = 0.002;
// A key whose finger has left is up in 0.06 s; it is struck from where it is if it is not up by then.
constexpr double kLongestRise_s = 0.200;

bool is_on_key(const Keybed& keybed, int index) {
    const Phase phase = keybed.finger(index).phase();
    return phase == Phase::press || phase == Phase::hold;
}

/// The key has come up as far as a stroke needs.
bool may_strike_anew(const Keybed& keybed, int index) {
    const core::StepOutput& output = keybed.block_of(index).output();
    const int lane = keybed.lane_of(index);
    return output.contact_force_N[kLeverKnuckle].lane[lane] > 0 &&
           output.contact_force_N[kTailBackcheck].lane[lane] <= 0 && keybed.dip_m(index) <= kRestedDip_m;
}

// 30 mm/s at the let-off: the hammer is thrown less than half of what is left to the strings (0.15 m/s, 1.1 mm).
constexpr double kSilentPress_mps2 = 0.05;

}  // namespace

LivePlayer::LivePlayer(core::SnapshotSwap<LiveTables>& tables, int keys, int tick_hz, core::StrikeSink* inner)
    : swap_(tables), inner_(inner), h_s_(1.0 / tick_hz), keys_(static_cast<size_t>(keys)), waiting_(kMostMessages) {
    for (int i = 0; i < core::kMidiNotes; ++i) {
        whole_mps_[static_cast<size_t>(i)] = core::speed_mps_of_midi_velocity(i);
        finer_[static_cast<size_t>(i)] =
            core::speed_mps_of_midi_velocity(i / static_cast<double>(core::kVelocity14bitPerStep)) /
            core::speed_mps_of_midi_velocity(0);
    }
}

double LivePlayer::speed_mps(double midi_velocity) const noexcept {
    const int steps = static_cast<int>(midi_velocity * core::kVelocity14bitPerStep);
    return whole_mps_[static_cast<size_t>(steps / core::kVelocity14bitPerStep)] *
           finer_[static_cast<size_t>(steps % core::kVelocity14bitPerStep)];
}

void LivePlayer::message(double time_s, const core::MidiMessage& message) noexcept {
    if (count_ == kMostMessages) {  // a note-off among the lost must not leave its note behind
        counts_.messages_dropped += static_cast<std::int64_t>(kMostMessages);
        release_all();
    }
    waiting_[(first_ + count_++) % kMostMessages] = {time_s, message};
}

void LivePlayer::release_all() noexcept {
    count_ = 0;
    all_up();
}

void LivePlayer::all_up() noexcept {
    prefix_.reset();
    pedals_.let_go();
    for (auto& channel : owed_) channel.fill(0);
    for (Key& key : keys_) {
        key.owed = 0;
        if (key.press_waits) ++counts_.superseded;
        key.press_waits = key.silent = false;
        key.silent_s = kNever_s;
        key.note.note_time_s = LiveNote{}.note_time_s;  // the next note is none of this moment's
        let_go(key, 0, core::kDefaultReleaseVelocity);
    }
}

void LivePlayer::before_tick(Keybed& keybed) noexcept {
    tables_ = &swap_.begin_tick();
    const double end_s = keybed.now_s() + h_s_;
    while (count_ > 0 && waiting_[first_].time_s <= end_s) {
        const Timed timed = waiting_[first_];
        first_ = (first_ + 1) % kMostMessages;
        --count_;
        act(keybed, std::max(timed.time_s, keybed.now_s()), timed.message);
    }
    for (int k = 0; k < static_cast<int>(keys_.size()); ++k) {
        if (key(k).busy()) go_on(keybed, k);
    }
    pedals_.move(keybed, h_s_);
}

void LivePlayer::act(Keybed& keybed, double time_s, core::MidiMessage message) noexcept {
    message.channel &= 15;  // both are indices below
    message.data1 &= 127;
    message.data2 &= 127;
    const std::optional<int> fine = prefix_.see(message);
    if (message.kind == core::MidiKind::system_reset) return all_up();
    if (core::is_note(message)) {
        if (!core::is_piano_note(message.data1) ||
            core::key_of_midi_note(message.data1) >= static_cast<int>(keys_.size())) {
            ++counts_.notes_outside_keys;
            return;
        }
        const double velocity = fine ? *fine / static_cast<double>(core::kVelocity14bitPerStep) : message.data2;
        if (message.kind == core::MidiKind::note_on && velocity >= 1) {
            ++owed_[message.channel][message.data1];
            note_on(keybed, time_s, message.data1, velocity);
        } else {
            note_off(
                time_s, message,
                velocity >= 1 && message.kind == core::MidiKind::note_off ? velocity : core::kDefaultReleaseVelocity);
        }
    } else if (message.kind == core::MidiKind::control_change) {
        control(time_s, message);
    } else if (message.kind == core::MidiKind::poly_pressure) {
        key_position(time_s, message.data1, message.data2);
    }
}

void LivePlayer::key_position(double time_s, int note, int value) noexcept {
    if (!core::is_piano_note(note) || core::key_of_midi_note(note) >= static_cast<int>(keys_.size())) return;
    Key& k = key(core::key_of_midi_note(note));
    if (value < kUpFrom) {
        k.silent_s = kNever_s;
        if (std::exchange(k.silent, false)) let_go(k, time_s, core::kDefaultReleaseVelocity);
    } else if (value >= kPressedFrom && k.owed == 0 && !k.silent && !k.motor && k.silent_s == kNever_s) {
        k.silent_s = time_s + kSilentAfter_s;
    }
}

void LivePlayer::note_on(Keybed& keybed, double time_s, int note, double midi_velocity) noexcept {
    const int index = core::key_of_midi_note(note);
    Key& k = key(index);
    ++k.owed;
    k.lift_waits = k.silent = false;
    k.silent_s = kNever_s;
    if (time_s - k.note.note_time_s < kSameMoment_s) {
        ++counts_.merged;
        return;
    }
    ++counts_.notes;
    k.note = {time_s, midi_velocity, CatchUpUse::real_travel, false};
    const double percent = catch_up_percent_.load(std::memory_order_relaxed);
    const bool asked = percent > 0 && !k.motor && tables_->may_catch_up(keybed, index);
    if (asked && !k.press_waits && may_catch_up(keybed, index)) {
        const CatchUpDone done = catch_up(keybed, index, tables_->catch_up[static_cast<size_t>(index)],
                                          {time_s, speed_mps(midi_velocity), percent});
        k.note.catch_up = CatchUpUse::caught_up;
        ++counts_.caught_up;
        counts_.catch_up_energy_J += done.energy_J;
        k.strike_s = done.strike_s;
        k.awaits_strike = true;
        return;
    }
    if (asked) {
        k.note.catch_up = CatchUpUse::not_caught_up;
        ++counts_.not_caught_up;
    }
    if (k.press_waits) {
        ++counts_.superseded;
    } else if (!is_on_key(keybed, index) && may_strike_anew(keybed, index)) {
        return press(keybed, index, time_s);
    }
    k.press_waits = true;
    k.give_up_s = std::max(time_s, k.strike_s) + kLongestRise_s;
}

void LivePlayer::note_off(double time_s, const core::MidiMessage& message, double midi_velocity) noexcept {
    int& owed = owed_[message.channel][message.data1];
    if (owed == 0) {
        ++counts_.stray_note_offs;
        return;
    }
    --owed;
    Key& k = key(core::key_of_midi_note(message.data1));
    if (--k.owed == 0) let_go(k, time_s, midi_velocity);
}

void LivePlayer::control(double time_s, const core::MidiMessage& message) noexcept {
    pedals_.control(message);
    if (message.data1 == core::kAllSoundOff || message.data1 >= core::kAllNotesOff) {
        all_off(time_s, message.channel);
    }
}

void LivePlayer::all_off(double time_s, int channel) noexcept {
    auto& owed = owed_[static_cast<size_t>(channel)];
    for (int note = 0; note < core::kMidiNotes; ++note) {
        int& count = owed[static_cast<size_t>(note)];
        if (count == 0) continue;
        Key& k = key(core::key_of_midi_note(note));
        k.owed -= count;
        count = 0;
        if (k.owed == 0) let_go(k, time_s, core::kDefaultReleaseVelocity);
    }
}

void LivePlayer::let_go(Key& k, double time_s, double midi_velocity) noexcept {
    k.lift_waits = true;
    k.lift_s = time_s;
    k.lift_mps = kLiftPerReleaseSpeed * speed_mps(midi_velocity);
}

void LivePlayer::press(Keybed& keybed, int index, double start_s) noexcept {
    Key& k = key(index);
    const Stroke stroke =
        tables_->strokes[static_cast<size_t>(index)].at(k.note.midi_velocity, keybed.lift_share(index));
    const double left = path_left(keybed.dip_m(index));
    keybed.press(index, start_s, stroke.acceleration_mps2 / left);
    k.press_waits = false;
    k.awaits_strike = true;
    k.strike_s = start_s + left * stroke.travel_s;
}

void LivePlayer::go_on(Keybed& keybed, int index) noexcept {
    Key& k = key(index);
    const double now_s = keybed.now_s();
    if (k.awaits_strike && now_s > k.strike_s + kSilent_s) {
        k.awaits_strike = false;
        ++counts_.silent;
    }
    if (now_s >= k.silent_s) {
        k.silent_s = kNever_s;
        k.silent = !is_on_key(keybed, index) && !k.press_waits;
        if (k.silent) keybed.press(index, now_s, kSilentPress_mps2);
    }
    if (!k.press_waits && !k.lift_waits) return;
    if (is_on_key(keybed, index)) {
        if (k.awaits_strike) return;
        const double lift_s = std::max(k.strike_s + kChecked_s, k.press_waits ? now_s : k.lift_s);
        if (lift_s >= now_s + h_s_) return;
        if (k.press_waits) return leave_quickly(keybed, index, std::max(lift_s, now_s));
        keybed.lift(index, std::max(lift_s, now_s), k.lift_mps);
        k.leaves_mps = k.lift_mps;
        k.lift_waits = false;
        return;
    }
    if (!k.press_waits) {  // nothing to let go, but perhaps for a hand on a key that was lost meanwhile
        if (keybed.finger(index).phase() == Phase::idle) keybed.lift(index, now_s, k.lift_mps);
        k.lift_waits = false;
        return;
    }
    if (may_strike_anew(keybed, index) || now_s >= k.give_up_s) return press(keybed, index, now_s);
    if (keybed.finger(index).phase() == Phase::lift && k.leaves_mps < kRepeatLift_mps)
        leave_quickly(keybed, index, now_s);
}

void LivePlayer::leave_quickly(Keybed& keybed, int index, double start_s) noexcept {
    keybed.lift(index, start_s, kRepeatLift_mps);
    key(index).leaves_mps = kRepeatLift_mps;
}

bool LivePlayer::idle() const {
    return count_ == 0 && !pedals_.on_their_way() &&
           std::none_of(keys_.begin(), keys_.end(), [](const Key& k) { return k.busy(); });
}

void LivePlayer::on_strike(const core::Strike& strike) noexcept {
    Key& k = key(strike.key_index);
    if (k.awaits_strike) {
        k.awaits_strike = false;
        k.note.struck = true;
        k.strike_s = strike.strike_time_s;
        ++counts_.strikes;
        if (k.note.catch_up == CatchUpUse::caught_up) ++counts_.caught_up_strikes;
    } else {
        ++counts_.extra_strikes;
    }
    if (inner_ != nullptr) inner_->on_strike(strike);
}

void LivePlayer::on_key_bottom(int key_index, double time_s) noexcept {
    if (inner_ != nullptr) inner_->on_key_bottom(key_index, time_s);
}

void LivePlayer::on_release(const core::Release& release) noexcept {
    if (inner_ != nullptr) inner_->on_release(release);
}

}  // namespace letoff::keyboard
