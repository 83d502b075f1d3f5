#include "ui/app/commands/user_files.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "ui/app/user_folder.h"

namespace letoff::ui {

core::Result<std::string> read_csv_file(const std::string& file, std::string_view columns) {
    constexpr std::size_t kLongest_bytes = std::size_t{1} << 26;
    std::error_code ignored;
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file, ignored))
        return core::Error{fmt::format("cannot read '{}': a CSV file with the columns {} is needed", file, columns)};
    std::string text;
    for (std::array<char, 1 << 16> part{}; in.read(part.data(), part.size()), in.gcount() > 0;) {
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > kLongest_bytes)
            return core::Error{fmt::format("'{}' is longer than the {} MB that are read", file, kLongest_bytes >> 20U)};
    }
    return text;
}

std::string make_plot_folder(const std::string& folder) {
    const std::string why = make_folder(folder);
    if (why.empty()) return {};
    return fmt::format("cannot put plots into '{}': {}; a folder that exists or can be made is needed", folder, why);
}

}  // namespace letoff::ui
