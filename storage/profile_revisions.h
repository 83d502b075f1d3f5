// The queries on the tables of storage/profile_schema.h. All may throw SQLite::Exception. Internal to storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/profile.h"
#include "storage/profile_store.h"

namespace SQLite {
class Database;
}

namespace letoff::storage {

/// The living one of that name, or of the deleted ones the one made last.
std::optional<ProfileHead> find_profile(SQLite::Database& database, std::string_view name, Deleted deleted);
std::optional<ProfileHead> find_profile(SQLite::Database& database, std::int64_t id);

/// A living profile other than `but` has the name.
bool name_is_taken(SQLite::Database& database, std::string_view name, std::int64_t but);

std::vector<ProfileInfo> all_profiles(SQLite::Database& database, Deleted deleted);
std::vector<RevisionInfo> all_revisions(SQLite::Database& database, std::int64_t id);

ProfileValues values_at(SQLite::Database& database, std::int64_t id, int number);

struct Revision {
    int number = 0;
    std::int64_t saved_unix_s = 0;
    std::string how;
    int content_of = 0;  // 0: none
    std::string note;
    bool deleted = false;
    Profile content;
    std::int64_t check_sum = 0;  // of the content, as kept
};
std::int64_t check_sum(const Profile& content);
/// Empty if there is none of that number.
std::optional<Revision> read_revision(SQLite::Database& database, std::int64_t id, int number);

/// Within a transaction: a new profile without a revision, and the next revision of one.
std::int64_t insert_profile(SQLite::Database& database, const std::string& name);
void insert_revision(SQLite::Database& database, std::int64_t id, const Revision& revision);

}  // namespace letoff::storage
