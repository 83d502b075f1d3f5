// Between the two real-time threads and the thread that plays the samples: three rings, so that neither the keybed nor
// the audio callback ever waits for it.
//
//   events     keybed -> samples: strikes, dampers
//   requests   callback -> samples: which keybed time the block that is asked for now holds, and in how many frames
//   sound      samples -> callback: these frames, in order
//
// The callback plays in each block what it asked for in the one before: the samples come one block later than the
// strings, and have a block's time to be made. What is not there in time is silence and is counted; it is thrown away
// when it comes, so that the delay stays one block. A block longer than all before makes the delay that much longer.
//
// Threads: as named at each function. Those of the keybed and of the callback are real-time safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "audio/sample/sample_events.h"
#include "core/fault/fault.h"
#include "core/rt/ring.h"

namespace letoff::audio {

struct SampleRequest {
    Place begin = 0, end = 0;  // keybed time of the block
    std::uint32_t epoch = 0;   // that the places count from
    int frames = 0;
    bool anew = false;  // the device has started: what sounded before it is over
    std::int64_t asked_ns = 0;
};

struct SampledFrame {
    float left = 0, right = 0;
};

class SampleLink {
  public:
    /// Allocates. `faults` must outlive it.
    SampleLink(int sample_rate_hz, int tick_hz, int longest_block, core::FaultCounters& faults);

    // The keybed's thread.
    void on_strike(const core::Strike& strike, std::uint32_t epoch) noexcept;
    void on_tick(const core::SoundFrame& frame, std::uint32_t epoch) noexcept;

    // The callback's thread.
    /// The samples take part in the sound from here on.
    bool playing() const noexcept { return playing_.load(std::memory_order_acquire); }
    /// Asks for the block, and adds to both sides what was asked for before.
    void mix(const SampleRequest& request, float* left, float* right) noexcept;

    // The samples' thread.
    /// Everything is loaded.
    void begin() noexcept { playing_.store(true, std::memory_order_release); }
    bool next_request(SampleRequest& request) noexcept { return requests_.try_pop(request); }
    /// The oldest event that happens before the end of the request (or counts from another time zero).
    bool next_event(const SampleRequest& request, SampleEvent& event) noexcept;
    void push_sound(std::span<const float> left, std::span<const float> right) noexcept;

    int longest_block() const noexcept { return longest_block_; }
    int sample_rate_hz() const noexcept { return sample_rate_hz_; }

  private:
    void add(float* left, float* right, int frames) noexcept;

    const int sample_rate_hz_, longest_block_;
    core::FaultCounters& faults_;
    std::atomic<bool> playing_{false};
    // The keybed's.
    core::Ring<SampleEvent> events_;
    DamperWatch dampers_;
    // The callback's.
    core::Ring<SampleRequest> requests_;
    int delay_ = 0;   // frames, of the longest block so far
    int silent_ = 0;  // frames of silence that come before the next of the ring
    int owed_ = 0;    // frames that came too late and are to be thrown away
    // The samples'.
    core::Ring<SampledFrame> sound_;
    SampleEvent held_;
    bool holds_ = false;  // an event that is later than the last request
};

}  // namespace letoff::audio
