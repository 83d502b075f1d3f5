#include "storage/profile_backup.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "storage/profile_schema.h"

namespace letoff::storage {

namespace fs = std::filesystem;

ProfileExtent extent_of(SQLite::Database& database) {
    ProfileExtent extent;
    extent.version = database.execAndGet("PRAGMA user_version").getInt();
    if (!database.tableExists("revision")) return extent;
    SQLite::Statement newest(database, "SELECT id, saved_unix_s, check_sum FROM revision ORDER BY id DESC LIMIT 1");
    if (!newest.executeStep()) return extent;
    extent.last_revision = newest.getColumn(0).getInt64();
    extent.saved_unix_s = newest.getColumn(1).getInt64();
    extent.check_sum = newest.getColumn(2).getInt64();
    return extent;
}

std::optional<ProfileExtent> extent_of_file(const std::string& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return std::nullopt;
    try {
        SQLite::Database database(file, SQLite::OPEN_READONLY);
        if (database.execAndGet("PRAGMA application_id").getInt() != kProfileApplicationId) return std::nullopt;
        if (database.execAndGet("PRAGMA integrity_check").getString() != "ok") return std::nullopt;
        const ProfileExtent extent = extent_of(database);
        if (extent.last_revision == 0) return std::nullopt;
        return extent;
    } catch (const SQLite::Exception&) {
        return std::nullopt;
    }
}

bool contains(SQLite::Database& database, const ProfileExtent& older) {
    SQLite::Statement same(database,
                           "SELECT count(*) FROM revision WHERE id = ? AND saved_unix_s = ? AND check_sum = ?");
    same.bind(1, older.last_revision);
    same.bind(2, older.saved_unix_s);
    same.bind(3, older.check_sum);
    return same.executeStep() && same.getColumn(0).getInt() == 1;
}

Done copy_database(SQLite::Database& database, const std::string& target) {
    auto copy = AtomicFile::create(target);
    if (!copy) return core::Error{copy.error()};
    SQLite::Statement vacuum(database, "VACUUM main INTO ?");
    vacuum.bind(1, copy.value().path_beside().string());
    vacuum.exec();
    return copy.value().commit();
}

core::Result<std::string> set_file_aside(const std::string& file, std::string_view what) {
    std::error_code error;
    std::string name;
    for (int number = 1; name.empty() || fs::exists(name, error) || fs::exists(name + "-wal", error); ++number)
        name = fmt::format("{}.{}-{}", file, what, number);
    // The log goes first: a log that stayed behind would be played into the file that comes in this one's place.
    for (const char* part : {"-wal", "-shm", ""}) {
        if (!fs::exists(file + part, error)) continue;
        fs::rename(file + part, name + part, error);
        if (error) {
            return core::Error{
                fmt::format("'{}' cannot be set aside as '{}': {}", file + part, name + part, error.message())};
        }
    }
    return name;
}

}  // namespace letoff::storage
