#include "ui/app/recording/play_again.h"

#include <optional>
#include <span>
#include <utility>

#include "audio/sound_file.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {

core::Result<PlayedAgain> play_again(const storage::Recording& recording, const InstrumentSetting& from,
                                     const std::string& sound_file, const Progress& progress) {
    auto made = instrument_of(recording.head, from);
    if (!made) return core::Error{made.error()};
    PlayedAgain again{.report = {}, .warnings = std::move(made.value().warnings)};
    std::optional<audio::SoundFile> file;
    TakeSound sound;
    if (!sound_file.empty()) {
        auto created = audio::SoundFile::create(sound_file, made.value().setting.sample_rate_hz);
        if (!created) return core::Error{created.error()};
        // What sounds after the last event comes on top.
        if (auto why = created.value().refusal(recording.length_s()); !why.empty()) return core::Error{why};
        file.emplace(std::move(created.value()));
        sound.out = [&](std::span<const float> left, std::span<const float> right) { file->write(left, right); };
    }
    auto instrument = Instrument::create(made.value().setting, progress);
    if (!instrument) return core::Error{instrument.error()};
    for (const std::string& warning : instrument.value()->warnings()) again.warnings.push_back(warning);
    if (file && from.engine != audio::Engine::kModal) {
        if (auto loaded = instrument.value()->load_samples(); !loaded)
            again.warnings.push_back(loaded.error() +
                                     std::string(without_samples(*instrument.value()->setting().touch.action)));
    }
    if (auto room = instrument.value()->load_room(); file && !room)
        again.warnings.push_back(room.error() + std::string(kWithoutRoom));
    auto report = replay(*instrument.value(), recording, sound, progress);
    if (!report) return core::Error{report.error()};
    if (file) {
        if (const auto done = file->finish(); !done) return core::Error{done.error()};
    }
    again.report = std::move(report.value());
    return again;
}

}  // namespace letoff::ui
