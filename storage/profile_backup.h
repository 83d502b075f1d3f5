// The copy of a profile database that lies beside it, FILE.backup, and the naming of what is set aside. Internal to
// storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/atomic_file.h"

namespace SQLite {
class Database;
}

namespace letoff::storage {

/// How far a database goes. Revisions are only ever added, so its newest one tells all.
struct ProfileExtent {
    int version = 0;  // of the tables
    std::int64_t last_revision = 0, saved_unix_s = 0, check_sum = 0;
    bool operator==(const ProfileExtent&) const = default;
};
/// May throw SQLite::Exception.
ProfileExtent extent_of(SQLite::Database& database);
/// Of a file that is a whole profile database with something in it; else empty.
std::optional<ProfileExtent> extent_of_file(const std::string& file);

/// Whether everything of `older` is in the database too.
bool contains(SQLite::Database& database, const ProfileExtent& older);

/// A compact copy that is either whole and on the disk or not there. May throw SQLite::Exception.
Done copy_database(SQLite::Database& database, const std::string& target);

/// Renames the file, with its write-ahead log, to FILE.WHAT-1 or the first number that is free. The new name.
core::Result<std::string> set_file_aside(const std::string& file, std::string_view what);

}  // namespace letoff::storage
