// The way out for sound: opens a device, notices when it is lost, comes back to it by name. Over RtAudio (JACK,
// PulseAudio, ALSA), or without a device (none, wav:FILE) at the pace of the wall clock.
//
//   Lost: no block for three blocks' time and at least kSilent_s, or the library says so. The device is closed on a
//   thread of its own; if that hangs it is given up. Then it is tried again every kFirstTry_s, doubling up to
//   kSlowestTry_s, for ever.
//
// Threads: open, poll, stop and the client on the control thread; poll() every 50 ms or so never waits. The source is
// called on the device's real-time thread, between stream_opening() and stream_stopped() only. No exception gets out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audio/device/audio_choice.h"
#include "audio/device/audio_stream.h"
#include "core/result.h"
#include "core/rt/privilege.h"

namespace letoff::audio {

/// Who plays. Control thread.
class AudioClient {
  public:
    virtual ~AudioClient() = default;
    /// A device is about to start, at first or again, with this rate and block length: what it shall play. Null: it
    /// cannot be played at this rate.
    virtual BlockSource* stream_opening(int rate_hz, int frames) = 0;
    /// The source is no longer called.
    virtual void stream_stopped() = 0;
};

struct AudioSetting {
    AudioChoice choice;
    int frames = 128;  // a block, where the host lets us choose: JACK does not
    int rate_hz = 48000;
    bool realtime = false;  // asks for a real-time device thread
    int priority = core::kAudioPriority;
    std::string stream_name = "letoff";
    // Asked before a lost device is tried again: true while it must wait, as for other clients of a dead JACK server
    // (opening one while another is still held crashes libjack 1.9.21). Empty: never.
    std::function<bool()> must_wait;
    // The processor's time of every block, by a system call before and after it: for measuring, not for playing.
    bool measure_thread_time = false;
};

struct AudioEvent {
    enum class Kind { kLost, kFound, kXruns };
    Kind kind = Kind::kLost;
    std::int64_t count = 0;  // kXruns: new ones since the last event
    std::string sentence;
};

struct AudioFormat {
    AudioChoice::Way way = AudioChoice::Way::kNone;
    std::string device;
    int rate_hz = 0;
    int frames = 0;
};

class AudioOut {
  public:
    // A block is longest at 4096 / 44100 = 93 ms; a machine that is busy for 200 ms has lost the sound anyway.
    static constexpr double kSilent_s = 0.2;
    static constexpr double kSilentAtStart_s = 3;  // PulseAudio takes up to 2 s until its blocks come steadily
    static constexpr double kFirstTry_s = 0.25;
    static constexpr double kSlowestTry_s = 4;
    static constexpr double kOpen_s = 5;   // an opening that takes longer is given up
    static constexpr double kClose_s = 2;  // a closing that takes longer is given up

    /// Opens and starts; waits for it. auto: the first of JACK, PulseAudio and ALSA that has a device. Error: a
    /// sentence that says for each why not. `client` must outlive the AudioOut.
    static core::Result<std::unique_ptr<AudioOut>> open(const AudioSetting& setting, AudioClient& client);
    ~AudioOut();
    AudioOut(const AudioOut&) = delete;
    AudioOut& operator=(const AudioOut&) = delete;

    /// What has happened since the last call.
    std::vector<AudioEvent> poll();
    /// Stops for good; a WAV file is complete when it returns. A sentence if something was lost by it.
    core::Result<bool> stop();

    bool running() const { return phase_ == Phase::kRunning; }
    /// A stream that is over has not been closed yet.
    bool holds_dead_stream() const { return phase_ == Phase::kClosing || (running() && stream_->broken()); }
    /// Of the newest stream; stays while it is lost.
    const AudioFormat& format() const { return format_; }
    const CallbackCounters& counters() const { return *counters_; }

  private:
    enum class Phase { kOpening, kStarting, kRunning, kClosing, kWaiting, kStopped };

    AudioOut(const AudioSetting& setting, AudioClient& client);
    core::Result<bool> open_now(AudioChoice::Way way);
    void make_stream(AudioChoice::Way way, const std::string& device);
    void advance();
    bool play_on(AudioStream& stream);
    void watch(std::vector<AudioEvent>& events);
    void lose(const std::string& why);
    void enter(Phase phase);
    double in_phase_s() const;
    std::string device_sentence() const;

    const AudioSetting setting_;
    AudioClient& client_;
    const std::shared_ptr<CallbackCounters> counters_ = std::make_shared<CallbackCounters>();
    std::unique_ptr<AudioStream> stream_;
    AudioFormat format_;
    Phase phase_ = Phase::kStopped;
    std::int64_t phase_since_ns_ = 0;
    double next_try_s_ = kFirstTry_s;
    std::int64_t xruns_told_ = 0;
    bool source_given_ = false;
    std::string why_;  // an attempt did not succeed
};

}  // namespace letoff::audio
