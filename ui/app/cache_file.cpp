#include "ui/app/cache_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;

fs::path environment_path(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

core::Result<std::string> stroke_cache_file() {
    fs::path folder = environment_path("XDG_CACHE_HOME");
    if (!folder.is_absolute()) {
        folder = environment_path("HOME");
        if (!folder.is_absolute()) {
            return core::Error{"no place for the cache of finger tables: set HOME or XDG_CACHE_HOME to a folder"};
        }
        folder /= ".cache";
    }
    folder /= "letoff";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        return core::Error{fmt::format("cannot make the cache folder '{}': {}; finger tables are computed anew",
                                       folder.string(), error.message())};
    }
    return (folder / "strokes.db").string();
}

std::string catch_up_cache_file(const std::string& stroke_cache_file) {
    return stroke_cache_file.empty() ? std::string()
                                     : (fs::path(stroke_cache_file).parent_path() / "catch_up.db").string();
}

}  // namespace letoff::ui
