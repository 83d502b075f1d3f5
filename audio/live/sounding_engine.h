// The engine that sounds, and how another one takes its place while it plays: what is struck from then on sounds in the
// new one, what rings goes on in the old one, damped as ever, and is faded out. So a string that is tuned or voiced
// anew does not glide or jump, and nothing clicks.
//
// Threads: replace() and collect() on the control thread; the rest on the sound's, real-time safe: it neither makes nor
// frees an engine.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "audio/sound_engine.h"
#include "core/rt/ring.h"

namespace letoff::audio {

class SoundingEngine {
  public:
    /// The old one rings out in this time: as long as a player listens to a held chord while turning a tuning lever; a
    /// longer one would have two engines at work for no more than a tail (our choice).
    static constexpr double kRingsOut_s = 1.0;

    SoundingEngine(std::unique_ptr<SoundEngine> first, int sample_rate_hz);
    /// Both threads have let go.
    ~SoundingEngine();
    SoundingEngine(const SoundingEngine&) = delete;
    SoundingEngine& operator=(const SoundingEngine&) = delete;

    /// From the next block on that begins with no hammer on a string, when the one before has rung out. One that was
    /// replaced before it ever sounded is freed.
    void replace(std::unique_ptr<SoundEngine> next);
    /// Frees what has rung out; now and then.
    void collect();

    /// False: the same engine goes on.
    bool begin_block(bool hammer_on_string) noexcept;
    /// A chunk (SoundEngine::render of one frame). The old one is given dampers alone.
    void render(const core::SoundFrame& frame, std::span<float> left, std::span<float> right) noexcept;
    void silence() noexcept;
    const SoundEngine& present() const { return *present_; }

  private:
    // One rings out, one sounds, one waits; between two looks of the control thread one more can have rung out.
    static constexpr int kMostReturned = 4;

    void add_leaving(const core::SoundFrame& frame, std::span<float> left, std::span<float> right) noexcept;

    const std::int64_t rings_out_samples_;
    std::unique_ptr<SoundEngine> present_, leaving_;
    std::int64_t left_samples_ = 0;  // of leaving_
    std::array<std::vector<float>, 2> tail_;
    std::atomic<SoundEngine*> next_{nullptr};
    core::Ring<SoundEngine*> rung_out_{kMostReturned};
};

}  // namespace letoff::audio
