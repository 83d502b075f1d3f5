// The samples' side of a SampleLink: makes the blocks that were asked for. One thread; not real-time safe.
#pragma once

#include <memory>
#include <vector>

#include "audio/sample/sample_link.h"
#include "audio/sample/sample_player.h"

namespace letoff::audio {

class SampleServer {
  public:
    /// `link` must outlive it.
    SampleServer(SampleLink& link, std::unique_ptr<SampledPiano> piano);

    /// Makes the oldest block that was asked for. False: none was.
    bool serve();
    /// Of the last block: when it was asked for, and its length.
    const SampleRequest& last() const { return last_; }
    const SamplePlayer& player() const { return player_; }

  private:
    SampleLink& link_;
    SamplePlayer player_;
    SampleRequest last_;
    std::vector<float> left_, right_;
};

}  // namespace letoff::audio
