// The sound of a keybed that runs off line: ticks are gathered and rendered many at a time, on a thread beside the
// keybed's where the setting allows more than one. The samples come out in order on the keybed's thread, the same bits
// either way.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <semaphore>
#include <span>
#include <thread>
#include <vector>

#include "audio/sound_engine.h"
#include "core/port/sound_sink.h"

namespace letoff::ui {

class OfflineSound final : public core::SoundSink {
  public:
    static constexpr int kTicksAtOnce = 64;  // 16 ms at 4 kHz: a note's modes stay in the first cache all the while

    /// Takes a block of sound, left and right of equal length, full scale 1.
    using Out = std::function<void(std::span<const float> left, std::span<const float> right)>;

    /// `engine` has to take kTicksAtOnce ticks at once. `helpers`: spreads the notes; null: none. The first
    /// `skipped_ticks` are not part of the sound.
    OfflineSound(audio::SoundEngine& engine, core::Executor* helpers, bool own_thread, std::int64_t skipped_ticks,
                 Out out);
    ~OfflineSound() override;

    void on_tick(const core::SoundFrame& frame) noexcept override;
    /// All that was told becomes sound. Call once, after the last tick.
    void finish();

    /// The last tick that was heard (above -100 dBFS), as far as known: the sound is up to two batches behind.
    std::int64_t last_sound_tick() const { return last_sound_tick_; }

  private:
    struct Tick {
        std::int64_t number = 0;
        int tick_hz = 0;
        std::vector<core::StringForce> forces;
        std::array<double, core::kKeyCount> damper_compression_m{};
        core::CaseForces case_forces;
    };
    struct Batch {
        std::array<Tick, kTicksAtOnce> ticks;
        std::size_t count = 0;
        std::vector<float> left, right;
    };

    void hand_over();
    void take_back();
    void render(Batch& batch) noexcept;
    void work();

    audio::SoundEngine& engine_;
    core::Executor* helpers_;
    Out out_;
    std::int64_t skipped_samples_;
    std::int64_t last_sound_tick_ = 0;
    std::array<Batch, 2> batches_;
    std::vector<core::SoundFrame> frames_;  // of the batch being rendered
    Batch* filling_ = &batches_[0];
    Batch* rendering_ = nullptr;  // handed over and not taken back
    bool ending_ = false;
    std::binary_semaphore wanted_{0}, done_{0};
    std::jthread thread_;
};

}  // namespace letoff::ui
