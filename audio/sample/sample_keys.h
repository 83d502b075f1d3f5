// What the strings say about the 88 keys that samples play in their place: how dampers damp, how they are tuned, what a
// softer hammer is.
//
//   damper     how much of a damper's decay the first partials get, 0 to 1
//   tuning     A SoundFont's piano is taken to be in equal temperament of 440 Hz with the stretch of the instrument
//              that was recorded. So the key is shifted by what its string is away from the one of the factory's
//              tuning, whose measured stretch is such a one, and from 440 Hz to that one's A4: temperament, A4, stretch
//              that is asked for, Scala and single notes all move it, and A4 is in tune with the string.
//   softness   A felt of `hardness` times the stiffness K stays on the strings as long,
//              t ~ (m / (K v^(p-1)))^(1/(p+1)), as the whole felt of a hammer of the speed v hardness^(1/(p-1)), and so
//              makes as bright a tone
#pragma once

#include <array>

#include "core/string/modal_string.h"
#include "core/unit/keys.h"

namespace letoff::audio {

struct SampleKeys {
    std::array<double, core::kKeyCount> damper_weight{};
    std::array<double, core::kKeyCount> cents{};
    std::array<double, core::kKeyCount> felt_p{};
    std::array<bool, core::kKeyCount> silent{};  // a scale has no pitch for it

    /// The speed whose tone a blow with a softer felt has.
    double speed_of_tone_mps(int key_index, double speed_mps, double hardness) const;
};

/// Set-up code.
SampleKeys sample_keys(const core::StringSet& strings);

}  // namespace letoff::audio
