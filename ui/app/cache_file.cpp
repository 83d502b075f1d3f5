#include "ui/app/cache_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "ui/app/user_folder.h"

namespace letoff::ui {

namespace fs = std::filesystem;

core::Result<std::string> stroke_cache_file() {
    const auto folder = user_cache_folder();
    if (!folder) return core::Error{fmt::format("no place for the cache of finger tables: {}", folder.error())};
    if (const std::string why = make_folder(folder.value()); !why.empty()) {
        return core::Error{fmt::format("cannot make the cache folder '{}': {}; finger tables are computed anew",
                                       folder.value().string(), why)};
    }
    return (folder.value() / kStrokeCache).string();
}

std::string catch_up_cache_file(const std::string& stroke_cache_file) {
    return stroke_cache_file.empty() ? std::string()
                                     : (fs::path(stroke_cache_file).parent_path() / "catch_up.db").string();
}

}  // namespace letoff::ui
