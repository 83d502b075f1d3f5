// A stream over RtAudio 5.2. A thread of its own opens, watches and closes it; RtAudio's errors end here.
#include <RtAudio.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "audio/device/audio_stream.h"
#include "audio/device/rtaudio_api.h"
#include "core/rt/monotonic_clock.h"

namespace letoff::audio {
namespace {

using Way = AudioChoice::Way;
using State = AudioStream::State;

constexpr auto kWatchEvery = std::chrono::milliseconds(20);
// A server that does not call for this long as we leave is taken for silent; of AudioOut::kSilent_s.
constexpr std::int64_t kSilent_ns = 150'000'000;
constexpr auto kCallEvery = std::chrono::milliseconds(2);

struct Shared {
    Shared(StreamRequest wanted, std::shared_ptr<CallbackCounters> its_counters, bool measure)
        : request(std::move(wanted)), counters(std::move(its_counters)), gate(*counters, measure) {}

    const StreamRequest request;
    const std::shared_ptr<CallbackCounters> counters;
    CallbackGate gate;
    std::atomic<int> errors{0};  // told by RtAudio while the stream ran
    std::atomic<int> rate_hz{0};
    std::atomic<std::int64_t> called_ns{0};  // newest call of the device, with a source or without

    std::mutex mutex;  // control thread and the stream's own, never the device's
    std::condition_variable changed;
    State state = State::kOpening;
    bool start = false, close = false, gone = false;
    StreamFormat format;
    std::string sentence;
};

// RtAudio's error callback is not told whose error it is; it runs on the thread that met it.
thread_local Shared* this_threads_stream = nullptr;

void on_error(RtAudioError::Type, const std::string&) {
    if (this_threads_stream != nullptr) this_threads_stream->errors.fetch_add(1, std::memory_order_relaxed);
}

int on_block(void* out, void*, unsigned frames, double, RtAudioStreamStatus status, void* user) {
    auto* shared = static_cast<Shared*>(user);
    const std::int64_t request_ns = core::monotonic_now_ns();
    shared->called_ns.store(request_ns, std::memory_order_relaxed);
    this_threads_stream = shared;
    auto* left = static_cast<float*>(out);
    float* right = left + frames;
    const int count = static_cast<int>(frames);
    const bool failed = shared->errors.load(std::memory_order_relaxed) > 0;
    // After an error PulseAudio and ALSA streams would call again at once, for ever: 2 aborts the stream.
    if (failed) {
        std::fill_n(left, 2 * frames, 0.0F);
        return 2;
    }
    shared->gate.block(left, right, count, shared->rate_hz.load(std::memory_order_relaxed), request_ns,
                       (status & RTAUDIO_OUTPUT_UNDERFLOW) != 0);
    return 0;
}

/// The device by name, else by part of its name, else (no name) the default.
int find_device(RtAudio& audio, const std::string& name, RtAudio::DeviceInfo& found) {
    const int count = static_cast<int>(audio.getDeviceCount());
    int best = -1;
    for (int i = 0; i < count; ++i) {
        const RtAudio::DeviceInfo info = audio.getDeviceInfo(static_cast<unsigned>(i));
        if (!info.probed || info.outputChannels < 2) continue;
        const bool better = name.empty() ? best < 0 || (info.isDefaultOutput && !found.isDefaultOutput)
                                         : info.name == name || (best < 0 && info.name.find(name) != std::string::npos);
        if (!better) continue;
        best = i;
        found = info;
    }
    return best;
}

class Worker {
  public:
    explicit Worker(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

    void run() noexcept {
        this_threads_stream = shared_.get();
        try {
            audio_ = make_rtaudio(shared_->request.way);
            if (open() && wait_for_start()) {
                audio_->startStream();
                if (audio_->isStreamRunning()) watch();
            }
            close();
        } catch (const std::exception& error) {
            fail(error.what());
        }
        this_threads_stream = nullptr;
    }

  private:
    void set(State state) {
        const std::lock_guard lock(shared_->mutex);
        shared_->state = state;
        shared_->changed.notify_all();
    }
    void fail(std::string why) noexcept {
        const std::lock_guard lock(shared_->mutex);
        shared_->sentence = std::move(why);
        shared_->state = State::kFailed;
        shared_->changed.notify_all();
    }

    bool open() {
        const StreamRequest& request = shared_->request;
        const ApiTurn turn(request.way, kTurn_s);
        if (!turn) {
            fail(hanging_sentence(request.way));
            return false;
        }
        RtAudio::DeviceInfo device;
        const int index = find_device(*audio_, request.device, device);
        if (index < 0) {
            fail(request.device.empty() ? ask_api(request.way).sentence
                                        : "it has no device named '" + request.device + "' that can play");
            return false;
        }
        const int rate_hz = choose_rate_hz(device.sampleRates, request.rate_hz);
        if (rate_hz == 0) {
            fail("its device '" + device.name + "' plays at none of 44100, 48000, 88200, 96000, 176400 and 192000 Hz");
            return false;
        }
        RtAudio::StreamParameters out;
        out.deviceId = static_cast<unsigned>(index);
        out.nChannels = 2;
        RtAudio::StreamOptions options;
        options.flags = RTAUDIO_NONINTERLEAVED | (request.realtime ? RTAUDIO_SCHEDULE_REALTIME : 0U);
        options.priority = request.priority;
        options.numberOfBuffers = 2;
        options.streamName = request.stream_name;
        auto frames = static_cast<unsigned>(request.frames);
        shared_->rate_hz.store(rate_hz, std::memory_order_relaxed);
        audio_->openStream(&out, nullptr, RTAUDIO_FLOAT32, static_cast<unsigned>(rate_hz), &frames, on_block,
                           shared_.get(), &options, on_error);
        const std::lock_guard lock(shared_->mutex);
        shared_->format = {rate_hz, static_cast<int>(frames), device.name};
        shared_->state = State::kReady;
        shared_->changed.notify_all();
        return true;
    }

    bool wait_for_start() {
        std::unique_lock lock(shared_->mutex);
        shared_->changed.wait(lock, [&] { return shared_->start || shared_->close; });
        return !shared_->close;
    }

    void watch() {
        set(State::kRunning);
        for (;;) {
            std::unique_lock lock(shared_->mutex);
            if (shared_->changed.wait_for(lock, kWatchEvery, [&] { return shared_->close; })) return;
            shared_->gone = shared_->gone || !audio_->isStreamOpen() || !audio_->isStreamRunning();
        }
    }

    void close() {
        bool failed = false;
        {
            const std::lock_guard lock(shared_->mutex);
            failed = shared_->state == State::kFailed;
        }
        const bool opened = audio_->isStreamOpen() || !failed;
        if (shared_->request.way == Way::kJack && opened) {
            // A JACK stream whose server ends is closed by the library, on a thread of the library's; to close it
            // here as well crashes. So it is closed only just after it was called, when its server is alive and lets
            // us. One that is silent is left alone, silent on our side too, until it is closed or called again; and
            // then for a while, for a server that hung may come back only to end.
            std::int64_t from_ns = core::monotonic_now_ns();
            for (bool silent = false; audio_->isStreamRunning(); std::this_thread::sleep_for(kCallEvery)) {
                const std::int64_t now_ns = core::monotonic_now_ns();
                if (shared_->called_ns.load(std::memory_order_relaxed) >= from_ns) {
                    if (!std::exchange(silent, false)) break;
                    from_ns = now_ns + kSilent_ns;
                } else if (now_ns - from_ns > kSilent_ns) {
                    silent = true;
                    set(State::kClosed);
                }
            }
            if (audio_->isStreamRunning()) audio_->abortStream();
            if (audio_->isStreamOpen()) {
                audio_->closeStream();
            } else {
                bury();
            }
        } else if (audio_->isStreamOpen()) {
            audio_->closeStream();
        }
        audio_.reset();
        if (!failed) set(State::kClosed);
    }

    /// Keeps the object, and what its callbacks point to, for good: a few hundred bytes for each server that died.
    void bury() {
        static std::mutex mutex;
        static auto* graves = new std::vector<std::pair<std::unique_ptr<RtAudio>, std::shared_ptr<Shared>>>;
        const std::lock_guard lock(mutex);
        graves->emplace_back(std::move(audio_), shared_);
    }

    std::shared_ptr<Shared> shared_;
    std::unique_ptr<RtAudio> audio_;
};

class RtAudioStream final : public AudioStream {
  public:
    explicit RtAudioStream(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
        quiet_libraries();
        std::thread([mine = shared_] { Worker(mine).run(); }).detach();
    }
    ~RtAudioStream() override { begin_close(); }

    State state() const override {
        const std::lock_guard lock(shared_->mutex);
        return shared_->state;
    }
    StreamFormat format() const override {
        const std::lock_guard lock(shared_->mutex);
        return shared_->format;
    }
    std::string sentence() const override {
        const std::lock_guard lock(shared_->mutex);
        return shared_->sentence;
    }
    void start() override {
        const std::lock_guard lock(shared_->mutex);
        shared_->start = true;
        shared_->changed.notify_all();
    }
    void begin_close() override {
        const std::lock_guard lock(shared_->mutex);
        shared_->close = true;
        shared_->changed.notify_all();
    }
    bool broken() const override {
        const std::lock_guard lock(shared_->mutex);
        return shared_->gone || shared_->errors.load(std::memory_order_relaxed) > 0;
    }
    CallbackGate& gate() override { return shared_->gate; }

  private:
    std::shared_ptr<Shared> shared_;
};

}  // namespace

std::unique_ptr<AudioStream> make_rtaudio_stream(const StreamRequest& request,
                                                 std::shared_ptr<CallbackCounters> counters, bool measure_thread_time) {
    return std::make_unique<RtAudioStream>(std::make_shared<Shared>(request, std::move(counters), measure_thread_time));
}

}  // namespace letoff::audio
