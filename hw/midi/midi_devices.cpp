#include "hw/midi/midi_devices.h"

#include "hw/midi/port_choice.h"

namespace letoff::hw {

MidiDevices midi_ports(const MidiSystems& systems, const std::string& client_name) {
    MidiDevices devices;
    for (const auto& system : systems) {
        if (!system->refresh()) {
            devices.sentences.push_back(system->why_not());
            continue;
        }
        const auto add = [&](const std::vector<MidiPort>& ports, MidiDevice::Direction direction) {
            for (const MidiPort& port : ports) {
                if (is_our_port(port.name, client_name)) continue;
                devices.ports.push_back({std::string(system->name()), port.name, port.alias, direction});
            }
        };
        add(system->sources(), MidiDevice::Direction::kIn);
        add(system->destinations(), MidiDevice::Direction::kOut);
    }
    return devices;
}

}  // namespace letoff::hw
