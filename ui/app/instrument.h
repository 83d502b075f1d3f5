// The instrument: every part wired once. Off line it runs on virtual time, as fast as the machine can; the same wiring
// plays live.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audio/engine_choice.h"
#include "audio/sample/sample_player.h"
#include "audio/sound_engine.h"
#include "core/midi/performance.h"
#include "core/result.h"
#include "core/rt/executor.h"
#include "core/string/string_design.h"
#include "keyboard/action/registers.h"
#include "keyboard/gesture/player.h"
#include "keyboard/gesture/stroke_table.h"
#include "keyboard/keybed/keybed.h"
#include "ui/app/offline_sound.h"

namespace letoff::ui {

/// Done so far, 0..1, and what is being done. Called on the control thread, often; must be quick.
using Progress = std::function<void(double share, const char* what)>;

struct InstrumentSetting {
    keyboard::GrandTouch touch;  // what a profile makes of the grand
    core::StringDesign strings;  // ... and of its tuning and voicing
    audio::SoundValues sound;    // ... and of the rest of the sound
    int tick_hz = 4000;
    int sample_rate_hz = 48000;
    std::string executor = "tbb";  // inline, tbb, threads
    int threads = 0;               // 0: as many as the machine has
    bool live = false;             // they are all the keybed's: live sound is made on the device's thread
    std::string cache_file;        // SQLite file of finger tables; empty: compute anew
    audio::Engine engine = audio::Engine::kModal;
    std::string soundfont;  // of kSample and kBoth; empty: the first of the known packages
    std::string room;       // file of its response; empty: none
};

/// What follows why a room cannot be used.
inline constexpr std::string_view kWithoutRoom = "; the sound plays on without it";

struct RenderSummary {
    std::string_view action;
    double duration_s = 0;
    double wall_s = 0;
    int notes = 0, strikes = 0, silent_presses = 0, missed_notes = 0, extra_strikes = 0;
    double max_abs_sample = 0;  // before the limiter
    std::int64_t limited_samples = 0;
    audio::Engine engine = audio::Engine::kModal;  // that sounded
    int threads = 1, tick_hz = 4000;
    std::int64_t faults = 0, not_converged = 0;
    std::vector<keyboard::NoteOutcome> outcomes;  // one a note, in the order of the performance
    std::vector<core::Strike> extra;              // strikes that belong to no note
    std::vector<core::Release> releases;
};

class Instrument {
  public:
    /// Builds the 88 keys, their strings and sound, settles the keys and calibrates the fingers (or takes their tables
    /// from the cache).
    static core::Result<std::unique_ptr<Instrument>> create(const InstrumentSetting& setting,
                                                            const Progress& progress = {});

    /// For kSample and kBoth, before render(): the SoundFont's file. Error: a sentence; then the strings alone play.
    core::Result<std::string> load_samples();
    /// Before render(), where there is a room: its response. Error: a sentence; then the sound stays without it.
    core::Result<bool> load_room();
    /// Plays a performance off line; the sound ends when it has died away, at the latest tail_s after the last event.
    RenderSummary render(const core::Performance& performance, const OfflineSound::Out& audio,
                         const Progress& progress = {}, double tail_s = 30.0);

    /// The sound of this keybed's coming ticks, but for the first `skipped_ticks`; one at a time.
    std::unique_ptr<OfflineSound> offline_sound(std::int64_t skipped_ticks, const OfflineSound::Out& out);

    keyboard::Keybed& keybed() { return *keybed_; }
    const core::StringSet& strings() const { return *strings_; }
    std::span<const keyboard::StrokeTable> stroke_tables() const { return tables_; }
    std::span<const keyboard::KeyBuild> keys() const { return keys_; }
    core::Executor& executor() { return *executor_; }
    const InstrumentSetting& setting() const { return setting_; }
    const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    Instrument() = default;

    InstrumentSetting setting_;
    std::unique_ptr<core::StringSet> strings_;
    std::vector<keyboard::KeyBuild> keys_;
    std::unique_ptr<core::Executor> executor_, keybed_executor_, sound_helpers_;
    std::unique_ptr<keyboard::Keybed> keybed_;
    std::unique_ptr<audio::SoundEngine> sound_;
    std::unique_ptr<audio::SamplePlayer> samples_;
    std::unique_ptr<audio::RoomResponse> room_;
    std::vector<keyboard::StrokeTable> tables_;
    std::vector<std::string> warnings_;
};

}  // namespace letoff::ui
