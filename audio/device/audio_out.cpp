#include "audio/device/audio_out.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "audio/device/device_list.h"
#include "core/rt/monotonic_clock.h"

namespace letoff::audio {
namespace {

using Way = AudioChoice::Way;
using State = AudioStream::State;

constexpr auto kAskAgain = std::chrono::milliseconds(5);
// Blocks after which a device is taken to run steadily: RtAudio fills its buffers with the first two to four.
constexpr std::int64_t kSteadyBlocks = 20;

bool has_server(Way way) {
    return way != Way::kNone && way != Way::kWav;
}

}  // namespace

AudioOut::AudioOut(const AudioSetting& setting, AudioClient& client) : setting_(setting), client_(client) {}

AudioOut::~AudioOut() {
    (void)stop();
}

core::Result<std::unique_ptr<AudioOut>> AudioOut::open(const AudioSetting& setting, AudioClient& client) {
    auto out = std::unique_ptr<AudioOut>(new AudioOut(setting, client));
    const Way way = setting.choice.way;
    if (setting.frames < 16 || setting.frames > 8192)
        return core::Error{"a block of " + std::to_string(setting.frames) + " frames is not possible: 16 to 8192 are"};
    if (way != Way::kAuto) {
        auto opened = out->open_now(way);
        if (opened) return out;
        return core::Error{has_server(way) ? "no sound through " + std::string(name_of(way)) + ": " + opened.error()
                                           : opened.error()};
    }
    std::string reasons;
    for (const Way each : kAudioApis) {
        auto opened = out->open_now(each);
        if (opened) return out;
        reasons += (reasons.empty() ? "" : "; ") + std::string(name_of(each)) + ": " + opened.error();
    }
    return core::Error{"there is no audio device; " + reasons};
}

core::Result<bool> AudioOut::open_now(Way way) {
    make_stream(way, setting_.choice.device);
    enter(Phase::kOpening);
    while (phase_ == Phase::kOpening || phase_ == Phase::kStarting) {
        advance();
        if (phase_ != Phase::kRunning) std::this_thread::sleep_for(kAskAgain);
    }
    if (phase_ == Phase::kRunning) return true;
    stream_.reset();
    enter(Phase::kStopped);
    return core::Error{why_};
}

void AudioOut::make_stream(Way way, const std::string& device) {
    StreamRequest request;
    request.way = way;
    request.device = device;
    request.wav_file = setting_.choice.wav_file;
    request.rate_hz = setting_.rate_hz;
    request.frames = setting_.frames;
    request.realtime = setting_.realtime;
    request.priority = setting_.priority;
    request.stream_name = setting_.stream_name;
    format_.way = way;
    stream_ = has_server(way) ? make_rtaudio_stream(request, counters_, setting_.measure_thread_time)
                              : make_paced_stream(request, counters_, setting_.measure_thread_time);
}

void AudioOut::enter(Phase phase) {
    phase_ = phase;
    phase_since_ns_ = core::monotonic_now_ns();
}

double AudioOut::in_phase_s() const {
    return 1e-9 * static_cast<double>(core::monotonic_now_ns() - phase_since_ns_);
}

bool AudioOut::play_on(AudioStream& stream) {
    const StreamFormat opened = stream.format();
    BlockSource* source = client_.stream_opening(opened.rate_hz, opened.frames);
    if (source == nullptr) {
        lose("the sound cannot be played at " + std::to_string(opened.rate_hz) + " Hz");
        return false;
    }
    source_given_ = true;
    format_.device = opened.device;
    format_.rate_hz = opened.rate_hz;
    format_.frames = opened.frames;
    stream.gate().open(*source);
    stream.start();
    return true;
}

// Moves an opening or closing on; never waits.
void AudioOut::advance() {
    switch (phase_) {
        case Phase::kOpening:
        case Phase::kStarting: {
            const State state = stream_->state();
            if (state == State::kFailed || state == State::kClosed) {
                lose(stream_->sentence().empty() ? "its stream ended at once" : stream_->sentence());
            } else if (phase_ == Phase::kOpening && state == State::kReady) {
                if (play_on(*stream_)) enter(Phase::kStarting);
            } else if (state == State::kRunning) {
                next_try_s_ = kFirstTry_s;
                enter(Phase::kRunning);
            } else if (in_phase_s() > kOpen_s) {
                lose(std::string(name_of(format_.way)) + " did not answer for " +
                     std::to_string(static_cast<int>(kOpen_s)) + " s");
            }
            break;
        }
        case Phase::kClosing: {
            const State state = stream_->state();
            // Given up, its thread keeps what it needs and ends when it can.
            if (state == State::kClosed || state == State::kFailed || in_phase_s() > kClose_s) {
                stream_.reset();
                enter(Phase::kWaiting);
            }
            break;
        }
        case Phase::kWaiting:
            if (in_phase_s() < next_try_s_ || (setting_.must_wait && setting_.must_wait())) break;
            next_try_s_ = std::min(2 * next_try_s_, kSlowestTry_s);
            make_stream(format_.way, format_.device);
            enter(Phase::kOpening);
            break;
        case Phase::kRunning:
        case Phase::kStopped:
            break;
    }
}

void AudioOut::lose(const std::string& why) {
    why_ = why;
    // A block that never ends would be our own fault; nothing can be taken back from it.
    const bool shut = stream_->gate().shut();
    if (source_given_ && shut) client_.stream_stopped();
    source_given_ = false;
    stream_->begin_close();
    enter(Phase::kClosing);
}

std::string AudioOut::device_sentence() const {
    return std::string(name_of(format_.way)) + (format_.device.empty() ? "" : " (" + format_.device + ")");
}

void AudioOut::watch(std::vector<AudioEvent>& events) {
    CallbackGate& gate = stream_->gate();
    const double period_s = static_cast<double>(format_.frames) / format_.rate_hz;
    const bool starting = gate.blocks() < kSteadyBlocks || in_phase_s() < kSilentAtStart_s;
    const double patience_s = std::max(3 * period_s, starting ? kSilentAtStart_s : kSilent_s);
    const double silent_s = 1e-9 * static_cast<double>(core::monotonic_now_ns() - gate.last_block_ns());
    const bool broken = stream_->broken();
    if (!broken && silent_s < patience_s) return;
    const std::string why = broken ? "its server ended the stream" : "it has asked for no sound for a while";
    events.push_back(
        {AudioEvent::Kind::kLost, 0,
         "the audio device " + device_sentence() + " is lost, " + why + "; it is tried again until it is back"});
    lose(why);
}

std::vector<AudioEvent> AudioOut::poll() {
    std::vector<AudioEvent> events;
    if (phase_ == Phase::kStopped) return events;
    const std::int64_t xruns = counters_->xruns.load(std::memory_order_relaxed);
    if (xruns > xruns_told_) {
        const std::int64_t added = xruns - xruns_told_;
        events.push_back(
            {AudioEvent::Kind::kXruns, added,
             "the audio device ran out of sound " + std::to_string(added) + (added == 1 ? " time" : " times")});
        xruns_told_ = xruns;
    }
    if (phase_ == Phase::kRunning) {
        watch(events);
        return events;
    }
    advance();
    if (phase_ == Phase::kRunning) {
        events.push_back({AudioEvent::Kind::kFound, 0,
                          "the audio device " + device_sentence() + " is back, " + std::to_string(format_.rate_hz) +
                              " Hz in blocks of " + std::to_string(format_.frames) + " frames"});
    }
    return events;
}

core::Result<bool> AudioOut::stop() {
    if (phase_ == Phase::kStopped) return true;
    if (phase_ != Phase::kClosing && phase_ != Phase::kWaiting) lose("stopped");
    while (phase_ == Phase::kClosing && stream_->state() != State::kClosed && stream_->state() != State::kFailed &&
           in_phase_s() < kClose_s)
        std::this_thread::sleep_for(kAskAgain);
    const std::string sentence = stream_ && !has_server(format_.way) ? stream_->sentence() : "";
    stream_.reset();
    enter(Phase::kStopped);
    if (!sentence.empty()) return core::Error{sentence};
    return true;
}

}  // namespace letoff::audio
