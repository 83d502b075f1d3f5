// The scope's memory (core/port/scope_control.h): a ring of whole ticks of one key that the keybed's thread fills while
// it is armed. The key's strike is the trigger: what was before it is kept, what follows is filled up, then the ring
// stands still until it is armed anew.
//
// Threads: arm() and captured() on the page's work thread; the rest on the keybed's, real-time safe. Whose the ring is:
// the keybed's from arm() until filled_ has the number of that arming, then the reader's.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/port/scope_control.h"

namespace letoff::ui {

class ScopeCapture final : public core::ScopeControl {
  public:
    static constexpr double kBefore_s = 0.2;  // a slow press begins this long before its strike
    static constexpr double kAfter_s = 0.4;   // check, and the fall of a short note

    struct Sample {
        std::int64_t tick = 0;
        std::array<float, core::kScopeChannels> value{};
    };

    explicit ScopeCapture(int tick_hz)
        : tick_hz_(tick_hz),
          after_(static_cast<std::int64_t>(kAfter_s * tick_hz)),
          ring_(static_cast<std::size_t>((kBefore_s + kAfter_s) * tick_hz)) {}

    void arm(int key_index) override {
        key_.store(key_index, std::memory_order_relaxed);
        asked_.fetch_add(1, std::memory_order_release);
    }
    bool captured(int channel, core::CapturedTrace& trace) override {
        const std::uint32_t asked = asked_.load(std::memory_order_relaxed);
        if (asked == 0 || filled_.load(std::memory_order_acquire) != asked) return false;
        trace = {key_.load(std::memory_order_relaxed), {}, {}};
        const std::size_t have = std::min(count_, ring_.size());
        for (std::size_t i = count_ - have; i < count_; ++i) {
            const Sample& sample = ring_[i % ring_.size()];
            trace.after_strike_s.push_back(static_cast<float>(sample.tick - strike_tick_) /
                                           static_cast<float>(tick_hz_));
            trace.value.push_back(sample.value[static_cast<std::size_t>(channel)]);
        }
        return true;
    }

    /// The key whose tick is wanted; -1: none is.
    int wanted_key() noexcept {
        if (const std::uint32_t asked = asked_.load(std::memory_order_acquire); asked != running_) {
            running_ = asked;
            count_ = 0;
            strike_tick_ = kNoStrike;
            running_key_ = key_.load(std::memory_order_relaxed);
        }
        return filled_.load(std::memory_order_relaxed) == running_ ? -1 : running_key_;
    }
    /// In a tick, before its sample.
    void struck(int key_index, std::int64_t tick) noexcept {
        if (strike_tick_ == kNoStrike && key_index == running_key_) strike_tick_ = tick;
    }
    /// Where the tick's sample goes.
    Sample& next() noexcept { return ring_[count_ % ring_.size()]; }
    void keep() noexcept {
        const std::int64_t tick = next().tick;
        ++count_;
        if (strike_tick_ != kNoStrike && tick - strike_tick_ >= after_)
            filled_.store(running_, std::memory_order_release);
    }

  private:
    static constexpr std::int64_t kNoStrike = INT64_MIN;

    const int tick_hz_;
    const std::int64_t after_;
    std::vector<Sample> ring_;
    std::atomic<std::uint32_t> asked_{0}, filled_{0};
    std::atomic<int> key_{-1};
    // Whose the ring is.
    std::size_t count_ = 0;
    std::int64_t strike_tick_ = kNoStrike;
    std::uint32_t running_ = 0;
    int running_key_ = -1;
};

}  // namespace letoff::ui
