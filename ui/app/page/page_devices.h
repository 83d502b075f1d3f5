// The settings page's devices (core/port/device_control.h): what the live instrument plays on and what else there is.
// What is asked for is done by the control thread at its next poll(), while whoever asked waits.
//
// Threads: as the port says, and poll() on the control thread. ask_to_stop() ends all waiting.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "audio/device/device_list.h"
#include "core/port/device_control.h"
#include "ui/app/live/live_play.h"

namespace letoff::ui {

class PageDevices final : public core::DeviceControl {
  public:
    core::Result<core::DeviceState> devices() override;
    core::Result<std::string> use(core::DeviceKind kind, std::string_view choice) override;
    core::Result<std::string> rearm() override;

    void poll(LivePlay& live);
    void ask_to_stop();

  private:
    using Deed = std::function<core::Result<std::string>(LivePlay&)>;
    core::Result<std::string> ask(Deed deed);

    std::mutex mutex_;
    std::condition_variable done_;
    Deed deed_;                // empty: none is asked for
    std::uint64_t asked_ = 0;  // how many were: the answer to one that was given up is nobody's
    core::Result<std::string> answer_ = std::string();
    LiveDevices newest_;
    bool stop_ = false;
    std::vector<audio::AudioApi> apis_;  // work thread
    std::int64_t listed_ns_ = 0;         // 0: is to be listed anew
};

/// The choice as --audio, --midi-in and --midi-out would have it, refused where a page may not choose it.
core::Result<audio::AudioChoice> page_audio_choice(std::string_view text);

/// What the page tells of it; `apis` as they answered.
core::DeviceState device_state(const LiveDevices& live, const std::vector<audio::AudioApi>& apis);

}  // namespace letoff::ui
