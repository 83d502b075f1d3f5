// One opened way out for sound, from opening to its end. Whatever may wait for a server or a disk happens on a thread
// of the stream's own, so that the control thread can always go on and give the stream up.
//
//   kOpening -> kReady (rate and block length known) -> start() -> kRunning -> begin_close() -> kClosed;  kFailed at
//   any time, with a sentence.
//
// Threads: all calls on the control thread.
#pragma once

#include <memory>
#include <string>

#include "audio/device/audio_choice.h"
#include "audio/device/callback_gate.h"
#include "core/rt/privilege.h"

namespace letoff::audio {

struct StreamRequest {
    AudioChoice::Way way = AudioChoice::Way::kJack;
    std::string device;  // name or part of it; empty: the default
    std::string wav_file;
    int rate_hz = 48000;
    int frames = 128;
    bool realtime = false;
    int priority = core::kAudioPriority;
    std::string stream_name;
};

struct StreamFormat {
    int rate_hz = 0;
    int frames = 0;
    std::string device;
};

class AudioStream {
  public:
    enum class State { kOpening, kReady, kRunning, kFailed, kClosed };

    virtual ~AudioStream() = default;
    virtual State state() const = 0;
    /// From kReady on.
    virtual StreamFormat format() const = 0;
    /// Why it failed, or what was wrong at its end; empty: nothing.
    virtual std::string sentence() const = 0;
    virtual void start() = 0;
    virtual void begin_close() = 0;
    /// The library says that it is over.
    virtual bool broken() const = 0;
    virtual CallbackGate& gate() = 0;
};

/// The counters must live for ever where a stream may be given up: they are shared with it.
std::unique_ptr<AudioStream> make_rtaudio_stream(const StreamRequest& request,
                                                 std::shared_ptr<CallbackCounters> counters, bool measure_thread_time);
/// `none` and `wav`: paced by a thread of its own.
std::unique_ptr<AudioStream> make_paced_stream(const StreamRequest& request, std::shared_ptr<CallbackCounters> counters,
                                               bool measure_thread_time);

}  // namespace letoff::audio
