// What our sources of RtAudio share; RtAudio's own types stay in the .cpp files.
#pragma once

#include <mutex>
#include <string>

#include "audio/device/audio_choice.h"
#include "audio/device/device_list.h"

namespace letoff::audio {

/// RtAudio and ALSA write to std::cerr and stderr by themselves, from threads of theirs and beside every way to ask
/// them not to. From the first call on, for the whole program, std::cerr writes nowhere (we write messages with fmt)
/// and ALSA's messages are dropped. What was wrong comes back in sentences.
void quiet_libraries();

/// RtAudio keeps one list of PulseAudio's devices and one main loop to ask for them, for the whole program and without
/// a lock: two threads that ask or open at once free each other's loops. So each first takes its turn, and keeps it
/// until it has asked and opened; a thread may take it again. Not owned: another thread has it and did not come back
/// for patience_s, as its server hangs. The other APIs need no turn and give an owned one at once.
using ApiTurn = std::unique_lock<std::recursive_timed_mutex>;
ApiTurn take_turn(AudioChoice::Way way, double patience_s);
/// Shorter than AudioOut waits for an opening.
inline constexpr double kTurn_s = 4;
/// Why there was no turn.
std::string hanging_sentence(AudioChoice::Way way);

/// Asks one API for its devices, waiting as long as it takes.
AudioApi ask_api(AudioChoice::Way way);

}  // namespace letoff::audio
