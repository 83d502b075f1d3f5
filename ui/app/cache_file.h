// Where finger tables are kept between runs: $XDG_CACHE_HOME/letoff/strokes.db, else ~/.cache/letoff/strokes.db (XDG
// Base Directory Specification 0.8: a relative XDG_CACHE_HOME is ignored).
#pragma once

#include <string>

#include "core/result.h"

namespace letoff::ui {

inline constexpr const char* kStrokeCache = "strokes.db";  // in the user's cache folder

/// Makes the folder. An error is no reason to stop: without the file the tables are computed anew.
core::Result<std::string> stroke_cache_file();
/// Beside it: where the catch-up tables of live play are kept.
std::string catch_up_cache_file(const std::string& stroke_cache_file);

}  // namespace letoff::ui
