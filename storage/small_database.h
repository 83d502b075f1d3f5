// How a database of one file and few tables is opened: calibrations, recordings, finger tables. Internal to storage.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <span>
#include <string>

#include "storage/migration.h"

namespace letoff::storage {

inline constexpr int kBusyTimeout_ms = 5000;       // another program writes what it has in far less
inline constexpr int kLargestLog_bytes = 4 << 20;  // the write-ahead log is cut back to this

/// kFull: a commit is on the disk when it returns. kNormal: a power cut may lose the last ones, and nothing else.
enum class Synchronous { kNormal, kFull };

/// With a write-ahead log, and migrated. May throw SQLite::Exception.
inline Done prepare(SQLite::Database& sqlite, std::int32_t application_id, std::span<const char* const> steps,
                    Synchronous synchronous = Synchronous::kFull) {
    // Not every file system can share the memory of a write-ahead log; another mode is slower and as safe.
    sqlite.execAndGet("PRAGMA journal_mode = WAL");
    sqlite.exec(synchronous == Synchronous::kFull ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    sqlite.exec("PRAGMA foreign_keys = ON");
    sqlite.execAndGet("PRAGMA journal_size_limit = " + std::to_string(kLargestLog_bytes));
    return migrate(sqlite, application_id, steps);
}

}  // namespace letoff::storage
