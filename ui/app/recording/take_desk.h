// What live play keeps of itself: one recording that somebody asked for, at the start or from the page, and what is
// captured without being asked. Both are told by the keybed's thread (take_log.h), each by a tap of its own.
//
// A recording that begins while it is played begins with the keys as they are: it has the touch, tables, pedals and
// motorised keys of that moment, but its replay begins with keys at rest, so the first strikes are nearly the same, not
// to the bit.
//
// Threads: the taps are handed out before the keybed's loop starts; the rest on any thread but the keybed's; calls may
// wait for the disk. Whoever starts and ends recordings is one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/event/take_tap.h"
#include "core/fault/fault.h"
#include "core/result.h"
#include "storage/recording_writer.h"

namespace letoff::ui {

class TakeDesk {
  public:
    /// wake: the keybed's loop looks at its taps at once. `faults` must outlive it.
    TakeDesk(core::FaultCounters& faults, std::function<void()> wake)
        : faults_(faults), wake_(std::move(wake)), named_tap_(faults), captured_tap_(faults) {}
    TakeDesk(const TakeDesk&) = delete;
    TakeDesk& operator=(const TakeDesk&) = delete;

    core::TakeTap& named_tap() { return named_tap_; }
    core::TakeTap& captured_tap() { return captured_tap_; }

    /// From the next tick on; one at a time. Error: a sentence.
    core::Result<bool> record(storage::RecordingStore store, const storage::RecordingHead& head,
                              storage::RecordingWriter::From from);
    /// A sentence about what is kept.
    core::Result<std::string> stop_recording();
    /// "": none.
    std::string recording() const;
    double recorded_s() const;
    /// From the next tick on, in recordings named after `head` that are made as something is played.
    core::Result<bool> capture(storage::RecordingStore store, storage::RecordingHead head);

    /// The profile of a touch that the keys may turn into from now on; before it is given to them.
    void add_touch(std::uint64_t version, const std::string& profile_json);
    /// What went wrong and was not told yet; "": nothing.
    std::string take_sentence();
    /// After the keybed's loop has stopped. Error: what of the recording that was asked for is lost.
    core::Result<bool> stop();

  private:
    core::FaultCounters& faults_;
    const std::function<void()> wake_;
    core::TakeTap named_tap_, captured_tap_;
    mutable std::mutex mutex_;  // what follows
    std::unique_ptr<storage::RecordingWriter> named_, captured_;
    std::string name_;
    std::int64_t began_ns_ = 0;
};

}  // namespace letoff::ui
