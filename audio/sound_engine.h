// From contact forces to stereo sound: strings, then the soundboard. Called once a tick off line, once a chunk live
// (audio/live); returns nothing to the keybed.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "audio/modal/string_bank.h"
#include "audio/soundboard/soundboard.h"
#include "core/event/sound_frame.h"
#include "core/result.h"
#include "core/rt/executor.h"
#include "core/string/modal_string.h"

namespace letoff::audio {

struct SoundConfig {
    int sample_rate_hz = 48000;
    int tick_hz = 4000;
    int samples_per_chunk = 0;  // 0: a call is one tick; else see StringBankConfig
    std::uint64_t soundboard_seed = 1;
};

class SoundEngine {
  public:
    static core::Result<SoundEngine> create(const core::StringSet& strings, const SoundConfig& config);

    /// Samples of a whole tick or chunk.
    int samples_per_tick() const { return bank_.samples_per_tick(); }
    const StringBank& bank() const { return bank_; }

    /// Renders one tick: samples_per_tick() samples into each side, or as many as they hold where that is fewer. Full
    /// scale is 1; louder is not clipped here but counted. With an executor the note groups are spread over its
    /// threads; the sound is the same bits however many there are.
    void render_tick(const core::SoundFrame& frame, std::span<float> left, std::span<float> right,
                     core::Executor* executor = nullptr) noexcept;

    /// Strings and board at rest at once.
    void silence() noexcept;

    double max_abs_sample() const { return max_abs_sample_; }
    std::int64_t samples_over_full_scale() const { return over_full_scale_; }

  private:
    SoundEngine(StringBank bank, const SoundboardConfig& board);
    void measure(std::span<const float> out) noexcept;

    StringBank bank_;
    Soundboard board_;
    std::array<double, core::kKeyCount> loss_1ps_{};
    float max_abs_sample_ = 0;
    std::int64_t over_full_scale_ = 0;
};

}  // namespace letoff::audio
