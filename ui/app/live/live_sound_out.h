// Where the keybed's sound goes while devices come and go: the LiveSound of the present device's sample rate. One is
// made for each rate that is met and kept, so that the keybed's thread never holds one that is gone.
//
// Threads: stream_opening and stream_stopped on the control thread, on_tick and set_time_zero_ns on the keybed's.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "audio/device/audio_out.h"
#include "audio/live/live_sound.h"
#include "core/port/sound_sink.h"

namespace letoff::ui {

class LiveSoundOut final : public core::SoundSink, public audio::AudioClient {
  public:
    LiveSoundOut(const core::StringSet& strings, int tick_hz, core::FaultCounters& faults)
        : strings_(strings), tick_hz_(tick_hz), faults_(faults) {}

    /// What the sound waits longer than one tick and one block, for the work of a tick.
    double margin_s() const;

    audio::BlockSource* stream_opening(int rate_hz, int frames) override;
    void stream_stopped() override;

    void on_tick(const core::SoundFrame& frame) noexcept override;
    /// Keybed time zero as CLOCK_MONOTONIC: before the first tick and after every gap.
    void set_time_zero_ns(std::int64_t time_ns) noexcept;
    /// The keybed sleeps (LiveSound::set_resting).
    void set_resting(bool resting) noexcept;

    /// Of the present device's sound, newest; false: nothing new. Control thread.
    bool take_status(audio::LiveSoundStatus& status);

  private:
    const core::StringSet& strings_;
    const int tick_hz_;
    core::FaultCounters& faults_;
    std::map<int, std::unique_ptr<audio::LiveSound>> by_rate_;
    std::atomic<audio::LiveSound*> present_{nullptr};
    // The keybed's thread.
    audio::LiveSound* told_ = nullptr;  // knows the time zero
    std::int64_t time_zero_ns_ = 0;
};

}  // namespace letoff::ui
