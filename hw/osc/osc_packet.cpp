#include "hw/osc/osc_packet.h"

#include <lo/lo.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>

#include "core/midi/pedal_names.h"
#include "core/midi/velocity.h"
#include "core/unit/keys.h"

namespace letoff::hw {
namespace {

constexpr std::string_view kBundle = "#bundle";
constexpr std::size_t kBundleHeader_bytes = 16;  // "#bundle\0" and a time

struct FreeMessage {
    void operator()(lo_message message) const { lo_message_free(message); }
};
using Message = std::unique_ptr<std::remove_pointer_t<lo_message>, FreeMessage>;

/// Argument `i` as a number, where it is one and finite.
std::optional<double> number(lo_message message, int i) {
    if (i >= lo_message_get_argc(message)) return std::nullopt;
    const auto type = static_cast<lo_type>(lo_message_get_types(message)[i]);
    if (!lo_is_numerical_type(type)) return std::nullopt;
    const auto value = static_cast<double>(lo_hires_val(type, lo_message_get_argv(message)[i]));
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> number_in(lo_message message, int i, double least, double most) {
    const auto value = number(message, i);
    return value && *value >= least && *value <= most ? value : std::nullopt;
}

void add_note(std::vector<core::MidiMessage>& messages, const core::MidiMessage& note, double velocity) {
    const core::FineNote fine(core::VelocityForm::prefix_88, note,
                              static_cast<int>(std::lround(velocity * core::kVelocity14bitPerStep)));
    messages.insert(messages.end(), fine.messages().begin(), fine.messages().end());
}

/// A key as it is written, 1 to 88.
std::optional<int> key_number(lo_message message, int i) {
    const auto key = number_in(message, i, 1, core::kKeyCount);
    return key && *key == std::floor(*key) ? std::optional(static_cast<int>(*key)) : std::nullopt;
}

bool read_parameter(lo_message message, std::vector<OscParameter>& parameters) {
    const int count = lo_message_get_argc(message);
    if (count < 2 || count > 3 || lo_message_get_types(message)[0] != LO_STRING) return false;
    const std::string_view id = &lo_message_get_argv(message)[0]->s;
    const auto value = number(message, 1);
    const auto key = count == 3 ? key_number(message, 2) : std::optional(0);
    if (id.empty() || id.size() > kLongestOscId_bytes || !value || !key) return false;
    parameters.push_back({std::string(id), *value, *key});
    return true;
}

bool read_message(std::string_view address, lo_message message, OscAsked& asked) {
    constexpr std::string_view kOurs = "/letoff/", kPedal = "pedal/";
    std::vector<core::MidiMessage>& messages = asked.messages;
    if (!address.starts_with(kOurs)) return false;
    address.remove_prefix(kOurs.size());
    if (address == "param") return read_parameter(message, asked.parameters);
    if (address == "panic") {
        messages.push_back(core::control_change(0, core::kAllSoundOff, 0));
        for (const core::NamedPedal& pedal : core::kNamedPedals)
            messages.push_back(core::control_change(0, pedal.controller, 0));
        return true;
    }
    if (address == "note" || address == "note_off") {
        const auto key = key_number(message, 0);
        if (!key) return false;
        const int note = core::midi_note_of_key(*key - 1);
        const bool is_off = address == "note_off";
        if (is_off && lo_message_get_argc(message) == 1) {
            messages.push_back(core::note_off(0, note));
            return true;
        }
        const auto velocity = number_in(message, 1, 0, core::kMidiDataMax);
        if (!velocity) return false;
        if (is_off || *velocity == 0) {
            is_off ? add_note(messages, core::note_off(0, note), *velocity)
                   : messages.push_back(core::note_off(0, note));
        } else {
            add_note(messages, core::note_on(0, note, 1), *velocity);
        }
        return true;
    }
    if (address.starts_with(kPedal)) {
        address.remove_prefix(kPedal.size());
        const auto controller = core::pedal_named(address);
        const auto depth = number_in(message, 0, 0, 1);
        if (!controller || !depth) return false;
        messages.push_back(
            core::control_change(0, *controller, static_cast<int>(std::lround(*depth * core::kMidiDataMax))));
        return true;
    }
    if (address == "program") {
        const auto program = number_in(message, 0, 1, core::kMidiDataMax + 1);
        if (!program) return false;
        messages.push_back({core::MidiKind::program_change, 0, core::midi_data(static_cast<int>(*program) - 1), 0});
        return true;
    }
    if (address == "local") {
        const auto on = number_in(message, 0, 0, 1);
        if (!on) return false;
        messages.push_back(core::control_change(0, core::kLocalControl, *on > 0 ? core::kMidiDataMax : 0));
        return true;
    }
    return false;
}

bool read(std::span<const std::uint8_t> packet, int depth, OscAsked& asked) {
    if (packet.empty() || packet.size() > kLargestOscPacket_bytes || packet.size() % 4 != 0) return false;
    // liblo swaps bytes in place, and reads what it is given as numbers of four bytes.
    std::vector<std::uint32_t> words(packet.size() / 4);
    std::memcpy(words.data(), packet.data(), packet.size());
    const bool is_bundle =
        packet.size() >= kBundleHeader_bytes && std::memcmp(packet.data(), kBundle.data(), kBundle.size() + 1) == 0;
    if (!is_bundle) {
        int result = 0;
        const Message message(lo_message_deserialise(words.data(), packet.size(), &result));
        if (!message) return false;
        // It was found to end within the packet.
        return read_message(reinterpret_cast<const char*>(packet.data()), message.get(), asked);
    }
    if (depth == kDeepestOscBundle) return false;
    auto rest = packet.subspan(kBundleHeader_bytes);
    bool all = true;
    while (!rest.empty()) {
        if (rest.size() < 4) return false;
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i) size = size << 8 | rest[i];
        rest = rest.subspan(4);
        if (size > rest.size()) return false;
        all = read(rest.first(size), depth + 1, asked) && all;
        rest = rest.subspan(size);
    }
    return all;
}

}  // namespace

bool read_osc_packet(std::span<const std::uint8_t> packet, OscAsked& asked) {
    return read(packet, 0, asked);
}

}  // namespace letoff::hw
