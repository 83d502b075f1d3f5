#include "ui/app/recording/take_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "storage/recording_writer.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/recording/recording_file.h"
#include "ui/app/recording/table_history.h"
#include "ui/app/recording/virtual_play.h"

namespace letoff::ui {
namespace {

constexpr double kLettingGo_s = 0.3;  // as live play ends: fingers leave, hammers and dampers are back

bool same_bits(const core::Strike& strike, const core::TakeEvent& event, double shift_s) {
    return strike.key_index == event.key && strike.strike_time_s == event.time_s + shift_s &&
           strike.hammer_speed_mps == event.value;
}

class Replay {
  public:
    Replay(Instrument& instrument, const storage::Recording& recording, const TakeSound& sound)
        : instrument_(instrument),
          keybed_(instrument.keybed()),
          recording_(recording),
          setting_(sound),
          history_(instrument),
          sound_(sound.out ? make_sound() : nullptr),
          play_(instrument, first_tables(instrument), nullptr, sound_.get()) {
        find_begin();
    }

    core::Result<ReplayReport> run(const Progress& progress) {
        const std::int64_t first = keybed_.now_ticks();
        const std::int64_t last = recording_.events.empty() ? first : end_of(recording_.events.back());
        while (keybed_.now_ticks() < last || next_ < recording_.events.size()) {
            if (auto done = give(); !done) return core::Error{done.error()};
            if (keybed_.now_ticks() >= last) break;
            play_.tick();
            compare_state();
            if (progress && keybed_.now_ticks() % keybed_.tick_hz() == 0)
                progress(static_cast<double>(keybed_.now_ticks() - first) / static_cast<double>(last - first + 1),
                         "replaying");
        }
        report_.state_hash = keybed_.state_hash();
        compare_strikes();
        if (sound_) fade(last);
        report_.duration_s = keybed_.now_s() - static_cast<double>(first) / keybed_.tick_hz();
        return report_;
    }

  private:
    std::unique_ptr<OfflineSound> make_sound();

    /// One that began while it was played is played as if it had begun with the instrument, a quarter of a second
    /// before its first message.
    void find_begin() {
        if (recording_.events.empty() || recording_.events.front().kind != core::TakeKind::begin) return;
        const core::TakeEvent& begin = recording_.events.front();
        if (begin.tick == keybed_.now_ticks()) return;
        first_touch_ = begin.bits;
        const auto lead = static_cast<std::int64_t>(storage::RecordingWriter::kLead_s * keybed_.tick_hz());
        const auto played = std::find_if(recording_.events.begin(), recording_.events.end(), [&](const auto& event) {
            return event.tick > begin.tick &&
                   (event.kind == core::TakeKind::message || event.kind == core::TakeKind::motion);
        });
        const std::int64_t from =
            played == recording_.events.end() ? begin.tick : std::max(begin.tick, played->tick - lead);
        shift_ = keybed_.now_ticks() - from;
        shift_s_ = static_cast<double>(shift_) / keybed_.tick_hz();
    }
    std::int64_t tick_of(const core::TakeEvent& event) const { return event.tick + shift_; }
    /// The tick before which it has happened: strikes and releases happen in theirs, and where a program was killed one
    /// may be the last that was kept.
    std::int64_t end_of(const core::TakeEvent& event) const {
        const bool in_tick = event.kind == core::TakeKind::strike || event.kind == core::TakeKind::release;
        return tick_of(event) + (in_tick ? 1 : 0);
    }
    /// A touch that the keys had as it began is the one that the instrument is built with.
    std::uint64_t touch_since(std::uint64_t version) const {
        return version != keyboard::kNoTouch && version <= first_touch_ ? 0 : version;
    }

    /// What came in before the coming tick.
    core::Result<bool> give() {
        const std::int64_t tick = keybed_.now_ticks();
        for (; next_ < recording_.events.size() && tick_of(recording_.events[next_]) <= tick; ++next_) {
            const core::TakeEvent& event = recording_.events[next_];
            if (play_.motor(event, shift_s_)) continue;
            switch (event.kind) {
                case core::TakeKind::message:
                    play_.message(event.time_s + shift_s_, event.message);
                    break;
                case core::TakeKind::release_all:
                    play_.release_all();
                    break;
                case core::TakeKind::catch_up:
                    play_.set_catch_up(event.value);
                    break;
                case core::TakeKind::touch:
                    if (touch_since(event.bits) == 0 && first_touch_ > 0) break;
                    if (auto done = turn(event.bits); !done) return done;
                    break;
                case core::TakeKind::tables:
                    tables(event);
                    break;
                default:
                    break;
            }
        }
        return true;
    }

    core::Result<bool> turn(std::uint64_t version) {
        while (next_touch_ < recording_.touches.size() && recording_.touches[next_touch_].version <= version) {
            const storage::RecordedTouch& touch = recording_.touches[next_touch_++];
            const auto profile = recorded_profile(touch.profile_json, recording_.head.name);
            if (!profile) return core::Error{profile.error()};
            const auto made = touch_of(profile.value());
            if (!made) return core::Error{made.error()};
            history_.turn(touch.version, made.value());
        }
        play_.publish(history_.keybed_touch(version));
        return true;
    }

