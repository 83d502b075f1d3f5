// A SoundFont 2 of one instrument and one looped tone over the whole keyboard, made here, so that no binary lies in the
// repository (SoundFont Technical Specification 2.04; chapters 4 to 8 have the chunks and records).
#pragma once

#include <string>

namespace letoff::test {

struct TinySoundfont {
    double decay_s = 0;      // of the volume envelope, 100 dB; 0: the tone stands
    int attenuation_cB = 0;  // as the instrument has it
    int bank = 0, preset = 0;
    std::string name = "Tone";
};

/// The file's bytes: a sine that is 440 Hz at A4, half of full scale.
std::string soundfont_bytes(const TinySoundfont& font = {});

}  // namespace letoff::test
