// The tables of the database of recordings, version by version. A step that was ever given out is never edited: a
// change is a new step, a new core::kRecordingSchemaVersion and a new example in tests/storage/data. Internal to
// storage.
#pragma once

#include <cstdint>
#include <iterator>

#include "core/versions.h"

namespace letoff::storage {

inline constexpr std::int32_t kRecordingApplicationId = 0x4C4F5452;  // "LOTR": letoff's recordings

inline constexpr const char* kRecordingSchemaSteps[] = {
    // 1: a chunk holds whole events (recording_events.h), of ticks that never go back.
    "CREATE TABLE recording ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " name TEXT NOT NULL UNIQUE COLLATE NOCASE,"
    " created_unix_s INTEGER NOT NULL,"
    " build TEXT NOT NULL,"
    " profile_name TEXT NOT NULL,"
    " profile_revision INTEGER NOT NULL,"
    " profile_json TEXT NOT NULL,"
    " strings BLOB NOT NULL,"
    " tick_hz INTEGER NOT NULL CHECK (tick_hz > 0),"
    " begin_s REAL NOT NULL,"
    " lost INTEGER NOT NULL DEFAULT 0,"
    " ended INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE TABLE chunk ("
    " recording_id INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL,"
    " last_tick INTEGER NOT NULL,"
    " events INTEGER NOT NULL,"
    " strikes INTEGER NOT NULL,"
    " check_sum INTEGER NOT NULL,"
    " bytes BLOB NOT NULL,"
    " PRIMARY KEY (recording_id, number)) STRICT;"
    "CREATE TABLE touch ("
    " recording_id INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,"
    " version INTEGER NOT NULL,"
    " profile_json TEXT NOT NULL,"
    " PRIMARY KEY (recording_id, version)) STRICT;",
    // 2: what was learnt of a foreign keyboard, by the name of its port (input_map_store.h).
    "CREATE TABLE keyboard ("
    " name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE,"
    " saved_unix_s INTEGER NOT NULL,"
    " map_json TEXT NOT NULL) STRICT;",
    // 3: how a chunk's bytes have its events (TakeForm), and recordings that nobody asked for, which are bounded.
    ("ALTER TABLE chunk ADD COLUMN form INTEGER NOT NULL DEFAULT 1;"
     "ALTER TABLE recording ADD COLUMN captured INTEGER NOT NULL DEFAULT 0;"),
};
static_assert(std::size(kRecordingSchemaSteps) == core::kRecordingSchemaVersion);

}  // namespace letoff::storage
