#include "storage/migration.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

namespace letoff::storage {

Done migrate(SQLite::Database& database, std::int32_t application_id, std::span<const char* const> steps) {
    // The lock comes before the look: two programs that start together must not both take the same step.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const int owner = database.execAndGet("PRAGMA application_id").getInt();
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    const int objects = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt();
    const bool fresh = owner == 0 && version == 0 && objects == 0;
    if (!fresh && owner != application_id) return core::Error{"it is the database of another program"};
    const int newest = static_cast<int>(steps.size());
    if (version < 0 || version > newest) {
        return core::Error{fmt::format("its schema version is {}, this build knows 0 to {}", version, newest)};
    }
    for (int step = version; step < newest; ++step) database.exec(steps[static_cast<std::size_t>(step)]);
    if (fresh) database.exec(fmt::format("PRAGMA application_id = {}", application_id));
    if (version != newest) database.exec(fmt::format("PRAGMA user_version = {}", newest));
    transaction.commit();
    return std::monostate{};
}

}  // namespace letoff::storage
