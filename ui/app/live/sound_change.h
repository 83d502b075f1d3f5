// Other strings and other values of the sound, made on a thread of their own while the instrument plays on as it was.
//
// Threads: everything on the control thread.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "audio/live/live_sound.h"
#include "core/string/string_design.h"

namespace letoff::ui {

class SoundChange {
  public:
    /// Starts at once, for these sounds, which must outlive it.
    SoundChange(const std::vector<audio::LiveSound*>& sounds, const core::StringDesign& design,
                const audio::SoundValues& values, int wish);
    /// Waits for what is being made: some tenths of a second.
    ~SoundChange();
    SoundChange(const SoundChange&) = delete;
    SoundChange& operator=(const SoundChange&) = delete;

    bool done() const { return done_.load(std::memory_order_acquire); }

    // When it is done, each once:
    /// False: it was not made for this one.
    bool give(audio::LiveSound& sound);
    std::unique_ptr<const core::StringSet> take_strings() { return std::move(strings_); }

    const audio::SoundValues& values() const { return values_; }
    int wish() const { return wish_; }

  private:
    struct ForSound {
        audio::LiveSound* sound = nullptr;
        std::unique_ptr<audio::SoundEngine> engine;
    };
    void run();

    const core::StringDesign design_;
    const audio::SoundValues values_;
    const int wish_;
    std::vector<ForSound> engines_;
    std::unique_ptr<const core::StringSet> strings_;
    std::atomic<bool> done_{false};
    std::thread thread_;
};

}  // namespace letoff::ui
