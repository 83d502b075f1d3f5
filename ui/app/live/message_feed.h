// A piece that plays by itself beside what comes from keyboards: its messages, each at its time, once or over and over.
//
// Threads: made on the control thread; take() on the keybed's, real-time safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "core/midi/message.h"

namespace letoff::ui {

class MessageFeed {
  public:
    MessageFeed() = default;
    /// messages by time; the piece begins anew `length_s` after it began, if `again`.
    MessageFeed(std::vector<core::TimedMidiMessage> messages, double length_s, bool again)
        : messages_(std::move(messages)), length_s_(length_s), again_(again) {}

    /// Time 0 of the piece is this time of the keybed's clock.
    void begin_at(double time_s) noexcept { begin_s_ = time_s; }

    /// The next message up to a time, stamped in the keybed's time. False: none.
    bool take(double until_s, core::TimedMidiMessage& message) noexcept {
        if (messages_.empty()) return false;
        if (next_ == messages_.size()) {
            if (!again_ || begin_s_ + length_s_ > until_s) return false;
            begin_s_ += length_s_;
            next_ = 0;
        }
        const core::TimedMidiMessage& next = messages_[next_];
        if (begin_s_ + next.time_s > until_s) return false;
        message = {begin_s_ + next.time_s, next.message};
        if (++next_ == messages_.size() && !again_) done_.store(true, std::memory_order_release);
        return true;
    }

    /// When the next message is due; infinite where none is.
    double next_s() const noexcept {
        if (next_ < messages_.size()) return begin_s_ + messages_[next_].time_s;
        const bool more = again_ && !messages_.empty();
        return more ? begin_s_ + length_s_ : std::numeric_limits<double>::infinity();
    }

    /// The last message has been taken and there is no next round. Any thread.
    bool done() const noexcept { return done_.load(std::memory_order_acquire); }

  private:
    std::vector<core::TimedMidiMessage> messages_;
    double length_s_ = 0;
    bool again_ = false;
    double begin_s_ = 0;
    std::size_t next_ = 0;
    std::atomic<bool> done_{false};
};

}  // namespace letoff::ui
