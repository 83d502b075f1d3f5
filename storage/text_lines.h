// Small text files line by line. Internal to storage.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::storage {

inline constexpr std::size_t kLargestTextFile_bytes = std::size_t{1} << 20;

/// The whole of a file; a directory, or one larger than kLargestTextFile_bytes, is refused.
core::Result<std::string> read_text_file(const std::filesystem::path& path);

/// Without blanks, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);
/// For a sentence: its beginning, what is not printable ASCII as '?'.
std::string shown(std::string_view text, std::size_t most = 40);

class TextLines {
  public:
    /// A line that begins with `comment` is left out. A byte order mark at the beginning is, too.
    TextLines(std::string_view text, char comment);

    /// The next line without its end; none after the last.
    std::optional<std::string_view> next();
    /// Of the line that next() gave, 1 the first.
    std::size_t number() const { return number_; }

  private:
    std::string_view rest_;
    char comment_;
    std::size_t number_ = 0;
};

}  // namespace letoff::storage
