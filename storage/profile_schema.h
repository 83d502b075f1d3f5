// The tables of the profile database, version by version. A step that was ever given out is never edited: a change is a
// new step, a new core::kProfileSchemaVersion and a new example in tests/storage/data. Internal to storage.
//
// A revision holds a profile's texts whole and, of its values, what changed against the revision before: the values at
// revision n are, for each place that ever had one, those of the last change up to n. Rows are only ever added.
#pragma once

#include <cstdint>
#include <iterator>

#include "core/versions.h"

namespace letoff::storage {

inline constexpr std::int32_t kProfileApplicationId = 0x4C4F5450;  // "LOTP": letoff's touch profiles

inline constexpr const char* kProfileSchemaSteps[] = {
    // 1: key 0 is the whole instrument; `head` is the newest revision; `content_of` is, where the content was taken
    // from an earlier revision (restored, undone), that revision's number.
    "CREATE TABLE profile ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " name TEXT NOT NULL COLLATE NOCASE,"
    " deleted INTEGER NOT NULL DEFAULT 0,"
    " head INTEGER NOT NULL,"
    " FOREIGN KEY (id, head) REFERENCES revision (profile_id, number) DEFERRABLE INITIALLY DEFERRED) STRICT;"
    "CREATE UNIQUE INDEX living_name ON profile (name) WHERE deleted = 0;"
    "CREATE TABLE revision ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " profile_id INTEGER NOT NULL REFERENCES profile (id),"
    " number INTEGER NOT NULL CHECK (number >= 1),"
    " saved_unix_s INTEGER NOT NULL,"
    " how TEXT NOT NULL,"
    " content_of INTEGER,"
    " note TEXT NOT NULL,"
    " name TEXT NOT NULL,"
    " action TEXT NOT NULL,"
    " notes TEXT NOT NULL,"
    " extra TEXT NOT NULL,"
    " deleted INTEGER NOT NULL,"
    " changed_values INTEGER NOT NULL,"
    " check_sum INTEGER NOT NULL,"
    " UNIQUE (profile_id, number)) STRICT;"
    "CREATE TABLE place ("
    " profile_id INTEGER NOT NULL REFERENCES profile (id),"
    " row TEXT NOT NULL,"
    " key INTEGER NOT NULL CHECK (key BETWEEN 0 AND 88),"
    " PRIMARY KEY (profile_id, row, key)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE change ("
    " profile_id INTEGER NOT NULL,"
    " row TEXT NOT NULL,"
    " key INTEGER NOT NULL,"
    " number INTEGER NOT NULL,"
    " kind TEXT NOT NULL CHECK (kind IN ('absolute', 'relative', 'removed')),"
    " value REAL CHECK ((kind = 'removed') = (value IS NULL)),"
    " PRIMARY KEY (profile_id, row, key, number),"
    " FOREIGN KEY (profile_id, row, key) REFERENCES place (profile_id, row, key),"
    " FOREIGN KEY (profile_id, number) REFERENCES revision (profile_id, number)) STRICT, WITHOUT ROWID;"
    "CREATE TRIGGER revision_stays BEFORE UPDATE ON revision BEGIN SELECT RAISE(ABORT, 'a revision stays'); END;"
    "CREATE TRIGGER revision_is_kept BEFORE DELETE ON revision BEGIN SELECT RAISE(ABORT, 'a revision stays'); END;"
    "CREATE TRIGGER change_stays BEFORE UPDATE ON change BEGIN SELECT RAISE(ABORT, 'a revision stays'); END;"
    "CREATE TRIGGER change_is_kept BEFORE DELETE ON change BEGIN SELECT RAISE(ABORT, 'a revision stays'); END;",
};
static_assert(std::size(kProfileSchemaSteps) == core::kProfileSchemaVersion);

}  // namespace letoff::storage
