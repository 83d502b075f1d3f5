// The thread that plays the samples live. It loads the SoundFont first (up to seconds; the strings play meanwhile),
// then makes each block as it is asked for, and sleeps until about when the next will be. It may allocate and wait.
//
// Threads: made, asked and ended on the control thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "audio/sample/sample_link.h"
#include "audio/sample/sampled_piano.h"
#include "core/rt/privilege.h"

namespace letoff::audio {

struct LiveSamplerSetting {
    std::string soundfont;
    SampleKeys keys{};
    int program = kFirstPreset;
    core::RtMode rt = core::RtMode::off;  // the thread's; without the right to it, it plays all the same
};

class LiveSampler {
  public:
    /// Starts the thread. `link` must outlive it.
    LiveSampler(const LiveSamplerSetting& setting, SampleLink& link);
    /// Ends it; a SoundFont that is being loaded is waited for.
    ~LiveSampler();
    LiveSampler(const LiveSampler&) = delete;
    LiveSampler& operator=(const LiveSampler&) = delete;

    /// What has become of the loading, once; empty: nothing new.
    std::string take_sentence();

  private:
    void work();

    const LiveSamplerSetting setting_;
    SampleLink& link_;
    std::mutex mutex_;
    std::string sentence_;
    std::atomic<bool> ending_{false};
    std::thread thread_;
};

}  // namespace letoff::audio
