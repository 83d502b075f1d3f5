// Scales of any kind and how they are laid on the keys, as the files of the program Scala have them
// (huygens-fokker.org/scala/scl_format.html and help.htm#mappings; read by storage/scala.h).
//
//   key  ->  place in the map  n = key - middle, counted in patterns of the map's size
//   map  ->  degree            d = map[n mod size] + octave_degree floor(n / size)
//   degree -> cents            c = cents[d mod N] + period floor(d / N),  N notes, the last of them being the period
//   frequency = reference_hz 2^((c - c_reference) / 1200)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/string/tuning.h"
#include "core/unit/keys.h"

namespace letoff::core {

struct Scale {
    std::string description;
    std::vector<double> cents;  // of degrees 1 to N above degree 0; the last is the period, as a rule 1200
};

struct KeyMap {
    int first_midi = 0, last_midi = 127;  // keys beyond are left as they are
    int middle_midi = 60;                 // has the first entry of the map
    int reference_midi = 69;              // has the reference frequency
    double reference_hz = 440;
    int octave_degree = 0;                   // degrees from one pattern to the next; 0: those of the scale
    std::vector<std::optional<int>> degree;  // of each key of a pattern, none: not mapped; empty: one after the other
};

// What keys can be tuned to.
inline constexpr double kLowestKey_hz = 20, kHighestKey_hz = 10000;

/// Lays a scale on the keys of a tuning: its A4, temperament and keys' own shifts of scale are replaced, keys that the
/// map leaves out by name (not mapped) have no pitch. Stretch and keys' fine tuning stay. Error: the reference key has
/// no place in the map, no note, or a key would come to lie beyond what strings can do; `name` begins the sentence.
Result<Tuning> with_scale(const Scale& scale, const KeyMap& map, Tuning tuning, std::string_view name);

}  // namespace letoff::core
