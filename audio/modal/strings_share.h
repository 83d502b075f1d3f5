// How much of one core all strings of all 88 notes need when all ring at once.
#pragma once

#include <string>

#include "core/result.h"
#include "core/string/modal_string.h"

namespace letoff::audio {

struct StringsShare {
    int modes = 0;
    std::string simd_target;
    double share_free = 0;     // of one core: all notes ringing undamped on a bridge that stands still
    double share_ringing = 0;  // the same on a bridge that moves, as it does in play
    double share_damped = 0;   // all notes ringing, a damper touching each
    double share_contact = 0;  // all 88 hammers on their strings
};

/// Renders `seconds` of sound four times, on this thread alone, and takes the thread's processor time.
core::Result<StringsShare> measure_strings_share(const core::StringSet& set, double seconds, int sample_rate_hz = 48000,
                                                 int tick_hz = 4000);

}  // namespace letoff::audio
