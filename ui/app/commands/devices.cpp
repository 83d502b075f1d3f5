#include "ui/app/commands/devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "audio/device/device_list.h"
#include "hw/midi/midi_devices.h"
#include "hw/usb/usb_devices.h"

namespace letoff::ui {
namespace {

const char* direction_name(const hw::MidiDevice& port) {
    return port.direction == hw::MidiDevice::Direction::kIn ? "in" : "out";
}

void print_json(const std::vector<audio::AudioApi>& apis, const hw::MidiDevices& midi, const hw::UsbKeybeds& usb) {
    nlohmann::ordered_json json;
    json["audio"] = nlohmann::ordered_json::array();
    for (const audio::AudioApi& api : apis) {
        auto devices = nlohmann::ordered_json::array();
        for (const audio::AudioDevice& device : api.devices) {
            devices.push_back({{"name", device.name},
                               {"channels", device.channels},
                               {"rates_hz", device.rates_hz},
                               {"default", device.is_default}});
        }
        json["audio"].push_back(
            {{"api", audio::name_of(api.way)}, {"why_not", api.sentence}, {"devices", std::move(devices)}});
    }
    json["midi"] = {{"ports", nlohmann::ordered_json::array()}, {"why_not", midi.sentences}};
    for (const hw::MidiDevice& port : midi.ports) {
        json["midi"]["ports"].push_back(
            {{"api", port.api}, {"name", port.name}, {"alias", port.alias}, {"direction", direction_name(port)}});
    }
    json["usb"] = {{"why_not", usb.sentence}, {"keybeds", nlohmann::ordered_json::array()}};
    for (const hw::UsbKeybed& keybed : usb.devices) {
        json["usb"]["keybeds"].push_back(
            {{"node", keybed.node}, {"product", keybed.product}, {"why_not", keybed.why_not}});
    }
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_text(const std::vector<audio::AudioApi>& apis, const hw::MidiDevices& midi, const hw::UsbKeybeds& usb) {
    fmt::print("Sound (letoff play --audio API or API:NAME)\n");
    for (const audio::AudioApi& api : apis) {
        if (!api.sentence.empty()) fmt::print("  {:<6} {}\n", audio::name_of(api.way), api.sentence);
        for (const audio::AudioDevice& device : api.devices) {
            fmt::print("  {:<6} {}{}: {} channels, {} Hz\n", audio::name_of(api.way), device.name,
                       device.is_default ? " (default)" : "", device.channels, fmt::join(device.rates_hz, " "));
        }
    }
    fmt::print("MIDI (letoff play --midi-in NAME --midi-out NAME)\n");
    for (const std::string& sentence : midi.sentences) fmt::print("  {}\n", sentence);
    for (const hw::MidiDevice& port : midi.ports) {
        fmt::print("  {:<6} {:<3} {}{}\n", port.api, direction_name(port), port.name,
                   port.alias.empty() ? "" : fmt::format(" ({})", port.alias));
    }
    if (midi.ports.empty()) fmt::print("  no port of another program or keyboard\n");
    fmt::print("Motorised keys (letoff keybed status)\n");
    if (!usb.sentence.empty()) fmt::print("  {}\n", usb.sentence);
    for (const hw::UsbKeybed& keybed : usb.devices) {
        fmt::print("  {} {}{}\n", keybed.node, keybed.product,
                   keybed.why_not.empty() ? "" : fmt::format(": {}", keybed.why_not));
    }
    if (usb.sentence.empty() && usb.devices.empty()) fmt::print("  none is plugged in\n");
}

}  // namespace

void add_devices(CommandLine& app, CommandContext& context) {
    const auto json = std::make_shared<bool>(false);
    CommandLine* command =
        app.add_subcommand("devices", "List sound, MIDI and USB devices, and why one cannot be used");
    command->add_flag("--json", *json, "Report as JSON");
    command->footer("Example: letoff devices --json");
    command->callback([json, &context] {
        const auto apis = audio::list_audio_apis();
        const auto midi = hw::midi_ports(hw::make_midi_systems());
        const auto usb = hw::list_usb_keybeds();
        *json ? print_json(apis, midi, usb) : print_text(apis, midi, usb);
        context.status = kDone;
    });
}

}  // namespace letoff::ui
