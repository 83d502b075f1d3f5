// What may be set about the sound beyond tuning and voicing (core/string/string_rows.h), as rows for profiles, command
// line and page.
#pragma once

#include <array>
#include <cstddef>

#include "audio/soundboard/case_noise.h"
#include "core/param/row.h"

namespace letoff::audio {

// clang-format off
inline constexpr core::Row kSoundRows[] = {
    {"string_resonance_percent", "%", 100, 0, 100, core::Live::kPlayer, "How much of the soundboard's motion strings feel that nobody struck; 100 is the mechanics, 0 none."},
    {"soundboard_resonance_percent", "%", 100, 25, 400, core::Live::kPlayer, "How long the soundboard rings after a knock, of what was measured on grands."},
    {"longitudinal_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of what bass strings do lengthwise: the precursor of a note and its phantom partials; 0 none."},
    {"lid", "", 6, 0, 6, core::Live::kPlayer, "How far the lid is open: 0 closed, 6 on the long prop. Closed it takes up to 8 dB of what lies above 1 kHz."},
    {"room_percent", "%", 30, 0, 100, core::Live::kPlayer, "How much of the sound comes out of the room whose response --room gives; the rest stays as it is."},
    // In the order of core::NoiseKind.
    {"key_bottom_noise_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of keys that reach their bottom."},
    {"key_return_noise_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of keys that come back to rest."},
    {"let_off_noise_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of jacks at their let-off buttons."},
    {"hammer_return_noise_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of hammers that fall back into their checks and cushions."},
    {"damper_noise_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of dampers that come down."},
    {"pedal_noise_percent", "%", 100, 0, 400, core::Live::kPlayer, "Loudness of the pedal that lifts the dampers."},
};
// clang-format on
static_assert(core::table_is_sound(kSoundRows));
inline constexpr std::size_t kSoundRowCount = std::size(kSoundRows);

consteval std::size_t sound_row(std::string_view id) {
    return core::index_of_row(kSoundRows, id);
}
static_assert(kSoundRowCount - sound_row("key_bottom_noise_percent") == core::kNoiseKinds);

/// What is asked for, in the rows' order and units.
struct SoundValues {
    std::array<double, kSoundRowCount> of = core::defaults_of(kSoundRows);

    bool operator==(const SoundValues&) const = default;

    constexpr double resonance() const { return of[sound_row("string_resonance_percent")] / 100; }
    constexpr double board_resonance() const { return of[sound_row("soundboard_resonance_percent")] / 100; }
    constexpr double longitudinal() const { return of[sound_row("longitudinal_percent")] / 100; }
    constexpr double room() const { return of[sound_row("room_percent")] / 100; }
    constexpr double lid_open() const { return of[sound_row("lid")] / kSoundRows[sound_row("lid")].maximum; }
    constexpr NoiseLevels noise_levels() const {
        NoiseLevels levels{};
        for (std::size_t kind = 0; kind < core::kNoiseKinds; ++kind)
            levels[kind] = of[sound_row("key_bottom_noise_percent") + kind] / 100;
        return levels;
    }
};

}  // namespace letoff::audio
