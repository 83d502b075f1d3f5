#include "ui/app/live/keybed_work.h"

#include <algorithm>
#include <utility>

namespace letoff::ui {
namespace {

constexpr double kFeedLead_s = 0.5;        // before the demo's first note
constexpr double kLongestIdle_s = 1.0;     // the loop has a shorter bound of its own
constexpr std::int64_t kStatusTicks = 64;  // 16 ms at 4 kHz: as often as a screen is drawn

}  // namespace

KeybedWork::KeybedWork(keyboard::Keybed& keybed, core::SnapshotSwap<keyboard::LiveTables>& tables,
                       core::SnapshotSwap<keyboard::KeybedTouch>& touches, hw::MidiInputs& inputs,
                       hw::MidiOutQueue& out, LiveSoundOut& sound, MessageFeed& feed, const core::MonotonicClock& clock)
    : keybed_(keybed),
      touches_(touches),
      player_(tables, keybed.keys(), keybed.tick_hz(), this),
      inputs_(inputs),
      out_(out),
      sound_(sound),
      feed_(feed),
      clock_(clock),
      take_(keybed),
      catch_up_percent_(keyboard::kCatchUpRows[0].default_value),
      first_tick_(keybed.now_ticks()) {
    feed_.begin_at(keybed.now_s() + kFeedLead_s);
}

/// By how much the clock is ahead of the keybed's time.
double KeybedWork::ahead_s() const noexcept {
    return static_cast<double>(zero_tick_ - first_tick_) / clock_.tick_hz();
}

double KeybedWork::keybed_time_s(std::int64_t monotonic_ns) const noexcept {
    return clock_.seconds_at(monotonic_ns) - ahead_s();
}

void KeybedWork::take_messages(double until_s) noexcept {
    hw::MidiInputRecord record;
    // What has just come happens earlier in the coming tick than it came, by as much as the sound waits for the tick's
    // work: so a note sounds one tick and one block after its byte, unless it came too soon after the last wake-up.
    const double earlier_s = sound_.margin_s();
    while (inputs_.pop(record)) {
        if (record.kind == hw::MidiInputRecord::Kind::kSourceLost) {
            release();
        } else {
            play(keybed_time_s(record.time_ns) - earlier_s, record.message);
        }
    }
    if (page_ != nullptr) take_from_page(earlier_s);
    if (osc_ != nullptr) {
        if (osc_->take_lost()) release();
        for (core::ArrivedMessage osc; osc_->pop(osc);) play(keybed_time_s(osc.time_ns) - earlier_s, osc.message);
    }
    core::TimedMidiMessage own;
    while (feed_.take(until_s, own)) play(own.time_s, own.message);
    if (release_all_.exchange(false, std::memory_order_acq_rel)) release();
}

void KeybedWork::play(double time_s, const core::MidiMessage& message) noexcept {
    if (message.kind == core::MidiKind::program_change) program_.store(message.data1, std::memory_order_relaxed);
    if (core::is_controller(message, core::kLocalControl)) set_local(message.data2 > core::kMidiDataMax / 2);
    if (message.kind == core::MidiKind::poly_pressure && !positions_in_) return;
    take_.message(time_s, message);
    player_.message(time_s, message);
}

void KeybedWork::LocalSound::on_tick(const core::SoundFrame& frame) noexcept {
    if (owner.local_.load(std::memory_order_relaxed)) return owner.sound_.on_tick(frame);
    core::SoundFrame silent = frame;
    silent.forces = {};
    silent.case_forces = {};
    owner.sound_.on_tick(silent);
}

void KeybedWork::release() noexcept {
    take_.release_all();
    player_.release_all();
}

void KeybedWork::take_from_page(double earlier_s) noexcept {
    if (page_->take_release_all()) release();
    core::ArrivedMessage played;
    while (page_->take(played)) play(keybed_time_s(played.time_ns) - earlier_s, played.message);
    while (page_->take_again(played)) play(keybed_time_s(played.time_ns) - earlier_s, played.message);
}

void KeybedWork::on_period(std::int64_t /*tick*/) noexcept {
    take_.follow_switches();
    if (const std::int64_t zero = loop_->zero_tick(); zero != zero_tick_) {
        if (zero_tick_ != INT64_MIN) take_.gap(static_cast<double>(zero - zero_tick_) / clock_.tick_hz());
        zero_tick_ = zero;
        sound_.set_time_zero_ns(clock_.ns_of_tick(zero - first_tick_));
    }
    take_messages(keybed_.now_s() + 1.0 / keybed_.tick_hz());
    const double catch_up = catch_up_percent_.load(std::memory_order_relaxed);
    player_.set_catch_up(catch_up);
    const keyboard::KeybedTouch& touch = touches_.begin_tick();
    keybed_.take_touch(touch);
    if (array_ != nullptr) array_->before_tick(keybed_, player_, ahead_s(), &take_);
    player_.before_tick(keybed_);
    take_.before_tick(catch_up, touch, *player_.tables());
    keybed_.tick(&local_sound_, &player_);
    if (array_ != nullptr) array_->after_tick(keybed_);
    take_.after_tick();
    out_.pedal(keybed_.tray_share(), keybed_.now_s());
    out_.pedal(keybed_.sostenuto(), keybed_.now_s(), core::kSostenutoPedal);
    out_.pedal(keybed_.una_corda(), keybed_.now_s(), core::kSoftPedal);
    if (position_ticks_ > 0 && keybed_.now_ticks() % position_ticks_ == 0) {
        for (int key = 0; key < keybed_.keys(); ++key) out_.key_position(key, keybed_.dip_m(key), keybed_.now_s());
    }
    const bool tell = keybed_.now_ticks() % kStatusTicks == 0;
    if (tell) tell_status();
    if (page_ == nullptr) return;
    page_->capture(keybed_, keybed_.now_ticks() - first_tick_);
    if (!page_->wanted()) return;
    page_knows_ = false;
    page_->gather(keybed_);
    if (tell) page_->tell(keybed_, keybed_.now_ticks() - first_tick_);
}

// With every key asleep and every finger still, nothing happens until a message comes, and that wakes the loop.
std::int64_t KeybedWork::idle_ticks() noexcept {
    const double now_s = keybed_.now_s();
    take_.follow_switches();
    take_messages(now_s);
    if (page_ != nullptr && page_->again_waits()) return 0;
    const bool idle = player_.idle() && keybed_.sleeping_keys() == keybed_.keys() && !touches_.has_next() &&
                      keybed_.gliding_keys() == 0 && (array_ == nullptr || !array_->needs_ticks());
    sound_.set_resting(idle);
    if (!idle) return 0;
    if (page_ != nullptr && page_->wanted() && (page_->take_fresh() || !std::exchange(page_knows_, true)))
        page_->tell(keybed_, keybed_.now_ticks() - first_tick_);
    return static_cast<std::int64_t>((std::min(feed_.next_s(), now_s + kLongestIdle_s) - now_s) * keybed_.tick_hz());
}

void KeybedWork::tell_status() noexcept {
    KeybedStatus& status = status_.draft();
    status.ticks = keybed_.now_ticks() - first_tick_;
    status.player = player_.counts();
    status.keybed_faults = keybed_.faults();
    status.not_converged = keybed_.not_converged();
    status.sleeping_keys = keybed_.sleeping_keys();
    status.live_keys = keybed_.has_haptics() ? keybed_.haptics().counts().live : 0;
    status_.publish();
}

bool KeybedWork::newest_status(KeybedStatus& status) noexcept {
    if (!status_.update()) return false;
    status = status_.value();
    return true;
}

}  // namespace letoff::ui
