#include "hw/midi/midi_apis.h"

#include <rtmidi/RtMidi.h>

namespace letoff::hw {

std::vector<std::string> midi_apis() {
    std::vector<RtMidi::Api> compiled;
    RtMidi::getCompiledApi(compiled);
    std::vector<std::string> names;
    for (const RtMidi::Api api : compiled) {
        if (api != RtMidi::RTMIDI_DUMMY) names.push_back(RtMidi::getApiName(api));
    }
    return names;
}

}  // namespace letoff::hw
