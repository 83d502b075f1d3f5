// The user's folders (XDG Base Directory Specification 0.8): $XDG_CACHE_HOME or ~/.cache, $XDG_DATA_HOME or
// ~/.local/share, each with a folder letoff in it. A relative XDG variable is ignored.
#pragma once

#include <filesystem>
#include <string>

#include "core/result.h"

namespace letoff::ui {

/// Not made yet. The error says which variables would help.
core::Result<std::filesystem::path> user_cache_folder();
core::Result<std::filesystem::path> user_data_folder();

/// "" or why it cannot be made.
std::string make_folder(const std::filesystem::path& folder);

}  // namespace letoff::ui
