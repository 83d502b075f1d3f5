// The machine's MIDI ports as a list, and why a system of them cannot be used: what `letoff devices` prints.
//
// Threads: the control thread. Starts nothing and opens no port.
#pragma once

#include <string>
#include <vector>

#include "hw/midi/midi_system.h"

namespace letoff::hw {

struct MidiDevice {
    enum class Direction { kIn, kOut };  // as we see it: kIn is a keyboard

    std::string api;  // "ALSA", "JACK"
    std::string name;
    std::string alias;  // what the hardware is called, where the name does not say it
    Direction direction = Direction::kIn;
    bool used = false;  // by this program, where that is known
};

struct MidiDevices {
    std::vector<MidiDevice> ports;       // without our own
    std::vector<std::string> sentences;  // one for each system that cannot be used
};

MidiDevices midi_ports(const MidiSystems& systems, const std::string& client_name = std::string(kMidiClientName));

}  // namespace letoff::hw
