// Figures that the kernel keeps of a process or thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace letoff::test {

/// Of the status file in that folder of /proc, the number in the row of that name: kB where it is memory.
inline std::optional<std::int64_t> status_figure(const std::filesystem::path& folder, const std::string& name) {
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1));
    return std::nullopt;
}

}  // namespace letoff::test
