#include "core/string/scale.h"

#include <fmt/format.h>

#include <cmath>

#include "core/unit/key_name.h"

namespace letoff::core {
namespace {

constexpr int kMidiA4 = 69;

int floor_div(int a, int b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

double cents_of_degree(const Scale& scale, int degree) {
    const int notes = static_cast<int>(scale.cents.size());
    const int octave = floor_div(degree, notes);
    const int within = degree - octave * notes;
    return scale.cents.back() * octave + (within == 0 ? 0.0 : scale.cents[static_cast<std::size_t>(within - 1)]);
}

/// Above degree 0; none: the map has nothing for the key.
std::optional<double> cents_of_key(const Scale& scale, const KeyMap& map, int midi) {
    const int place = midi - map.middle_midi;
    if (map.degree.empty()) return cents_of_degree(scale, place);
    const int size = static_cast<int>(map.degree.size());
    const int pattern = floor_div(place, size);
    const std::optional<int> degree = map.degree[static_cast<std::size_t>(place - pattern * size)];
    if (!degree) return std::nullopt;
    const int octave_degree = map.octave_degree == 0 ? static_cast<int>(scale.cents.size()) : map.octave_degree;
    return cents_of_degree(scale, *degree + octave_degree * pattern);
}

bool is_beyond(const KeyMap& map, int midi) {
    return midi < map.first_midi || midi > map.last_midi;
}

/// Keys beyond the map sound as they did. What stretch a key has hangs a little on its pitch: hence some rounds.
void keep_keys_beyond(const KeyMap& map, const OfKeys& kept_hz, Tuning& tuning) {
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
        const OfKeys hz = tuned_hz(tuning);
        for (int key = 0; key < kKeyCount; ++key) {
            const auto k = static_cast<std::size_t>(key);
            if (is_beyond(map, midi_note_of_key(key))) tuning.scale_cents[k] += 1200 * std::log2(kept_hz[k] / hz[k]);
        }
    }
}

}  // namespace

Result<Tuning> with_scale(const Scale& scale, const KeyMap& map, Tuning tuning, std::string_view name) {
    if (scale.cents.empty())
        return Error{fmt::format("{}: the scale has no notes; a keyboard needs one or more", name)};
    const auto reference_cents = cents_of_key(scale, map, map.reference_midi);
    if (!reference_cents) {
        return Error{
            fmt::format("{}: the map has nothing for its reference key, MIDI note {}; the frequency must be given "
                        "for a key that it maps",
                        name, map.reference_midi)};
    }
    const auto hz_of = [&](double cents) { return map.reference_hz * std::exp2((cents - *reference_cents) / 1200); };
    const OfKeys before_hz = tuned_hz(tuning);
    double a4_hz = kFork_hz;
    if (const auto cents = cents_of_key(scale, map, kMidiA4); cents && !is_beyond(map, kMidiA4)) {
        const double hz = hz_of(*cents);
        if (hz >= kLowestA4_hz && hz <= kHighestA4_hz) a4_hz = hz;
    }
    OfKeys scale_cents{};
    for (int key = 0; key < kKeyCount; ++key) {
        const auto k = static_cast<std::size_t>(key);
        const int midi = midi_note_of_key(key);
        if (is_beyond(map, midi)) continue;
        const auto cents = cents_of_key(scale, map, midi);
        tuning.silent[k] = !cents;
        if (!cents) continue;
        const double hz = hz_of(*cents);
        if (!(hz >= kLowestKey_hz && hz <= kHighestKey_hz)) {
            return Error{fmt::format("{}: {} would be tuned to {:.4g} Hz; strings can be tuned to {} to {} Hz", name,
                                     key_name(key), hz, kLowestKey_hz, kHighestKey_hz)};
        }
        scale_cents[k] = 1200 * std::log2(hz / a4_hz) - 100.0 * (midi - kMidiA4);
    }
    tuning.a4_hz = a4_hz;
    tuning.temperament = Temperament::kEqual;
    tuning.pitch_class_cents = {};
    tuning.scale_cents = scale_cents;
    keep_keys_beyond(map, before_hz, tuning);
    return tuning;
}

}  // namespace letoff::core
