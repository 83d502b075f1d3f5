// When an audio block is really asked for: a delay-locked loop over the times at which the device calls back, which
// scatter by scheduling, while the device's own crystal does not (F. Adriaensen, "Using a DLL to filter time", 2005,
// eq. for t0, t1, e2).
//
//   e = request - t1;   t0 = t1;   t1 = t1 + b e + T;   T = T + c e;   b = sqrt(2) w,  c = w^2,  w = 2 pi B T
//
// T: filtered time of one block, t1: the next request foretold. Times are ns on the keybed's clock. A block's span runs
// from the foretold time of the request before to that of its own: each span begins exactly where the last one ended,
// so a drift is followed without a step, and nothing after its own request is ever in it.
//
// Bandwidth B: kFinal_hz in the long run, wider at the start (kStart / time since the start, as a growing average
// would have it); after a new start only for the phase, a crystal keeps its rate. A request that is off by more than
// half a block counts as half a block for the phase and not for the rate. If that goes on to the same side for kLost_ns
// (device skipped or repeated blocks), or once by kGap_ns, the loop starts anew at the request. One thread, real-time
// safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/unit/constants.h"

namespace letoff::audio {

class BlockClock {
  public:
    explicit BlockClock(int sample_rate_hz) noexcept : sample_rate_hz_(sample_rate_hz) {}

    struct Span {
        double start_ns = 0;
        double end_ns = 0;
        bool restarted = false;  // does not begin where the last one ended
    };

    /// Once a block, as soon as it is asked for.
    Span next(std::int64_t request_ns, int frames) noexcept {
        const auto request = static_cast<double>(request_ns);
        const double nominal_ns = 1e9 * frames / sample_rate_hz_;
        if (!running_ || frames != frames_) {
            if (frames != frames_) {
                block_ns_ = nominal_ns;
                learnt_ns_ = 0;
            }
            frames_ = frames;
            return start(request);
        }
        const double error_ns = request - next_ns_;
        const double limit_ns = 0.5 * block_ns_;
        const bool far_off = std::abs(error_ns) > limit_ns;
        far_off_ns_ = !far_off ? 0 : (error_ns > 0) == (far_off_ns_ > 0) ? far_off_ns_ : 0;
        if (far_off) far_off_ns_ += error_ns > 0 ? block_ns_ : -block_ns_;
        const double lost_ns = std::max(kLost_ns, kLostBlocks * block_ns_);
        if (std::abs(far_off_ns_) > lost_ns || std::abs(error_ns) > std::max(kGap_ns, 4 * block_ns_))
            return start(request);
        elapsed_ns_ += block_ns_;
        learnt_ns_ += block_ns_;
        const double w = loop_step(elapsed_ns_), w_rate = loop_step(learnt_ns_);
        const double used_ns = std::clamp(error_ns, -limit_ns, limit_ns);
        Span span{last_ns_, next_ns_, false};
        last_ns_ = next_ns_;
        next_ns_ += kSqrt2 * w * used_ns + block_ns_;
        block_ns_ = std::clamp(block_ns_ + w_rate * w_rate * (far_off ? 0 : error_ns), (1 - kWidestDrift) * nominal_ns,
                               (1 + kWidestDrift) * nominal_ns);
        return span;
    }

    /// Forgets the phase; the rate that was learnt stays.
    void reset() noexcept { running_ = false; }
    /// How much slower (positive) or faster the device is than its name, as a share.
    double drift() const noexcept { return frames_ > 0 ? block_ns_ / (1e9 * frames_ / sample_rate_hz_) - 1 : 0; }

  private:
    // With callbacks that scatter by 0.1 ms and blocks of 1.3 ms the filtered time moves by 3 us a block, a seventh of
    // a sample; a crystal's rate changes over minutes, far slower than 1/(2 pi 0.1 Hz) = 1.6 s.
    static constexpr double kFinal_hz = 0.1;
    static constexpr double kStart = 0.25;           // B times the time since the start: settles within some ten blocks
    static constexpr double kGreatestStep = 0.3;     // of w: the loop's equations hold for w well below 1
    static constexpr double kLost_ns = 20e6;         // a busy machine holds back callbacks for milliseconds, not longer
    static constexpr double kLostBlocks = 6;         // and long blocks need a few of them to tell
    static constexpr double kGap_ns = 100e6;         // no scatter of scheduling: the device was stopped
    static constexpr double kWidestDrift = 2000e-6;  // sound servers resample to within this; crystals keep 200e-6
    static constexpr double kSqrt2 = 1.41421356237309505;

    /// w, so long after a start.
    double loop_step(double elapsed_ns) const noexcept {
        const double bandwidth_hz = std::max(kFinal_hz, kStart / (elapsed_ns * 1e-9));
        return std::min(2 * core::kPi * bandwidth_hz * block_ns_ * 1e-9, kGreatestStep);
    }

    Span start(double request) noexcept {
        running_ = true;
        elapsed_ns_ = far_off_ns_ = 0;
        last_ns_ = request;
        next_ns_ = request + block_ns_;
        return {request - block_ns_, request, true};
    }

    int sample_rate_hz_;
    int frames_ = 0;
    bool running_ = false;
    double last_ns_ = 0, next_ns_ = 0;  // request of the last block, and of the next one foretold
    double block_ns_ = 0;
    double elapsed_ns_ = 0;  // since the start, and ...
    double learnt_ns_ = 0;   // ... in which the rate was learnt, which a new start leaves as it is
    double far_off_ns_ = 0;  // how long requests have been off to one side, signed
};

}  // namespace letoff::audio
