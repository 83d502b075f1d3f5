// Between the keybed's thread and the settings page: what the page plays comes in, what moves goes out as the newest
// value, filled only while somebody listens.
//
// Threads: play, listen, watch, release_all and newest on the server's thread; take, wanted, fresh, note_strike and
// tell on the keybed's, real-time safe; set_meter on the control thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "core/port/instrument_control.h"
#include "core/rt/latest_value.h"
#include "core/rt/monotonic_clock.h"
#include "core/rt/ring.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::ui {

struct PlayedOnPage {
    std::int64_t time_ns = 0;  // CLOCK_MONOTONIC when it came
    core::MidiMessage message;
};

class PagePort {
  public:
    static constexpr std::size_t kMessages = 4096;

    /// `clock`: is woken so that what came is played at once; it must outlive this.
    explicit PagePort(core::MonotonicClock& clock) : clock_(clock) {}

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

    bool take(PlayedOnPage& message) noexcept { return messages_.try_pop(message); }
    bool take_release_all() noexcept { return release_all_.exchange(false, std::memory_order_acq_rel); }
    bool wanted() const noexcept { return wanted_.load(std::memory_order_acquire); }
    /// Somebody has just begun to listen or to watch another key.
    bool take_fresh() noexcept { return fresh_.exchange(false, std::memory_order_acq_rel); }
    void note_strike(const core::Strike& strike) noexcept {
        const auto key = static_cast<std::size_t>(strike.key_index);
        if (key >= core::kKeyCount) return;
        ++strikes_[key];
        strike_mps_[key] = static_cast<float>(strike.hammer_speed_mps);
    }
    /// Every tick while wanted: a contact lasts less than a frame, so the frame shows the greatest force since the
    /// last.
    void gather(const keyboard::Keybed& keybed) noexcept;
    /// A frame.
    void tell(const keyboard::Keybed& keybed, std::int64_t tick) noexcept;

  private:
    int watched(const keyboard::Keybed& keybed) const noexcept {
        const int key = watched_.load(std::memory_order_acquire);
        return key >= 0 && key < keybed.keys() ? key : -1;
    }

    core::MonotonicClock& clock_;
    core::Ring<PlayedOnPage> messages_{kMessages};
    core::LatestValue<core::Telemetry> latest_;
    std::atomic<bool> wanted_{false}, fresh_{false}, release_all_{false};
    std::atomic<int> watched_{-1};
    std::atomic<float> meter_{0};
    // The keybed's thread.
    std::array<std::uint8_t, core::kKeyCount> strikes_{};
    std::array<float, core::kKeyCount> strike_mps_{};
    core::Telemetry::Watched greatest_;
};

}  // namespace letoff::ui
