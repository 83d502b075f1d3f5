// The MIDI systems of this machine that RtMidi can speak to.
#pragma once

#include <string>
#include <vector>

namespace letoff::hw {

/// Names as RtMidi gives them: "jack", "alsa".
std::vector<std::string> midi_apis();

}  // namespace letoff::hw
