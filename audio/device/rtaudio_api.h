// What our sources of RtAudio share; RtAudio's own types stay in the .cpp files.
#pragma once

#include <string>

#include "audio/device/audio_choice.h"
#include "audio/device/device_list.h"

namespace letoff::audio {

/// RtAudio and ALSA write to std::cerr and stderr by themselves, from threads of theirs and beside every way to ask
/// them not to. From the first call on, for the whole program, std::cerr writes nowhere (we write messages with fmt)
/// and ALSA's messages are dropped. What was wrong comes back in sentences.
void quiet_libraries();

/// Asks one API for its devices, waiting as long as it takes.
AudioApi ask_api(AudioChoice::Way way);

}  // namespace letoff::audio
