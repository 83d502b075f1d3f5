#include "ui/app/live/tuning_in.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/unit/keys.h"
#include "storage/atomic_file.h"
#include "storage/scala.h"
#include "ui/app/user_folder.h"

namespace letoff::ui {

void TuningIn::take(std::span<const std::uint8_t> sysex, std::int64_t now_ns) {
    const auto told = tuning_.take(sysex);
    if (told == core::MtsTuning::Told::kNothing) return;
    came_ns_ = now_ns;
    (told == core::MtsTuning::Told::kTuning ? changed_ : damaged_) = true;
}

std::string TuningIn::poll(std::int64_t now_ns) {
    if (!came_ns_ || now_ns - *came_ns_ < kSettled_ns) return {};
    came_ns_.reset();
    const bool damaged = std::exchange(damaged_, false);
    if (std::exchange(changed_, false)) return keep();
    return damaged ? "a tuning came by MIDI damaged: what is tuned stays" : "";
}

std::string TuningIn::keep() const {
    const auto keys = std::span(tuning_.pitches()).subspan(core::kFirstMidiNote, core::kKeyCount);
    double furthest = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const double cents = 100 * (keys[k] - core::midi_note_of_key(static_cast<int>(k)));
        if (std::abs(cents) > std::abs(furthest)) furthest = cents;
    }
    const std::string name = tuning_.name().empty() ? "By MIDI" : std::string(tuning_.name());
    const auto files = storage::scala_of_pitches(name, core::kFirstMidiNote, keys);
    const std::string scale = (folder_ / "midi_tuning.scl").string(), map = (folder_ / "midi_tuning.kbm").string();
    std::string why = make_folder(folder_);
    if (why.empty()) {
        if (const auto done = storage::write_file(scale, files.scale); !done) why = done.error();
    }
    if (why.empty()) {
        if (const auto done = storage::write_file(map, files.key_map); !done) why = done.error();
    }
    if (!why.empty()) return fmt::format("the tuning '{}' came by MIDI and cannot be kept: {}", name, why);
    return fmt::format(
        "the tuning '{}' came by MIDI, up to {:+.1f} cents from equal temperament; strings are tuned at the start: "
        "--scala '{}' --kbm '{}' have it from the next one on",
        name, furthest, scale, map);
}

}  // namespace letoff::ui
