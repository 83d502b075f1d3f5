// The page's recorder (core/port/recorder_control.h) over the same database as `letoff play --record`, told in the same
// way (ui/app/recording/take_desk.h); what nobody asked for is in it too.
//
// Threads: poll() on the control thread, the port's calls on the page's work thread; a file of sound is made on a
// thread of its own, at a low priority.
#pragma once

#include <atomic>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/port/recorder_control.h"
#include "storage/recording_store.h"
#include "ui/app/instrument.h"
#include "ui/app/live/page_port.h"
#include "ui/app/page/page_replay.h"
#include "ui/app/profiles/library.h"
#include "ui/app/recording/take_desk.h"

namespace letoff::ui {

class PageRecorder final : public core::RecorderControl {
  public:
    /// `playing`: the profile whose touch plays. `file`: of the recordings, or "" for the user's own. `takes` and
    /// `port` must outlive it.
    PageRecorder(const Instrument& instrument, PagePort& port, TakeDesk& takes, std::string file,
                 std::function<FoundProfile()> playing);
    ~PageRecorder() override;

    void poll();
    void ask_to_stop() { stop_.store(true, std::memory_order_release); }

    core::Result<core::RecorderState> state() override;
    core::Result<std::string> start(std::string_view name) override;
    core::Result<std::string> stop() override;
    core::Result<std::string> replay(std::string_view name) override;
    core::Result<std::string> stop_replay() override;
    core::Result<std::string> remove(std::string_view name) override;
    core::Result<std::string> keep(std::string_view captured, std::string_view new_name) override;
    core::Result<std::string> begin_export(std::string_view name, core::ExportForm form) override;
    core::Result<std::string> export_part(std::int64_t offset, std::size_t most) override;

  private:
    void write_file(const storage::Recording& recording, core::ExportForm form);
    core::Result<bool> make_file(const storage::Recording& recording, core::ExportForm form, const std::string& path);
    core::Result<bool> make_sound(const storage::Recording& recording, const std::string& path);

    const Instrument& instrument_;
    TakeDesk& takes_;
    const std::string file_;
    const std::function<FoundProfile()> playing_;
    std::atomic<bool> stop_{false};

    std::mutex mutex_;  // what follows
    PageReplay replay_;
    std::string exporting_, export_file_, export_error_;
    std::ifstream exported_;  // has no name any more: it is gone when this is
    std::int64_t export_bytes_ = 0;
    std::atomic<double> export_share_{0};
    std::thread export_thread_;
};

}  // namespace letoff::ui
