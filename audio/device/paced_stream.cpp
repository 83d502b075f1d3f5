// `none` and `wav:FILE`: blocks at the rate of the wall clock, from a thread of the stream's own. A WAV file is written
// by another thread, through a ring, and completed when the stream is closed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "audio/device/audio_stream.h"
#include "audio/sound_file.h"
#include "core/rt/monotonic_clock.h"
#include "core/rt/privilege.h"
#include "core/rt/ring.h"

namespace letoff::audio {
namespace {

// A wake-up that is later than this is not caught up with: the machine slept, or was stopped.
constexpr std::int64_t kGivenUp_ns = 500'000'000;
// Sound that waits for the disk.
constexpr int kRing_s = 4;
constexpr auto kWriteEvery = std::chrono::milliseconds(20);

struct StereoSample {
    float left = 0, right = 0;
};

class PacedStream final : public AudioStream {
  public:
    PacedStream(const StreamRequest& request, std::shared_ptr<CallbackCounters> counters, bool measure_thread_time)
        : request_(request), counters_(std::move(counters)), gate_(*counters_, measure_thread_time) {
        format_ = {request.rate_hz, request.frames, request.wav_file};
        if (request.way != AudioChoice::Way::kWav) return;
        auto file = SoundFile::create(request.wav_file, request.rate_hz);
        if (!file) {
            state_ = State::kFailed;
            sentence_ = file.error();
            return;
        }
        file_ = std::make_unique<SoundFile>(std::move(file.value()));
        ring_ = std::make_unique<core::Ring<StereoSample>>(static_cast<std::size_t>(kRing_s) *
                                                           static_cast<std::size_t>(request.rate_hz));
    }
    ~PacedStream() override { begin_close(); }

    State state() const override { return state_; }
    StreamFormat format() const override { return format_; }
    std::string sentence() const override { return sentence_; }
    bool broken() const override { return false; }
    CallbackGate& gate() override { return gate_; }

    void start() override {
        if (state_ != State::kReady) return;
        state_ = State::kRunning;
        pacer_ = std::thread([this] { pace(); });
        if (file_) writer_ = std::thread([this] { write(); });
    }

    void begin_close() override {
        closing_.store(true, std::memory_order_release);
        if (pacer_.joinable()) pacer_.join();
        paced_.store(true, std::memory_order_release);
        if (writer_.joinable()) writer_.join();
        if (state_ == State::kFailed) return;
        if (file_) finish();
        state_ = State::kClosed;
    }

  private:
    void pace() {
        // Without the right to it the pace is kept as well as it can be.
        if (request_.realtime) (void)core::make_thread_realtime(core::RtMode::automatic, request_.priority);
        const auto frames = static_cast<std::size_t>(request_.frames);
        std::vector<float> left(frames), right(frames);
        std::int64_t zero_ns = core::monotonic_now_ns();
        std::int64_t blocks = 0;
        while (!closing_.load(std::memory_order_acquire)) {
            // Counted from the start, never summed: no error grows.
            const double since_s = static_cast<double>(blocks) * request_.frames / request_.rate_hz;
            const std::int64_t due_ns = zero_ns + static_cast<std::int64_t>(since_s * 1e9);
            core::sleep_until_ns(due_ns);
            const bool late = core::monotonic_now_ns() - due_ns > kGivenUp_ns;
            const bool sound = gate_.block(left.data(), right.data(), request_.frames, request_.rate_hz, due_ns, late);
            for (std::size_t i = 0; sound && ring_ && i < frames; ++i) {
                if (!ring_->try_push({left[i], right[i]})) lost_.fetch_add(1, std::memory_order_relaxed);
            }
            ++blocks;
            if (late) {
                zero_ns = core::monotonic_now_ns();
                blocks = 0;
            }
        }
    }

    void write() {
        std::vector<float> left, right;
        for (bool last = false; !last;) {
            last = paced_.load(std::memory_order_acquire);
            StereoSample sample;
            left.clear();
            right.clear();
            while (ring_->try_pop(sample)) {
                left.push_back(sample.left);
                right.push_back(sample.right);
            }
            const std::size_t fits = std::min(left.size(), file_->room());
            beyond_ += left.size() - fits;
            file_->write(std::span(left).first(fits), std::span(right).first(fits));
            if (!last) std::this_thread::sleep_for(kWriteEvery);
        }
    }

    void finish() {
        const auto done = file_->finish();
        const auto lost = lost_.load(std::memory_order_relaxed);
        if (!done) {
            sentence_ = done.error();
        } else if (beyond_ > 0) {
            sentence_ = request_.wav_file + " lacks the last " + std::to_string(beyond_) +
                        " samples, as a WAV file holds no more than 4 GiB; wav:NAME.flac makes one that holds more";
        } else if (lost > 0) {
            sentence_ =
                request_.wav_file + " lacks " + std::to_string(lost) + " samples that the disk did not take in time";
        }
        file_.reset();
    }

    const StreamRequest request_;
    const std::shared_ptr<CallbackCounters> counters_;
    CallbackGate gate_;
    StreamFormat format_;
    State state_ = State::kReady;
    std::string sentence_;
    std::unique_ptr<SoundFile> file_;
    std::unique_ptr<core::Ring<StereoSample>> ring_;
    std::atomic<bool> closing_{false}, paced_{false};
    std::atomic<std::int64_t> lost_{0};
    std::size_t beyond_ = 0;  // samples that the file had no room for; the writer's
    std::thread pacer_, writer_;
};

}  // namespace

std::unique_ptr<AudioStream> make_paced_stream(const StreamRequest& request, std::shared_ptr<CallbackCounters> counters,
                                               bool measure_thread_time) {
    return std::make_unique<PacedStream>(request, std::move(counters), measure_thread_time);
}

}  // namespace letoff::audio
