#include "core/string/harpsichord_strings.h"

#include <array>
#include <cmath>

#include "core/unit/keys.h"
#include "core/unit/piecewise.h"

namespace letoff::core {
namespace {

// Over MIDI notes, from A0 to C8; lengths straight in their logarithm. Chosen (see the header).
struct Anchor {
    double midi, length_m, diameter_mm, pluck_ratio;
};
constexpr std::array<Anchor, 8> kAnchors{{{21, 1.95, 1.00, 0.103},
                                          {29, 1.85, 0.66, 0.103},
                                          {36, 1.72, 0.48, 0.105},
                                          {48, 1.30, 0.32, 0.120},
                                          {60, 0.69, 0.28, 0.190},
                                          {72, 0.350, 0.24, 0.290},
                                          {84, 0.175, 0.22, 0.420},
                                          {108, 0.0437, 0.17, 0.450}}};
constexpr double kIron_kgpm3 = 7850, kBrass_kgpm3 = 8500;
constexpr int kHighestBrass = 41;  // F2: above, brass of these lengths would break

template <typename Column>
double along(double midi, Column column) {
    std::array<Knot, kAnchors.size()> knots{};
    for (std::size_t i = 0; i < knots.size(); ++i) knots[i] = {kAnchors[i].midi, column(kAnchors[i])};
    return piecewise_linear(knots, midi);
}

}  // namespace

StringRow harpsichord_row(int key_index) {
    StringRow row = string_rows()[static_cast<std::size_t>(key_index)];
    const int midi = midi_note_of_key(key_index);
    row.length_m = std::exp(along(midi, [](const Anchor& a) { return std::log(a.length_m); }));
    row.core_mm = along(midi, [](const Anchor& a) { return a.diameter_mm; });
    row.density_kgpm3 = midi <= kHighestBrass ? kBrass_kgpm3 : kIron_kgpm3;
    row.strike_ratio = along(midi, [](const Anchor& a) { return a.pluck_ratio; });
    return row;
}

}  // namespace letoff::core
