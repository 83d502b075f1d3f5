#include "hw/midi/port_choice.h"

#include <algorithm>
#include <array>

namespace letoff::hw {

namespace {

std::string lower(std::string_view text) {
    std::string low(text);
    for (char& letter : low) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return low;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(' ') == std::string_view::npos;
}

}  // namespace

core::Result<MidiChoice> parse_midi_input(std::string_view text) {
    if (is_blank(text)) {
        return core::Error{"The MIDI input \"" + std::string(text) +
                           "\" names nothing: auto, none or a part of a port's name is accepted."};
    }
    const std::string word = lower(text);
    if (word == "auto") return MidiChoice{MidiChoice::Kind::kAuto, {}};
    if (word == "none") return MidiChoice{MidiChoice::Kind::kNone, {}};
    return MidiChoice{MidiChoice::Kind::kName, std::string(text)};
}

core::Result<MidiChoice> parse_midi_output(std::string_view text) {
    if (is_blank(text)) {
        return core::Error{"The MIDI output \"" + std::string(text) +
                           "\" names nothing: none, virtual or a part of a port's name is accepted."};
    }
    const std::string word = lower(text);
    if (word == "none") return MidiChoice{MidiChoice::Kind::kNone, {}};
    if (word == "virtual") return MidiChoice{MidiChoice::Kind::kVirtual, {}};
    return MidiChoice{MidiChoice::Kind::kName, std::string(text)};
}

bool matches_name(const MidiPort& port, std::string_view part) {
    const std::string wanted = lower(part);
    return lower(port.name).find(wanted) != std::string::npos || lower(port.alias).find(wanted) != std::string::npos;
}

bool is_our_port(std::string_view port_name, std::string_view client_name) {
    if (!port_name.starts_with(client_name)) return false;
    const std::string_view rest = port_name.substr(client_name.size());
    return rest.empty() || rest.front() == ':' || rest.front() == '-';
}

bool looks_like_keyboard(const MidiPort& port) {
    constexpr std::array<std::string_view, 7> kOthers = {"midi through", "midi-through", "clock", "timecode",
                                                         "time code",    "mtc",          "mackie"};
    const std::string names = lower(port.name) + '\n' + lower(port.alias);
    return std::none_of(kOthers.begin(), kOthers.end(),
                        [&](std::string_view other) { return names.find(other) != std::string::npos; });
}

bool is_alsa_through_jack(const MidiPort& port) {
    return port.physical || port.name.starts_with("a2j") || port.name.starts_with("Midi-Bridge:") ||
           port.name.starts_with("alsa_pcm:") || port.name.starts_with("alsa_midi:");
}

}  // namespace letoff::hw
