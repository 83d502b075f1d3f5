// The sound of live play: takes the keybed's frames on the keybed's thread, gives sound on the audio device's, and
// joins their two clocks.
//
//   The block whose request is foretold for T_k (BlockClock) holds keybed time from T_(k-1) - tick - margin to
//   T_k - tick - margin: a delay of exactly one block and one tick (and the margin), the same for every sample. What
//   the keybed has done up to T_k it has told at the latest a tick later, so it is there.
//
//   The strings are rendered in chunks of samples_per_chunk, the last of a block shorter where the block asks for it.
//   The contact forces keep their impulse (ForceFeed), the dampers are taken straight between ticks, at chunk ends.
//
//   Not there: the keybed is late. The strings ring on without force and the reading place stands still, so that
//   nothing of a strike is lost or doubled; it jumps on to where it belongs over ticks in which no hammer is on a
//   string. A stop that the sound can show, with a hammer on a string or a strike after it late, or a whole tick long,
//   is counted (kSoundFrameMissing), as are ticks that the keybed left out. More than kGreatestLag_s off: kClockLost,
//   and the place is taken anew, as after a start.
//
//   Samples, where there are any, are added one block later than the strings (audio/sample/sample_link.h); then come
//   the user's room and the limiter.
//
// Threads: on_tick and on_strike on the keybed's thread; render on the device's, one at a time; all real-time safe. The
// rest on a control thread. Samples that are not finite are zero, the sound is reset; those that are too loud are
// turned down; both counted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "audio/engine_choice.h"
#include "audio/limiter.h"
#include "audio/live/block_clock.h"
#include "audio/live/block_source.h"
#include "audio/live/force_feed.h"
#include "audio/live/frame_ring.h"
#include "audio/live/sounding_engine.h"
#include "audio/room/room.h"
#include "audio/sample/sample_link.h"
#include "audio/sound_engine.h"
#include "core/fault/fault.h"
#include "core/port/sound_sink.h"
#include "core/result.h"
#include "core/rt/latest_value.h"

namespace letoff::audio {

struct LiveSoundConfig {
    int sample_rate_hz = 48000;
    int tick_hz = 4000;
    int samples_per_chunk = 16;  // divides the usual blocks; the cost of a chunk's start is small at that length
    int longest_block = 8192;    // frames; longer ones are asked for piece by piece
    double margin_s = 0;         // more delay, against a keybed that needs a good part of its tick
    std::uint64_t soundboard_seed = 1;
    SoundValues values{};
    Engine engine = Engine::kModal;              // kSample: the strings are not struck from when the samples play
    SampleLink* samples = nullptr;               // must outlive it
    std::shared_ptr<const RoomResponse> room{};  // null: none
};

struct LiveSoundStatus {
    std::int64_t blocks = 0;
    std::int64_t stops = 0;           // blocks in which the reading place stood still and the keybed did not sleep
    std::int64_t clock_restarts = 0;  // beyond the first start
    double delay_s = 0;               // block, tick and margin, as the clocks have it now
    double behind_s = 0;              // of its place, because of a stop; 0 while the keybed sleeps
    double drift = 0;                 // share by which the device is slower than its name
    double least_reserve_s = 0;  // least time from a block's end to the end of what the keybed had told, in a second
    bool running = false;        // frames are coming and heard
    float peak = 0;              // largest sample of the last block, before the limiter
    float meter = 0;             // the same as a needle shows it: falls to a third in 0.3 s
};

class LiveSound final : public core::SoundSink, public BlockSource {
  public:
    /// Error: rates or chunk that the strings cannot do. `faults` must outlive it.
    static core::Result<std::unique_ptr<LiveSound>> create(const core::StringSet& strings,
                                                           const LiveSoundConfig& config, core::FaultCounters& faults);

    /// When keybed time (tick / tick_hz) is zero, CLOCK_MONOTONIC. Before the first tick, and whenever the keybed's
    /// clock is set anew, before the first tick that counts so. Any thread, one at a time.
    void set_time_zero_ns(std::int64_t time_ns) noexcept;

    void on_tick(const core::SoundFrame& frame) noexcept override;
    void on_strike(const core::Strike& strike) noexcept;
    /// The keybed sleeps: its frames come late and in bursts, and tell of nothing; that is no fault. Keybed's thread.
    void set_resting(bool resting) noexcept { resting_.store(resting, std::memory_order_release); }
    void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept override;

    /// The device is gone, its thread has ended: frames are thrown away, uncounted, until render() is called again,
    /// which then starts anew. Control thread.
    void device_stopped() noexcept;

    /// The newest status; one thread. False: no block since the last call, `status` is untouched.
    bool take_status(LiveSoundStatus& status) noexcept;

    /// What replace() takes: other strings, other values. Any thread, not a real-time one; takes a third of a second.
    core::Result<std::unique_ptr<SoundEngine>> make_engine(const core::StringSet& strings,
                                                           const SoundValues& values) const;
    /// From now on the sound is that engine's, with so much of the room; what rings rings out (SoundingEngine). Control
    /// thread, as collect(), which frees what is no longer heard.
    void replace(std::unique_ptr<SoundEngine> next, double room_share);
    void collect() { engine_.collect(); }

    /// For tests and meters, between blocks.
    const SoundEngine& engine() const { return engine_.present(); }
    int sample_rate_hz() const { return config_.sample_rate_hz; }

  private:
    LiveSound(std::unique_ptr<SoundEngine> engine, const LiveSoundConfig& config, core::FaultCounters& faults);

    struct BlockPlaces {
        Place begin = 0, end = 0;
        int frames = 0;
        Place at(std::int64_t frame) const noexcept { return begin + (end - begin) * frame / frames; }
    };
    void render_block(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept;
    bool take_epoch() noexcept;
    void find_place(const BlockPlaces& block) noexcept;
    void render_chunk(const BlockPlaces& block, int first, int samples, float* left, float* right) noexcept;
    void finish_block(float* left, float* right, int frames) noexcept;
    void report(const BlockPlaces& block, bool resting) noexcept;

    LiveSoundConfig config_;
    core::FaultCounters& faults_;
    SoundingEngine engine_;
    std::atomic<double> room_share_;
    Place tick_places_;
    std::atomic<std::int64_t> time_zero_ns_{0};
    std::atomic<std::uint32_t> epoch_{1};
    std::atomic<bool> listening_{false};
    std::atomic<bool> resting_{false};
    core::LatestValue<LiveSoundStatus> status_;

    // The keybed's thread.
    std::int64_t next_tick_ = INT64_MIN;
    std::uint32_t told_epoch_ = 0;

    // The device's thread.
    alignas(core::kCacheLine) FrameRing ring_;
    ForceFeed feed_;
    BlockClock clock_;
    std::optional<Room> room_;
    Limiter limiter_;
    std::uint32_t heard_epoch_ = 0;
    std::int64_t zero_ns_ = 0;
    bool running_ = false;
    Place place_ = 0;    // up to where the forces have been heard
    Place stopped_ = 0;  // how far the place stood still in this block
    bool audible_ = false;
    std::array<Place, core::kMaxStrikeSamplesPerTick + 1> edges_{};
    LiveSoundStatus now_;
    std::int64_t reserve_frames_ = 0;
    bool strings_struck_ = true;
};

}  // namespace letoff::audio
