#include "storage/text_lines.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace letoff::storage {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

core::Result<std::string> read_text_file(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return core::Error{fmt::format("cannot read '{}': it is a directory", path.string())};
    std::ifstream in(path, std::ios::binary);
    if (!in) return core::Error{fmt::format("cannot read '{}': no such file, or no right to read it", path.string())};
    std::string text(kLargestTextFile_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) return core::Error{fmt::format("cannot read '{}': reading failed", path.string())};
    if (text.size() > kLargestTextFile_bytes) {
        return core::Error{
            fmt::format("'{}' is larger than {} bytes: that is no such file", path.string(), kLargestTextFile_bytes)};
    }
    return text;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string shown(std::string_view text, std::size_t most) {
    std::string clean(text.substr(0, most));
    for (char& c : clean) {
        if (c < ' ' || c > '~') c = '?';
    }
    return clean;
}

TextLines::TextLines(std::string_view text, char comment) : rest_(text), comment_(comment) {
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

std::optional<std::string_view> TextLines::next() {
    while (!rest_.empty()) {
        const std::size_t end = rest_.find('\n');
        const std::string_view line = rest_.substr(0, end);
        rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
        ++number_;
        if (line.empty() || line.front() != comment_) return line;
    }
    return std::nullopt;
}

}  // namespace letoff::storage
