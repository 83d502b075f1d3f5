// Which way the sound goes out, as a user writes it: auto | jack | pulse | alsa | none | wav:FILE, the first four with
// an optional device after a colon, "alsa:hw:0" or "jack:system".
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::audio {

struct AudioChoice {
    enum class Way { kAuto, kJack, kPulse, kAlsa, kNone, kWav };
    Way way = Way::kAuto;
    std::string device;    // name or part of it; empty: the default
    std::string wav_file;  // kWav
};

/// Error: a sentence that names what is possible.
core::Result<AudioChoice> parse_audio_choice(std::string_view text);

/// "jack", "pulse", "alsa", "none", "wav" or "auto".
const char* name_of(AudioChoice::Way way);

}  // namespace letoff::audio
