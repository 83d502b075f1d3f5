#include "audio/modal/bank_modes.h"

#include <algorithm>

#include "audio/modal/string_kernel.h"

namespace letoff::audio {

std::vector<BankMode> bank_modes(const core::NoteStrings& note, double highest_radps, int told) {
    std::vector<BankMode> first, rest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(note.sets); ++i) {
        const core::StringModes& s = note.set[i];
        for (std::size_t j = 0; j < static_cast<std::size_t>(s.count); ++j) {
            if (s.omega_radps[j] >= highest_radps || s.bridge_N_per_m[j] == 0) continue;
            const bool is_told = i == 0 && j < static_cast<std::size_t>(told);
            (is_told ? first : rest)
                .push_back({s.omega_radps[j], s.sigma_1ps[j], s.phi_strike[j] / note.strings, s.bridge_N_per_m[j],
                            std::clamp(s.damper_weight[j], 0.0, 1.0), static_cast<int>(i)});
        }
    }
    std::stable_sort(rest.begin(), rest.end(), [](const BankMode& a, const BankMode& b) { return a.omega < b.omega; });
    constexpr std::size_t kLanes = kModeLanes;
    first.resize((first.size() + kLanes - 1) / kLanes * kLanes);
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

}  // namespace letoff::audio
