// The sound of a keybed that runs off line: ticks are gathered and rendered many at a time, on a thread beside the
// keybed's where the setting allows more than one: strings, samples, the user's room, then the limiter. The samples of
// sound come out in order on the keybed's thread, the same bits either way. At 48 and 96 kHz a frame of sound is a
// tick; at other rates the ticks are cut anew into chunks (audio/chunk_feed.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <span>
#include <thread>
#include <vector>

#include "audio/chunk_feed.h"
#include "audio/engine_choice.h"
#include "audio/limiter.h"
#include "audio/room/room.h"
#include "audio/sample/sample_player.h"
#include "audio/sound_engine.h"
#include "core/port/sound_sink.h"

namespace letoff::ui {

struct OfflineSoundSetting {
    int sample_rate_hz = 48000, tick_hz = 4000;
    bool own_thread = false;
    std::int64_t skipped_ticks = 0;  // the first ones are not part of the sound
    audio::Engine engine = audio::Engine::kModal;
    audio::SamplePlayer* samples = nullptr;     // for kSample and kBoth
    const audio::RoomResponse* room = nullptr;  // null: none
    double room_share = 0;
    core::Executor* helpers = nullptr;  // spreads the notes; null: none
};

class OfflineSound final : public core::SoundSink {
  public:
    static constexpr int kFramesAtOnce = 64;  // 16 ms at 4 kHz, long against the waking of a thread

    /// One is filled, one rendered, and the rest wait, so that neither thread stops for the other's waking. A batch is
    /// taken back only when its place is needed: how far the sound is behind does not depend on the threads' pace.
    static constexpr std::size_t kBatches = 4;

    /// Sound has died away when nothing was heard for so long.
    static constexpr double kSilentFor_s = 0.5;

    /// Takes a block of sound, left and right of equal length, full scale 1.
    using Out = std::function<void(std::span<const float> left, std::span<const float> right)>;

    /// A frame of sound is not a tick: the engine must have been made for chunks of audio::chunk_samples().
    static bool needs_chunks(int sample_rate_hz, int tick_hz);

    /// `engine` has to take kFramesAtOnce frames at once.
    OfflineSound(audio::SoundEngine& engine, const OfflineSoundSetting& setting, Out out);
    ~OfflineSound() override;

    void on_tick(const core::SoundFrame& frame) noexcept override;
    void on_strike(const core::Strike& strike) noexcept;
    /// All that was told becomes sound. Call once, after the last tick.
    void finish();

    /// The last tick that was heard (above -100 dBFS), as far as known: the sound is up to kBatches batches behind.
    std::int64_t last_sound_tick() const { return last_sound_tick_; }
    /// Of all the sound, before the limiter. After finish().
    double max_abs_sample() const { return found_.largest; }
    std::int64_t limited_samples() const { return found_.limited; }

  private:
    struct Frame {
        std::int64_t tick = 0;
        int tick_hz = 0;
        std::vector<core::StringForce> forces;
        std::array<double, core::kKeyCount> damper_compression_m{};
        core::CaseForces case_forces;
    };
    struct Batch {
        std::array<Frame, kFramesAtOnce> frames;
        std::size_t count = 0;
        std::size_t samples = 0;  // of all its frames
        std::vector<audio::SampleEvent> events;
        std::vector<float> left, right;
    };

    void take(const core::SoundFrame& frame, std::size_t samples);
    void hand_over();
    void take_back();
    /// That the keybed's thread fills.
    Batch& filling() { return batches_[handed_over_ % kBatches]; }
    void render(Batch& batch);
    void add_samples(Batch& batch);
    void work();

    audio::SoundEngine& engine_;
    OfflineSoundSetting setting_;
    Out out_;
    std::unique_ptr<audio::ChunkFeed> chunks_;
    audio::DamperWatch dampers_;
    std::optional<audio::Room> room_;
    audio::Limiter limiter_;
    audio::Limiter::Report found_;
    std::int64_t first_tick_ = INT64_MIN;
    std::int64_t skipped_samples_;
    std::int64_t last_sound_tick_ = 0;
    std::array<Batch, kBatches> batches_;
    std::size_t handed_over_ = 0, taken_back_ = 0;
    std::vector<core::SoundFrame> frames_;  // of the batch being rendered
    std::vector<float> added_left_, added_right_;
    bool ending_ = false;
    std::counting_semaphore<kBatches> wanted_{0}, done_{0};
    std::jthread thread_;
};

}  // namespace letoff::ui
