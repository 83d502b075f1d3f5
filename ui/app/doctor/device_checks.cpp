#include "ui/app/doctor/device_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace letoff::ui {
namespace {

using core::Finding;

using Level = Finding::Level;

void append(std::string& list, const std::string& item, const char* between = ", ") {
    list += (list.empty() ? "" : between) + item;
}

}  // namespace

core::Finding check_audio(const std::vector<audio::AudioApi>& apis) {
    std::string devices, reasons;
    for (const audio::AudioApi& api : apis) {
        for (const audio::AudioDevice& device : api.devices) {
            append(devices, fmt::format("{}: {}", audio::name_of(api.way), device.name));
        }
        if (!api.sentence.empty()) append(reasons, api.sentence, "; ");
    }
    if (!devices.empty()) return {Level::kGood, "sound", devices, ""};
    return {Level::kAdvice, "sound",
            fmt::format("no device, so letoff play plays into a WAV file{}{}", reasons.empty() ? "" : ": ", reasons),
            "start JACK, PulseAudio or PipeWire, or join the group audio for ALSA: sudo usermod -aG audio $USER"};
}

core::Finding check_midi(const hw::MidiDevices& midi) {
    std::string keyboards, reasons;
    for (const hw::MidiDevice& port : midi.ports) {
        if (port.direction == hw::MidiDevice::Direction::kIn) {
            append(keyboards, port.alias.empty() ? port.name : fmt::format("{} ({})", port.name, port.alias));
        }
    }
    for (const std::string& sentence : midi.sentences) append(reasons, sentence, " ");
    if (!keyboards.empty()) return {Level::kGood, "MIDI", keyboards, ""};
    if (reasons.empty()) {
        return {Level::kGood, "MIDI", "ready for a keyboard; none is plugged in", ""};
    }
    return {Level::kAdvice, "MIDI", fmt::format("no keyboard. {}", reasons),
            "sudo modprobe snd_seq, and plug the keyboard in; the settings page plays without one"};
}

core::Finding check_usb(const hw::UsbKeybeds& usb) {
    if (!usb.sentence.empty()) {
        return {Level::kAdvice, "motorised keys", usb.sentence, "only needed for a motorised keyboard"};
    }
    if (usb.devices.empty()) return {Level::kGood, "motorised keys", "none is plugged in", ""};
    std::string list;
    bool refused = false, usable = true;
    for (const hw::UsbKeybed& device : usb.devices) {
        const std::string name =
            device.product.empty() ? device.node : fmt::format("{} at {}", device.product, device.node);
        append(list, device.why_not.empty() ? name : fmt::format("{}: {}", name, device.why_not));
        refused = refused || device.refused;
        usable = usable && device.why_not.empty();
    }
    if (usable) return {Level::kGood, "motorised keys", list, ""};
    return {Level::kFault, "motorised keys", list,
            refused ? "sudo install -m 644 packaging/udev/70-letoff-keybed.rules /etc/udev/rules.d/ && sudo udevadm "
                      "control --reload && sudo udevadm trigger"
                    : "unplug it and plug it in again"};
}

}  // namespace letoff::ui
