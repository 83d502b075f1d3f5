// What is played as lines of JSON, as it happens: for programs that listen at a pipe.
//
//   {"event":"strike","key":49,"strike_time_s":..,"hammer_speed_mps":..,"midi_velocity":..,"velocity_14bit":..}
//   {"event":"release","key":49,"release_time_s":..,"key_speed_mps":..,"velocity_14bit":..}
//   {"event":"pedal","pedal":"sustain","time_s":..,"value":0..127}
//
// Keys 1 to 88, times from the start of play. A reader that stands still costs lines, which are counted
// (Fault::kStorageQueueFull), never play; one that goes away (a closed pipe, with SIGPIPE ignored) and a full disk end
// the lines, which is said once.
//
// Threads: tap() is the keybed's; a thread of its own writes; the rest on the control thread.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/event/take_tap.h"
#include "core/result.h"

namespace letoff::ui {

/// The line of an event, with its end; "" for one that has none. begin_s: of play, on the keybed's clock. Without a
/// hammer (harpsichord, organ) a strike's hammer_speed_mps is null.
std::string event_line_of(const core::TakeEvent& event, double begin_s, bool by_hammer = true);

class EventLines {
  public:
    using Also = std::function<void(const core::TakeEvent&)>;
    /// `where`: a file, "-" for standard output, "" for no lines. also: called with each event, on the writing thread.
    /// Error: it cannot be written.
    static core::Result<std::unique_ptr<EventLines>> start(const std::string& where, double begin_s, bool by_hammer,
                                                           core::FaultCounters& faults, Also also = {});
    /// Writes what is left; nothing may be pushed any more.
    ~EventLines();
    EventLines(const EventLines&) = delete;
    EventLines& operator=(const EventLines&) = delete;

    core::TakeTap& tap() { return tap_; }
    /// What went wrong since the last call; "": nothing.
    std::string take_sentence();

  private:
    EventLines(std::FILE* file, double begin_s, bool by_hammer, core::FaultCounters& faults, Also also)
        : file_(file), also_(std::move(also)), begin_s_(begin_s), by_hammer_(by_hammer), tap_(faults) {
        tap_.switch_on();
    }
    void run();
    void write(const std::string& lines);

    std::FILE* file_;  // null: no lines
    const Also also_;
    bool broken_ = false;
    const double begin_s_;
    const bool by_hammer_;
    core::TakeTap tap_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stop_ = false;
    std::string sentence_;
    std::thread thread_;
};

}  // namespace letoff::ui