    void tables(const core::TakeEvent& event) {
        std::vector<std::uint64_t> catch_up;
        if (event.key != 0) {
            catch_up.assign(static_cast<std::size_t>(keybed_.keys()), 0);
            for (std::size_t i = next_ + 1; i < recording_.events.size(); ++i) {
                const core::TakeEvent& of_key = recording_.events[i];
                if (of_key.kind != core::TakeKind::table_of_key || of_key.tick != event.tick) break;
                if (of_key.key >= 0 && static_cast<std::size_t>(of_key.key) < catch_up.size())
                    catch_up[static_cast<std::size_t>(of_key.key)] = touch_since(of_key.bits);
            }
        }
        const std::uint64_t strokes = touch_since(event.bits);
        if (strokes == 0 && catch_up.empty()) return;  // those that it begins with
        play_.publish(history_.tables(strokes, std::move(catch_up)));
    }

    void compare_state() {
        while (next_state_ < recording_.events.size() &&
               (recording_.events[next_state_].kind != core::TakeKind::state ||
                tick_of(recording_.events[next_state_]) < keybed_.now_ticks()))
            ++next_state_;
        if (next_state_ == recording_.events.size() || tick_of(recording_.events[next_state_]) != keybed_.now_ticks())
            return;
        ++report_.states;
        if (recording_.events[next_state_].bits == keybed_.state_hash()) {
            ++report_.same_states;
        } else if (!report_.differs_after_s) {
            report_.differs_after_s = std::max(0.0, keybed_.now_s() - shift_s_ - recording_.head.begin_s);
        }
    }

    void compare_strikes() {
        const std::vector<core::Strike>& strikes = play_.strikes();
        std::size_t i = 0;
        for (const core::TakeEvent& event : recording_.events) {
            if (event.kind != core::TakeKind::strike) continue;
            ++report_.strikes;
            if (i < strikes.size() && same_bits(strikes[i], event, shift_s_)) ++report_.same_strikes;
            ++i;
        }
        report_.extra_strikes = static_cast<int>(strikes.size() > i ? strikes.size() - i : 0);
    }

    /// The sound dies away.
    void fade(std::int64_t last) {
        play_.release_all();
        const std::int64_t latest = last + static_cast<std::int64_t>(setting_.tail_s * keybed_.tick_hz());
        const std::int64_t quiet = static_cast<std::int64_t>(OfflineSound::kSilentFor_s * keybed_.tick_hz());
        while (keybed_.now_ticks() < latest &&
               (keybed_.now_ticks() < last + quiet || keybed_.now_ticks() - sound_->last_sound_tick() < quiet))
            play_.tick();
        sound_->finish();
        report_.max_abs_sample = sound_->max_abs_sample();
    }

    Instrument& instrument_;
    keyboard::Keybed& keybed_;
    const storage::Recording& recording_;
    TakeSound setting_;
    TableHistory history_;
    std::unique_ptr<OfflineSound> sound_;
    VirtualPlay play_;
    std::size_t next_ = 0, next_state_ = 0, next_touch_ = 0;
    std::int64_t shift_ = 0;  // from the recording's ticks to the instrument's
    double shift_s_ = 0;
    std::uint64_t first_touch_ = 0;  // that the keys had as it began
    ReplayReport report_;
};

std::unique_ptr<OfflineSound> Replay::make_sound() {
    return instrument_.offline_sound(0, setting_.out);
}

}  // namespace

core::Result<ReplayReport> replay(Instrument& instrument, const storage::Recording& recording, const TakeSound& sound,
                                  const Progress& progress) {
    if (recording.head.tick_hz != instrument.setting().tick_hz) {
        return core::Error{fmt::format("the recording '{}' was played at {} ticks a second, this instrument has {}",
                                       recording.head.name, recording.head.tick_hz, instrument.setting().tick_hz)};
    }
    return Replay(instrument, recording, sound).run(progress);
}

TakenIn take_in(Instrument& instrument, const std::vector<core::TimedMidiMessage>& messages, double end_s,
                core::TakeTap& tap, const std::function<void()>& drain, const Progress& progress) {
    keyboard::Keybed& keybed = instrument.keybed();
    const int keys = keybed.keys();
    VirtualPlay play(instrument,
                     TableHistory(instrument).tables(0, std::vector<std::uint64_t>(static_cast<std::size_t>(keys), 0)),
                     &tap, nullptr);
    const double begin_s = keybed.now_s();
    const double stop_s = begin_s + end_s;
    std::size_t next = 0;
    play.begin_take();
    const auto tick = [&] {
        play.tick();
        if (keybed.now_ticks() % keybed.tick_hz() != 0) return;
        drain();
        if (progress) progress(std::min(1.0, (keybed.now_s() - begin_s) / std::max(end_s, 1e-3)), "playing");
    };
    while (next < messages.size() || keybed.now_s() < stop_s) {
        const double until_s = keybed.now_s() + 1.0 / keybed.tick_hz();
        for (; next < messages.size() && begin_s + messages[next].time_s <= until_s; ++next)
            play.message(begin_s + messages[next].time_s, messages[next].message);
        tick();
    }
    play.release_all();
    for (const double until_s = keybed.now_s() + kLettingGo_s; keybed.now_s() < until_s;) tick();
    play.finish_take();
    drain();
    return {keybed.now_s() - begin_s, play.counts().notes, play.counts().strikes, play.counts().silent};
}

}  // namespace letoff::ui
