#include "ui/app/user_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;

fs::path environment_path(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
}

core::Result<fs::path> user_folder(const char* variable, const char* under_home) {
    fs::path folder = environment_path(variable);
    if (!folder.is_absolute()) {
        folder = environment_path("HOME");
        if (!folder.is_absolute()) return core::Error{fmt::format("set HOME or {} to a folder", variable)};
        folder /= under_home;
    }
    return folder / "letoff";
}

}  // namespace

core::Result<fs::path> user_cache_folder() {
    return user_folder("XDG_CACHE_HOME", ".cache");
}

core::Result<fs::path> user_data_folder() {
    return user_folder("XDG_DATA_HOME", ".local/share");
}

std::string make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    return error ? error.message() : std::string();
}

}  // namespace letoff::ui
