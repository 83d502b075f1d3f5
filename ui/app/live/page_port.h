// Between the keybed's thread and the settings page: what the page plays comes in, what moves goes out as the newest
// value, filled only while somebody listens. A recording that is played again comes in.
//
// Threads: play, listen, watch and newest on the server's thread; set_meter and play_again on the control thread;
// release_all and stop_again anywhere; the rest, from take() on, on the keybed's, real-time safe, but the scope's
// calls, which are as core/port/scope_control.h says.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/midi/arrived_message.h"
#include "core/midi/message.h"
#include "core/port/instrument_control.h"
#include "core/rt/latest_value.h"
#include "core/rt/monotonic_clock.h"
#include "core/rt/ring.h"
#include "keyboard/keybed/keybed.h"
#include "ui/app/live/scope_capture.h"

namespace letoff::ui {

class PagePort {
  public:
    static constexpr std::size_t kMessages = 4096;

    /// `clock`: is woken so that what came is played at once; it must outlive this.
    explicit PagePort(core::MonotonicClock& clock) : clock_(clock), scope_(clock.tick_hz()) {}

    bool play(const core::MidiMessage& message) noexcept {
        const bool taken = messages_.try_push({core::monotonic_now_ns(), message});
        clock_.wake();
        return taken;
    }
    void listen(bool wanted) noexcept {
        wanted_.store(wanted, std::memory_order_release);
        fresh_.store(true, std::memory_order_release);
        clock_.wake();
    }
    void watch(int key_index) noexcept {
        watched_.store(key_index, std::memory_order_release);
        fresh_.store(true, std::memory_order_release);
        clock_.wake();
    }
    void release_all() noexcept {
        release_all_.store(true, std::memory_order_release);
        clock_.wake();
    }
    /// False: nothing new since the last call.
    bool newest(core::Telemetry& telemetry) noexcept {
        if (!latest_.update()) return false;
        telemetry = latest_.value();
        telemetry.meter = meter_.load(std::memory_order_relaxed);
        return true;
    }
    void set_meter(float largest) noexcept { meter_.store(largest, std::memory_order_relaxed); }

    /// A message of a recording, played at its time (CLOCK_MONOTONIC); in order of time. False: too many at once.
    bool play_again(const core::ArrivedMessage& message) noexcept {
        const bool taken = again_.try_push(message);
        clock_.wake();
        return taken;
    }

    /// What was given and has not been played yet is not.
    void stop_again() noexcept { stop_again_.store(true, std::memory_order_release); }

    bool take(core::ArrivedMessage& message) noexcept { return messages_.try_pop(message); }
    bool take_release_all() noexcept { return release_all_.exchange(false, std::memory_order_acq_rel); }
    bool wanted() const noexcept { return wanted_.load(std::memory_order_acquire); }
    /// Somebody has just begun to listen or to watch another key.
    bool take_fresh() noexcept { return fresh_.exchange(false, std::memory_order_acq_rel); }
    core::ScopeControl& scope() noexcept { return scope_; }
    void note_strike(const core::Strike& strike, std::int64_t tick) noexcept {
        scope_.struck(strike.key_index, tick);
        const auto key = static_cast<std::size_t>(strike.key_index);
        if (key >= core::kKeyCount) return;
        ++strikes_[key];
        strike_mps_[key] = static_cast<float>(strike.hammer_speed_mps);
    }
    /// Of what is played again, the next that is due; false: none. The clock is asked only where there is one.
    bool take_again(core::ArrivedMessage& message) noexcept {
        if (stop_again_.exchange(false, std::memory_order_acq_rel)) {
            next_.reset();
            while (again_.try_pop(message)) {
            }
        }
        if (core::ArrivedMessage next; !next_ && again_.try_pop(next)) next_ = next;
        if (!next_ || next_->time_ns > core::monotonic_now_ns()) return false;
        message = *next_;
        next_.reset();
        return true;
    }
    bool again_waits() const noexcept { return next_.has_value(); }
    /// Every tick while wanted: a contact lasts less than a frame, so the frame shows the greatest force since the
    /// last.
    void gather(const keyboard::Keybed& keybed) noexcept;
    /// Every tick: what the scope is to keep.
    void capture(const keyboard::Keybed& keybed, std::int64_t tick) noexcept;
    /// A frame.
    void tell(const keyboard::Keybed& keybed, std::int64_t tick) noexcept;

  private:
    int watched(const keyboard::Keybed& keybed) const noexcept {
        const int key = watched_.load(std::memory_order_acquire);
        return key >= 0 && key < keybed.keys() ? key : -1;
    }

    core::MonotonicClock& clock_;
    ScopeCapture scope_;
    core::Ring<core::ArrivedMessage> messages_{kMessages};
    core::Ring<core::ArrivedMessage> again_{kMessages};
    core::LatestValue<core::Telemetry> latest_;
    std::atomic<bool> stop_again_{false};
    std::atomic<bool> wanted_{false}, fresh_{false}, release_all_{false};
    std::atomic<int> watched_{-1};
    std::atomic<float> meter_{0};
    // The keybed's thread.
    std::optional<core::ArrivedMessage> next_;  // not due yet
    std::array<std::uint8_t, core::kKeyCount> strikes_{};
    std::array<float, core::kKeyCount> strike_mps_{};
    core::Telemetry::Watched greatest_;
};

}  // namespace letoff::ui
