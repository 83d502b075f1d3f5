#include "hw/midi/port_choice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

namespace letoff::hw {

namespace {

std::string lower(std::string_view text) {
    std::string low(text);
    for (char& letter : low) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return low;
}

using Curve = std::array<double, core::InputMap::kCurvePoints>;

/// "1:20,64:80": nothing where it is no curve.
std::optional<Curve> curve_of(std::string_view text) {
    std::vector<std::pair<int, int>> points;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto passed = [&](char c) {
        if (at == end || *at != c) return false;
        ++at;
        return true;
    };
    const auto number = [&](int& value) {
        const auto [next, error] = std::from_chars(at, end, value);
        at = next;
        return error == std::errc() && value >= 1 && value <= core::kMidiDataMax;
    };
    while (true) {
        int in = 0, out = 0;
        if (!number(in) || !passed(':') || !number(out)) return std::nullopt;
        if (!points.empty() && (in <= points.back().first || out < points.back().second)) return std::nullopt;
        points.emplace_back(in, out);
        if (at == end) break;
        if (!passed(',')) return std::nullopt;
    }
    Curve curve{};
    std::size_t above = 0;  // the first point that is not below
    for (int v = 1; v <= core::kMidiDataMax; ++v) {
        while (above < points.size() && points[above].first < v) ++above;
        const auto& right = points[std::min(above, points.size() - 1)];
        const auto& left = above == 0 ? right : points[above - 1];
        const double share =
            right.first == left.first ? 0 : static_cast<double>(v - left.first) / (right.first - left.first);
        curve[static_cast<std::size_t>(v)] = left.second + share * (right.second - left.second);
    }
    return curve;
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

core::Result<MidiOutputChoice> parse_midi_output(std::string_view text) {
    MidiOutputChoice choice;
    // A name may hold an equals sign itself: what follows the last one is a curve if it begins as one.
    const std::size_t equals = text.rfind('=');
    const std::string_view behind = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    if (!behind.empty() && behind.find(':') != std::string_view::npos && behind[0] >= '0' && behind[0] <= '9') {
        choice.curve = curve_of(behind);
        if (!choice.curve) {
            return core::Error{
                "The MIDI output's curve \"" + std::string(behind) +
                "\" cannot be: points IN:OUT with commas between, whole numbers from 1 to 127 that rise, "
                "are accepted."};
        }
        text = text.substr(0, equals);
    }
    if (is_blank(text)) {
        return core::Error{"The MIDI output \"" + std::string(text) +
                           "\" names nothing: none, virtual or a part of a port's name is accepted."};
    }
    const std::string word = lower(text);
    choice.port = {MidiChoice::Kind::kName, std::string(text)};
    if (word == "none") choice.port = {MidiChoice::Kind::kNone, {}};
    if (word == "virtual") choice.port = {MidiChoice::Kind::kVirtual, {}};
    return choice;
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
