// Where the keybed's sound goes while devices come and go: the LiveSound of the present device's sample rate, with its
// samples where they are wanted. One is made for each rate that is met and kept, so that the keybed's thread never
// holds one that is gone.
//
// Other strings and values come into it while it plays (SoundChange makes them behind).
//
// Threads: stream_opening, stream_stopped, want, poll and take_sentences on the control thread, on_tick, on_strike and
// set_time_zero_ns on the keybed's.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "audio/device/audio_out.h"
#include "audio/live/live_sound.h"
#include "audio/sample/live_sampler.h"
#include "core/port/sound_sink.h"
#include "core/string/string_design.h"
#include "ui/app/live/sound_change.h"

namespace letoff::ui {

struct LiveSamples {
    audio::Engine engine = audio::Engine::kModal;
    std::string soundfont;  // of kSample and kBoth
    int program = audio::kFirstPreset;
    core::RtMode rt = core::RtMode::off;
};

class LiveSoundOut final : public core::SoundSink, public audio::AudioClient {
  public:
    /// `strings`, which must outlive it, are of this design.
    LiveSoundOut(const core::StringSet& strings, const core::StringDesign& design, const audio::SoundValues& values,
                 int tick_hz, core::FaultCounters& faults)
        : strings_(&strings),
          values_(values),
          wanted_design_(design),
          wanted_values_(values),
          tick_hz_(tick_hz),
          faults_(faults) {}

    /// Before the first stream opens.
    void want_samples(const LiveSamples& samples) { samples_ = samples; }

    void want_room(std::shared_ptr<const audio::RoomResponse> room) { room_ = std::move(room); }

    /// Strings of this design and these values sound as soon as they are made; of several only the last. Samples keep
    /// the tuning that they were loaded with. False: they are what was wanted before.
    bool want(const core::StringDesign& design, const audio::SoundValues& values);
    /// Now and then. True once when what was wanted sounds.
    bool poll();

    /// What the sound waits longer than one tick and one block, for the work of a tick.
    double margin_s() const;

    audio::BlockSource* stream_opening(int rate_hz, int frames) override;
    void stream_stopped() override;

    void on_tick(const core::SoundFrame& frame) noexcept override;
    void on_strike(const core::Strike& strike) noexcept;
    /// Keybed time zero as CLOCK_MONOTONIC: before the first tick and after every gap.
    void set_time_zero_ns(std::int64_t time_ns) noexcept;
    /// The keybed sleeps (LiveSound::set_resting).
    void set_resting(bool resting) noexcept;

    /// Of the present device's sound, newest; false: nothing new. Control thread.
    bool take_status(audio::LiveSoundStatus& status);
    /// What has become of loading the samples.
    std::vector<std::string> take_sentences();

  private:
    struct AtRate {
        std::unique_ptr<audio::SampleLink> link;
        std::unique_ptr<audio::LiveSound> sound;
        std::unique_ptr<audio::LiveSampler> sampler;  // its thread ends before what it uses
        int wish = 0;                                 // that it sounds by
    };
    AtRate make(int rate_hz);

    bool start_change();

    const core::StringSet* strings_;                          // that a sound is made of which is made now
    std::unique_ptr<const core::StringSet> changed_strings_;  // behind strings_, once they have changed
    audio::SoundValues values_;
    core::StringDesign wanted_design_;
    audio::SoundValues wanted_values_;
    int wish_ = 0, had_wish_ = 0;  // counted: what is wanted, and what strings_ and values_ are of
    const int tick_hz_;
    core::FaultCounters& faults_;
    LiveSamples samples_;
    std::shared_ptr<const audio::RoomResponse> room_;
    std::map<int, AtRate> by_rate_;
    std::atomic<audio::LiveSound*> present_{nullptr};
    std::unique_ptr<SoundChange> change_;  // ends before the sounds that it is for
    // The keybed's thread.
    audio::LiveSound* told_ = nullptr;  // knows the time zero
    std::int64_t time_zero_ns_ = 0;
};

}  // namespace letoff::ui
