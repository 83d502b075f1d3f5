// A stretch curve as a text file: `key,cents` on a line, keys as everywhere (49, A4, midi:69) and in rising order,
// cents above equal temperament, -100 to 100; lines that begin with '#' are comments. Keys in between lie on the
// straight line between two, keys beyond the first and last have theirs.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/result.h"
#include "core/string/tuning.h"

namespace letoff::storage {

inline constexpr double kMostStretch_cents = 100;

/// `name` is what the sentences call the file; they name the line.
core::Result<core::OfKeys> parse_stretch(std::string_view text, std::string_view name);
core::Result<core::OfKeys> read_stretch(const std::filesystem::path& path);

}  // namespace letoff::storage
