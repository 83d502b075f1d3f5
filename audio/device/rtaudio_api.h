// What our sources of RtAudio share; RtAudio's own types stay in the .cpp files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audio/device/audio_choice.h"
#include "audio/device/device_list.h"

class RtAudio;

namespace letoff::audio {

/// RtAudio and ALSA write to std::cerr and stderr by themselves, from threads of theirs and beside every way to ask
/// them not to. From the first call on, for the whole program, std::cerr writes nowhere (we write messages with fmt)
/// and ALSA's messages are dropped. What was wrong comes back in sentences.
void quiet_libraries();

/// RtAudio keeps one list of PulseAudio's devices and one main loop to ask for them, for the whole program and without
/// a lock: two threads that ask or open at once free each other's loops. So each first takes its turn, and keeps it
/// until it has asked and opened. At JACK, whose library has a lock, each attempt at a server that hangs would wait
/// there for ever: with turns no more than one does. ALSA needs none.
class ApiTurn {
  public:
    /// Waits for the thread that has it, at most patience_s.
    ApiTurn(AudioChoice::Way way, double patience_s);
    ~ApiTurn();
    ApiTurn(const ApiTurn&) = delete;
    ApiTurn& operator=(const ApiTurn&) = delete;

    /// False: another thread did not come back, as its server hangs.
    explicit operator bool() const { return came_; }

  private:
    const AudioChoice::Way way_;
    bool came_ = true;
};
/// Shorter than AudioOut waits for an opening.
inline constexpr double kTurn_s = 4;
/// Why there was no turn.
std::string hanging_sentence(AudioChoice::Way way);

/// For one API, and silent. Throws RtAudioError.
std::unique_ptr<RtAudio> make_rtaudio(AudioChoice::Way way);

/// The rate for a device that has these: the wanted one, or else the first of those that the strings can do, usual ones
/// first. 0: none.
int choose_rate_hz(const std::vector<unsigned>& device_hz, int wanted_hz);

/// Asks one API for its devices, waiting as long as it takes; for who has its turn.
AudioApi ask_api(AudioChoice::Way way);

}  // namespace letoff::audio
