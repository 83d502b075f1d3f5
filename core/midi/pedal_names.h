// The three pedals' controllers by the names that OSC, lines of events and the settings page have for them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/midi/message.h"

namespace letoff::core {

struct NamedPedal {
    std::string_view name;
    MidiController controller;
};
inline constexpr std::array<NamedPedal, 3> kNamedPedals{
    {{"sustain", kSustainPedal}, {"sostenuto", kSostenutoPedal}, {"soft", kSoftPedal}}};

/// "" for a controller that is none of them.
constexpr std::string_view pedal_name(int controller) noexcept {
    for (const NamedPedal& pedal : kNamedPedals) {
        if (pedal.controller == controller) return pedal.name;
    }
    return {};
}

constexpr std::optional<int> pedal_named(std::string_view name) noexcept {
    for (const NamedPedal& pedal : kNamedPedals) {
        if (pedal.name == name) return pedal.controller;
    }
    return std::nullopt;
}

}  // namespace letoff::core
