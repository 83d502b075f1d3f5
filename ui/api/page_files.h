// The page's files as they were when the program was built: ui/web, bundled, in memory. Empty where the page was not
// built because npm was missing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace letoff::ui {

struct PageFile {
    std::string_view path;  // "/index.html"
    std::string_view type;  // its Content-Type
    std::span<const std::uint8_t> plain, gzip;
    bool lasting = false;  // its name changes with its content
};

std::span<const PageFile> page_files();

}  // namespace letoff::ui
