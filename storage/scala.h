// Files of the program Scala: scales (.scl) and keyboard maps (.kbm), as described at
// huygens-fokker.org/scala/scl_format.html and in its help, "mappings".
//
//   .scl  lines that begin with '!' are comments; a line of description, may be empty; the number of notes; then one
//         pitch a line: with a period cents (408.0, -5.0, 408.), else a ratio (81/64, 5). What follows a pitch is
//         ignored, and so is what follows the last of them. Degree 0, 1/1, is not written.
//   .kbm  the same comments; one number a line: size of the map, first and last MIDI note, middle note, reference note,
//         its frequency, degree of the formal octave; then so many degrees or 'x'; missing ones at the end are 'x',
//         too.
//
// Ours rather than a library: Debian 12 has none for C++.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/string/scale.h"

namespace letoff::storage {

inline constexpr int kMostScaleNotes = 10000;
inline constexpr double kMostScaleCents = 120000;  // 100 octaves either way
inline constexpr int kMostMapKeys = 2048;

/// `name` is what the sentences call the file; they name the line.
core::Result<core::Scale> parse_scale(std::string_view text, std::string_view name);
core::Result<core::Scale> read_scale(const std::filesystem::path& path);

/// A scale and its keyboard map as files, for notes that each have a pitch of their own: MIDI notes from first_midi on,
/// in semitones above MIDI note 0 at A4 = 440 Hz, with A4 among them. `name` becomes the description.
struct ScalaFiles {
    std::string scale, key_map;
};
ScalaFiles scala_of_pitches(std::string_view name, int first_midi, std::span<const double> pitches);

core::Result<core::KeyMap> parse_key_map(std::string_view text, std::string_view name);
core::Result<core::KeyMap> read_key_map(const std::filesystem::path& path);

}  // namespace letoff::storage
