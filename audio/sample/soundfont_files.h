// Where a SoundFont is: the user's, or one that a Debian package of free samples brings.
#pragma once

#include <string>

#include "core/result.h"

namespace letoff::audio {

/// `wanted`, or, where that is empty, the first that is installed of FluidR3 (fluid-soundfont-gm, MIT), MuseScore
/// General (musescore-general-soundfont, MIT), FluidR3 mono (fluidr3mono-gm-soundfont, MIT) and TimGM6mb
/// (timgm6mb-soundfont, GPL-2), under `folder`. Error: one sentence that names what is missing.
core::Result<std::string> find_soundfont(const std::string& wanted, const std::string& folder = "/usr/share/sounds");

/// Why the file cannot be one: it is something else, or cut off. Empty: its outline (RIFF sfbk with the lists INFO,
/// sdta, pdta, all within the file) is that of a SoundFont 2 or 3. FluidSynth would try its other loaders on what is
/// none, and these write to stderr.
std::string why_no_soundfont(const std::string& file);

}  // namespace letoff::audio
