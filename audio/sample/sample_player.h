// A sampled piano that plays events at their frames: the samples' time, on whatever thread. Events are counted from the
// first frame that is rendered; one that comes too late takes effect at once. One thread at a time; not real-time safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "audio/sample/sample_events.h"
#include "audio/sample/sampled_piano.h"

namespace letoff::audio {

class SamplePlayer {
  public:
    explicit SamplePlayer(std::unique_ptr<SampledPiano> piano) : piano_(std::move(piano)) {}

    /// Events of one frame keep their order.
    void add(std::int64_t frame, const SampleEvent& event);
    /// The next frames; both sides of equal length.
    void render(std::span<float> left, std::span<float> right);
    /// The frame that comes next.
    std::int64_t now() const { return now_; }
    /// All notes end, what is not due yet stays; the count goes on.
    void silence();

    const SampledPiano& piano() const { return *piano_; }

  private:
    struct Due {
        std::int64_t frame;
        SampleEvent event;
    };
    std::unique_ptr<SampledPiano> piano_;
    std::vector<Due> due_;  // by frame
    std::int64_t now_ = 0;
};

}  // namespace letoff::audio
