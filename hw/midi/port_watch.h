// What inputs and outputs ask alike when they look at the machine's ports: whether one that is open is still the same,
// and what to say where none is open.
//
// Threads: the control thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "hw/midi/midi_system.h"
#include "hw/midi/port_choice.h"

namespace letoff::hw {

/// Whether `port`, ours and open, still leads to `other`, of all that there are `now`. One of the same name with a new
/// identity is another one, unless it is still connected to us; then `other` takes its identity.
template <typename OwnPort>
bool is_still_there(MidiPort& other, OwnPort& port, const std::vector<MidiPort>& now) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const MidiPort& p) { return p.name == other.name; });
    if (same == now.end()) return false;
    if (same->identity == other.identity) return true;
    const auto peers = port.peers();
    if (!peers || std::find(peers->begin(), peers->end(), same->name) == peers->end()) return false;
    other.identity = same->identity;
    return true;
}

/// What was asked for, what there is, and why a system cannot be used.
std::string why_none_comes_in(const MidiChoice& choice, const MidiSystems& systems, std::string_view client_name);
std::string why_none_goes_out(const MidiChoice& choice, const MidiSystems& systems, std::string_view client_name);

}  // namespace letoff::hw
