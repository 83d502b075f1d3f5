// Whether two names of profiles are one name to the database, whose columns of names have SQLite's collation NOCASE:
// ASCII letters in either case.
#pragma once

#include <algorithm>
#include <string_view>

namespace letoff::storage {

inline bool same_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace letoff::storage
