// The schema version of a database and the steps that lead from one version to the next. Internal to storage.
//
// PRAGMA user_version counts the steps already taken, PRAGMA application_id says whose database it is. Each step is
// SQL; all missing ones run in one transaction, so a power cut leaves the old schema or the new one.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"
#include "storage/atomic_file.h"

namespace SQLite {
class Database;
}

namespace letoff::storage {

/// Refuses a database of another program, and one that a newer build has migrated further than `steps` know. May throw
/// SQLite::Exception.
Done migrate(SQLite::Database& database, std::int32_t application_id, std::span<const char* const> steps);

}  // namespace letoff::storage
