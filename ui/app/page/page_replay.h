// A recording that the settings page plays again: its messages go to the page's port (live/page_port.h) a little before
// they are due.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/midi/arrived_message.h"
#include "core/result.h"
#include "storage/recording_store.h"
#include "ui/app/live/page_port.h"

namespace letoff::ui {

class PageReplay {
  public:
    /// `port` must outlive it.
    explicit PageReplay(PagePort& port) : port_(port) {}

    /// In place of what is being played again, which ends. A sentence either way.
    core::Result<std::string> start(std::string_view name, const storage::Recording& recording);
    core::Result<std::string> stop();
    /// Every 50 ms or so.
    void poll();

    /// "": nothing is being played again.
    const std::string& name() const { return name_; }
    double length_s() const;
    double played_s() const;

  private:
    void end();

    PagePort& port_;
    std::string name_;
    std::vector<core::ArrivedMessage> messages_;  // at times from 0
    std::size_t next_ = 0;
    std::int64_t zero_ns_ = 0;  // CLOCK_MONOTONIC
};

}  // namespace letoff::ui
