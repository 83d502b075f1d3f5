// In which order a note's modes lie in the string bank. Set-up only.
#pragma once

#include <vector>

#include "core/string/modal_string.h"

namespace letoff::audio {

struct BankMode {
    double omega = 0, sigma = 0, phi_over_strings = 0;
    double bridge = 0;  // N/m; 0: silent, fills a block up
    double damper_weight = 0;
    int set = 0;
};

/// By frequency: the highest die first, so whole blocks can be put to rest from the end. The first `told` partials of
/// the set in phase come before all others, in blocks of their own.
std::vector<BankMode> bank_modes(const core::NoteStrings& note, double highest_radps, int told);

}  // namespace letoff::audio
