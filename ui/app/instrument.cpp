#include "ui/app/instrument.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "audio/sample/soundfont_files.h"
#include "keyboard/keybed/grand_keys.h"
#include "ui/app/finger_tables.h"

namespace letoff::ui {
namespace {

/// What the keybed tells the player, the samples hear too.
class StrikesToBoth final : public core::StrikeSink {
  public:
    StrikesToBoth(core::StrikeSink& player, OfflineSound& sound) : player_(player), sound_(sound) {}
    void on_strike(const core::Strike& strike) noexcept override {
        player_.on_strike(strike);
        sound_.on_strike(strike);
    }
    void on_key_bottom(int key_index, double time_s) noexcept override { player_.on_key_bottom(key_index, time_s); }
    void on_release(const core::Release& release) noexcept override { player_.on_release(release); }

  private:
    core::StrikeSink& player_;
    OfflineSound& sound_;
};

}  // namespace

core::Result<std::unique_ptr<Instrument>> Instrument::create(const InstrumentSetting& setting,
                                                             const Progress& progress) {
    if (setting.tick_hz < 1000 || core::kStrikeGrid_hz % setting.tick_hz != 0) {
        return core::Error{
            fmt::format("The tick rate {} Hz does not divide {} Hz or is below 1000 Hz; 1000, 2000, 4000 and 8000 do.",
                        setting.tick_hz, core::kStrikeGrid_hz)};
    }
    auto instrument = std::unique_ptr<Instrument>(new Instrument);
    Instrument& self = *instrument;
    self.setting_ = setting;
    const int threads =
        setting.threads > 0 ? setting.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    // Off line the sound is made beside the keybed, on a thread of its own with helpers; more threads than processors
    // would only wait for each other in every tick.
    const int for_keybed = setting.live ? threads : std::max(1, threads / 2);
    for (auto [executor, share] : {std::pair(&self.executor_, threads), std::pair(&self.keybed_executor_, for_keybed),
                                   std::pair(&self.sound_helpers_, std::max(1, threads - for_keybed))}) {
        auto made = core::make_executor(share == 1 && threads > 1 ? "inline" : setting.executor, share);
        if (!made.ok()) return core::Error{made.error()};
        *executor = std::move(made.value());
    }
    self.strings_ = std::make_unique<core::StringSet>(core::design_strings(setting.strings));
    self.keys_ = keyboard::grand_keys(*self.strings_, 0, core::kKeyCount, setting.touch);
    const bool chunks = OfflineSound::needs_chunks(setting.sample_rate_hz, setting.tick_hz);
    auto sound = audio::SoundEngine::create(
        *self.strings_,
        {.sample_rate_hz = setting.sample_rate_hz,
         .tick_hz = setting.tick_hz,
         .samples_per_chunk = chunks ? audio::chunk_samples(setting.sample_rate_hz, setting.tick_hz) : 0,
         .ticks_at_once = OfflineSound::kFramesAtOnce,
         .values = setting.sound});
    if (!sound.ok()) return core::Error{sound.error()};
    self.sound_ = std::make_unique<audio::SoundEngine>(std::move(sound.value()));
    self.keybed_ = std::make_unique<keyboard::Keybed>(self.keys_, setting.tick_hz, *self.keybed_executor_);
    self.keybed_->settle();
    self.tables_ = find_or_learn_strokes({setting.tick_hz, setting.cache_file}, self.keys_, *self.executor_, progress,
                                         self.warnings_);
    return instrument;
}

core::Result<std::string> Instrument::load_samples() {
    auto file = audio::find_soundfont(setting_.soundfont);
    if (!file) return file;
    auto piano = audio::SampledPiano::load(file.value(), setting_.sample_rate_hz, audio::sample_keys(*strings_),
                                           setting_.touch.action->sample_program);
    if (!piano) return core::Error{piano.error()};
    samples_ = std::make_unique<audio::SamplePlayer>(std::move(piano.value()));
    return file;
}

core::Result<bool> Instrument::load_room() {
    if (setting_.room.empty()) return true;
    auto room = audio::load_room(setting_.room);
    if (!room) return core::Error{room.error()};
    room_ = std::make_unique<audio::RoomResponse>(std::move(room.value()));
    return true;
}

std::unique_ptr<OfflineSound> Instrument::offline_sound(std::int64_t skipped_ticks, const OfflineSound::Out& out) {
    return std::make_unique<OfflineSound>(
        *sound_,
        OfflineSoundSetting{.sample_rate_hz = setting_.sample_rate_hz,
                            .tick_hz = setting_.tick_hz,
                            .own_thread = executor_->threads() > 1,
                            .skipped_ticks = skipped_ticks,
                            .engine = samples_ ? setting_.engine : audio::Engine::kModal,
                            .samples = samples_.get(),
                            .room = room_.get(),
                            .room_share = setting_.sound.room(),
                            .helpers = sound_helpers_.get()},
        out);
}

RenderSummary Instrument::render(const core::Performance& performance, const OfflineSound::Out& audio,
                                 const Progress& progress, double tail_s) {
    const auto began = std::chrono::steady_clock::now();
    keyboard::Player player(performance, tables_, setting_.tick_hz, keys_, keybed_->now_s());
    const std::int64_t first = keybed_->now_ticks();
    const auto tick_of = [&](double seconds) { return first + static_cast<std::int64_t>(seconds * setting_.tick_hz); };
    const std::unique_ptr<OfflineSound> made = offline_sound(tick_of(keyboard::Player::kLead_s) - first, audio);
    OfflineSound& sound = *made;
    StrikesToBoth strikes(player, sound);
    const std::int64_t end = static_cast<std::int64_t>(player.end_s() * setting_.tick_hz);
    const std::int64_t latest = end + static_cast<std::int64_t>(tail_s * setting_.tick_hz);
    const std::int64_t quiet = static_cast<std::int64_t>(OfflineSound::kSilentFor_s * setting_.tick_hz);
    while (keybed_->now_ticks() < end ||
           (keybed_->now_ticks() < latest && keybed_->now_ticks() - sound.last_sound_tick() < quiet)) {
        player.before_tick(*keybed_);
        keybed_->tick(&sound, &strikes);
        if (progress && keybed_->now_ticks() % setting_.tick_hz == 0) {
            progress(
                std::min(1.0, static_cast<double>(keybed_->now_ticks() - first) / static_cast<double>(end - first)),
                "rendering");
        }
    }
    sound.finish();

    RenderSummary summary;
    summary.duration_s =
        static_cast<double>(keybed_->now_ticks() - tick_of(keyboard::Player::kLead_s)) / setting_.tick_hz;
    summary.outcomes = player.outcomes();
    summary.extra = player.extra_strikes();
    summary.releases = player.releases();
    summary.notes = static_cast<int>(summary.outcomes.size());
    for (const keyboard::NoteOutcome& outcome : summary.outcomes) {
        summary.strikes += (outcome.struck ? 1 : 0) + outcome.extra_strikes;
        summary.extra_strikes += outcome.extra_strikes;
        summary.missed_notes += outcome.struck ? 0 : 1;
        // A silent press: the finger went down on a rested key and the hammer did not reach the strings.
        summary.silent_presses += !outcome.struck && !outcome.repetition ? 1 : 0;
    }
    summary.max_abs_sample = sound.max_abs_sample();
    summary.limited_samples = sound.limited_samples();
    summary.engine = samples_ ? setting_.engine : audio::Engine::kModal;
    summary.action = setting_.touch.action->name;
    summary.threads = executor_->threads();
    summary.tick_hz = setting_.tick_hz;
    summary.faults = keybed_->faults();
    summary.not_converged = keybed_->not_converged();
    summary.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return summary;
}

}  // namespace letoff::ui
