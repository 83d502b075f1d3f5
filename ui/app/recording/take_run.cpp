#include "ui/app/recording/take_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "ui/app/profiles/touch.h"
#include "ui/app/recording/recording_file.h"
#include "ui/app/recording/table_history.h"
#include "ui/app/recording/take_log.h"

namespace letoff::ui {
namespace {

constexpr double kSilentFor_s = 0.5;
constexpr double kLettingGo_s = 0.3;  // as live play ends: fingers leave, hammers and dampers are back

/// The ticks of live play without its clock; `listener` is told strikes.
class VirtualPlay final : public core::StrikeSink {
  public:
    VirtualPlay(Instrument& instrument, std::unique_ptr<const keyboard::LiveTables> tables, core::TakeTap* tap,
                OfflineSound* sound)
        : keybed_(instrument.keybed()),
          tables_(std::move(tables)),
          touches_(std::make_unique<keyboard::KeybedTouch>()),
          player_(tables_, keybed_.keys(), keybed_.tick_hz(), this),
          take_(tap, keybed_),
          sound_(sound) {}

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
    void tick() {
        player_.set_catch_up(catch_up_percent_);
        const keyboard::KeybedTouch& touch = touches_.begin_tick();
        keybed_.take_touch(touch);
        player_.before_tick(keybed_);
        take_.before_tick(catch_up_percent_, touch, *player_.tables());
        keybed_.tick(sound_, &player_);
        take_.after_tick();
    }
    const keyboard::LiveCounts& counts() const { return player_.counts(); }
    std::vector<core::Strike>& strikes() { return strikes_; }

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
    OfflineSound* sound_;
    double catch_up_percent_ = keyboard::kCatchUpRows[0].default_value;
    std::vector<core::Strike> strikes_;
};

bool same_bits(const core::Strike& strike, const core::TakeEvent& event) {
    return strike.key_index == event.key && strike.strike_time_s == event.time_s &&
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
          play_(instrument, TableHistory::strokes_only(instrument), nullptr, sound_.get()) {}

    core::Result<ReplayReport> run(const Progress& progress) {
        const std::int64_t first = keybed_.now_ticks();
        const std::int64_t last = recording_.events.empty() ? first : recording_.events.back().tick;
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

    /// What came in before the coming tick.
    core::Result<bool> give() {
        const std::int64_t tick = keybed_.now_ticks();
        for (; next_ < recording_.events.size() && recording_.events[next_].tick <= tick; ++next_) {
            const core::TakeEvent& event = recording_.events[next_];
            switch (event.kind) {
                case core::TakeKind::message:
                    play_.message(event.time_s, event.message);
                    break;
                case core::TakeKind::release_all:
                    play_.release_all();
                    break;
                case core::TakeKind::catch_up:
                    play_.set_catch_up(event.value);
                    break;
                case core::TakeKind::touch:
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
            history_.turn(touch.version, made.value().grand);
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
                    catch_up[static_cast<std::size_t>(of_key.key)] = of_key.bits;
            }
        }
        if (event.bits == 0 && catch_up.empty()) return;  // those that it begins with
        play_.publish(history_.tables(event.bits, std::move(catch_up)));
    }

    void compare_state() {
        while (next_state_ < recording_.events.size() &&
               (recording_.events[next_state_].kind != core::TakeKind::state ||
                recording_.events[next_state_].tick < keybed_.now_ticks()))
            ++next_state_;
        if (next_state_ == recording_.events.size() || recording_.events[next_state_].tick != keybed_.now_ticks())
            return;
        ++report_.states;
        if (recording_.events[next_state_].bits == keybed_.state_hash()) {
            ++report_.same_states;
        } else if (!report_.differs_after_s) {
            report_.differs_after_s = keybed_.now_s() - recording_.head.begin_s;
        }
    }

    void compare_strikes() {
        const std::vector<core::Strike>& strikes = play_.strikes();
        std::size_t i = 0;
        for (const core::TakeEvent& event : recording_.events) {
            if (event.kind != core::TakeKind::strike) continue;
            ++report_.strikes;
            if (i < strikes.size() && same_bits(strikes[i], event)) ++report_.same_strikes;
            ++i;
        }
        report_.extra_strikes = static_cast<int>(strikes.size() > i ? strikes.size() - i : 0);
    }

    /// The sound dies away.
    void fade(std::int64_t last) {
        play_.release_all();
        const std::int64_t latest = last + static_cast<std::int64_t>(setting_.tail_s * keybed_.tick_hz());
        const std::int64_t quiet = static_cast<std::int64_t>(kSilentFor_s * keybed_.tick_hz());
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
    drain();
    return {keybed.now_s() - begin_s, play.counts().notes, play.counts().strikes, play.counts().silent};
}

}  // namespace letoff::ui
