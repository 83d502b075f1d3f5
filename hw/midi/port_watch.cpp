#include "hw/midi/port_watch.h"

namespace letoff::hw {
namespace {

struct Direction {
    std::vector<MidiPort> (MidiSystem::*ports)();
    const char* port;  // what one is called
    const char* none;  // the sentence where no name was asked for
};

std::string why_none(const Direction& direction, const MidiChoice& choice, const MidiSystems& systems,
                     std::string_view client_name) {
    std::string why;
    std::string names;
    for (const auto& system : systems) {
        if (!system->refresh()) {
            why += ' ' + system->why_not();
            continue;
        }
        for (const MidiPort& port : ((*system).*direction.ports)()) {
            if (is_our_port(port.name, client_name)) continue;
            names += (names.empty() ? "\"" : ", \"") + port.name + '"';
        }
    }
    if (choice.kind != MidiChoice::Kind::kName) return direction.none + why;
    return "No MIDI " + std::string(direction.port) + "'s name holds \"" + choice.name + "\"; there " +
           (names.empty() ? std::string("is none") : "are " + names) + ", and it is taken when it appears." + why;
}

}  // namespace

std::string why_none_comes_in(const MidiChoice& choice, const MidiSystems& systems, std::string_view client_name) {
    return why_none({&MidiSystem::sources, "source",
                     "No MIDI comes in yet: there is no system that works; ports are taken when they appear."},
                    choice, systems, client_name);
}

std::string why_none_goes_out(const MidiChoice& choice, const MidiSystems& systems, std::string_view client_name) {
    return why_none(
        {&MidiSystem::destinations, "destination", "No MIDI goes out yet: no port could be opened; it is tried again."},
        choice, systems, client_name);
}

}  // namespace letoff::hw
