#include "core/string/scale.h"

#include <fmt/format.h>

#include <cmath>

#include "core/unit/key_name.h"

namespace letoff::core {
namespace {

constexpr int kMidiA4 = 69;
constexpr double kFork_hz = 440, kLowestA4_hz = 392, kHighestA4_hz = 466;

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

/// What the tuning's temperament and scale make of a key, over equal temperament.
double before_cents(const Tuning& tuning, const std::array<double, 12>& temperament, int key) {
    const auto pitch_class = static_cast<std::size_t>(midi_note_of_key(key) % 12);
    return temperament[pitch_class] + tuning.pitch_class_cents[pitch_class] +
           tuning.scale_cents[static_cast<std::size_t>(key)];
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
    const double old_a4_hz = tuning.a4_hz.value_or(kFork_hz);
    const std::array<double, 12> temperament = temperament_cents(tuning.temperament, tuning.root);
    double a4_hz = kFork_hz;
    const bool has_a4 = kMidiA4 >= map.first_midi && kMidiA4 <= map.last_midi;
    if (const auto cents = cents_of_key(scale, map, kMidiA4); has_a4 && cents) {
        const double hz = hz_of(*cents);
        if (hz >= kLowestA4_hz && hz <= kHighestA4_hz) a4_hz = hz;
    }
    OfKeys scale_cents{};
    for (int key = 0; key < kKeyCount; ++key) {
        const auto k = static_cast<std::size_t>(key);
        const int midi = midi_note_of_key(key);
        if (midi < map.first_midi || midi > map.last_midi) {
            scale_cents[k] = before_cents(tuning, temperament, key) + 1200 * std::log2(old_a4_hz / a4_hz);
            continue;
        }
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
    return tuning;
}

}  // namespace letoff::core
