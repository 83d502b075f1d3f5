// Which audio devices there are, and why an API cannot be used: one sentence each. Control thread; each API is asked on
// a thread of its own and given up after `patience_s`, because a sound server that hangs would never answer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "audio/device/audio_choice.h"

namespace letoff::audio {

struct AudioDevice {
    std::string name;
    int channels = 0;  // that can play
    std::vector<int> rates_hz;
    bool is_default = false;
};

struct AudioApi {
    AudioChoice::Way way = AudioChoice::Way::kJack;
    std::string sentence;              // why it cannot be used; empty: it can
    std::vector<AudioDevice> devices;  // with at least two channels
};

/// Those of JACK, PulseAudio and ALSA, in the order in which `auto` tries them.
inline constexpr AudioChoice::Way kAudioApis[] = {AudioChoice::Way::kJack, AudioChoice::Way::kPulse,
                                                  AudioChoice::Way::kAlsa};
std::vector<AudioApi> list_audio_apis(double patience_s = 3, std::span<const AudioChoice::Way> ways = kAudioApis);

}  // namespace letoff::audio
