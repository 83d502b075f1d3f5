#include "audio/sample/sample_keys.h"

#include <algorithm>
#include <cmath>

#include "core/string/tuning.h"

namespace letoff::audio {
namespace {

// Partials whose mean damper weight a note takes: they are what is heard of it after its attack.
constexpr int kDampedPartials = 4;
constexpr int kKeyA4 = 48;

double cents_of(double ratio) {
    return 1200 * std::log2(ratio);
}

}  // namespace

SampleKeys sample_keys(const core::StringSet& strings) {
    SampleKeys keys;
    const core::OfKeys factory_hz = core::tuned_hz(core::Tuning{});
    const double factory_a4_cents = cents_of(factory_hz[kKeyA4] / 440);
    for (std::size_t key = 0; key < core::kKeyCount; ++key) {
        const core::NoteStrings& note = strings.notes[key];
        const core::StringModes& modes = note.set[0];
        const int partials = std::min(modes.count, kDampedPartials);
        for (int j = 0; j < partials; ++j)
            keys.damper_weight[key] += modes.damper_weight[static_cast<std::size_t>(j)] / partials;
        keys.cents[key] = factory_a4_cents + cents_of(note.f1_target_hz / factory_hz[key]);
        keys.felt_p[key] = note.hammer_p;
        keys.silent[key] = note.volume == 0;
    }
    return keys;
}

double SampleKeys::speed_of_tone_mps(int key_index, double speed_mps, double hardness) const {
    const double p = felt_p[static_cast<std::size_t>(key_index)];
    return hardness < 1 && p > 1 ? speed_mps * std::pow(hardness, 1 / (p - 1)) : speed_mps;
}

}  // namespace letoff::audio
