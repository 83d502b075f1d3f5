// What is played as lines of JSON, as it happens: for programs that listen at a pipe.
//
//   {"event":"strike","key":49,"strike_time_s":..,"hammer_speed_mps":..,"midi_velocity":..,"velocity_14bit":..}
//   {"event":"release","key":49,"release_time_s":..,"key_speed_mps":..,"velocity_14bit":..}
//   {"event":"pedal","pedal":"sustain","time_s":..,"value":0..127}
//
// Keys 1 to 88, times from the start of play. A reader that stands still costs lines, which are counted
// (Fault::kStorageQueueFull), never play.
//
// Threads: tap() is the keybed's; a thread of its own writes; the rest on the control thread.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/event/take_tap.h"
#include "core/result.h"

namespace letoff::ui {

/// The line of an event, with its end; "" for one that has none. begin_s: of play, on the keybed's clock.
std::string event_line_of(const core::TakeEvent& event, double begin_s);

class EventLines {
  public:
    /// `where`: a file, or "-" for standard output. Error: it cannot be written.
    static core::Result<std::unique_ptr<EventLines>> start(const std::string& where, double begin_s,
                                                           core::FaultCounters& faults);
    /// Writes what is left; nothing may be pushed any more.
    ~EventLines();
    EventLines(const EventLines&) = delete;
    EventLines& operator=(const EventLines&) = delete;

    core::TakeTap& tap() { return tap_; }

  private:
    EventLines(std::FILE* file, double begin_s, core::FaultCounters& faults)
        : file_(file), begin_s_(begin_s), tap_(faults) {}
    void run();

    std::FILE* file_;
    const double begin_s_;
    core::TakeTap tap_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace letoff::ui
