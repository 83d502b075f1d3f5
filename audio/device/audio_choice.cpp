#include "audio/device/audio_choice.h"

#include <array>

namespace letoff::audio {
namespace {

using Way = AudioChoice::Way;
constexpr std::array<std::pair<Way, const char*>, 6> kNames = {{{Way::kAuto, "auto"},
                                                                {Way::kJack, "jack"},
                                                                {Way::kPulse, "pulse"},
                                                                {Way::kAlsa, "alsa"},
                                                                {Way::kNone, "none"},
                                                                {Way::kWav, "wav"}}};

}  // namespace

const char* name_of(AudioChoice::Way way) {
    for (const auto& [each, name] : kNames)
        if (each == way) return name;
    return "unknown";
}

core::Result<AudioChoice> parse_audio_choice(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view head = text.substr(0, colon);
    const std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
    for (const auto& [way, name] : kNames) {
        if (head != name) continue;
        if (way == Way::kWav && rest.empty()) return core::Error{"wav needs the name of a file: wav:FILE"};
        if (way == Way::kNone && colon != std::string_view::npos)
            return core::Error{"none takes no device, '" + std::string(rest) + "' was given"};
        AudioChoice choice;
        choice.way = way;
        (way == Way::kWav ? choice.wav_file : choice.device) = std::string(rest);
        return choice;
    }
    return core::Error{"there is no audio output named '" + std::string(text) +
                       "': auto, jack, pulse, alsa (each also with :DEVICE), none or wav:FILE are possible"};
}

}  // namespace letoff::audio
