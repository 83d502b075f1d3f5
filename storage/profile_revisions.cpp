#include "storage/profile_revisions.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <span>

#include "storage/check_sum.h"

namespace letoff::storage {

namespace {

constexpr std::string_view kAbsolute = "absolute", kRelative = "relative", kRemoved = "removed";

std::optional<ProfileHead> only_head(SQLite::Statement& query) {
    if (!query.executeStep()) return std::nullopt;
    return ProfileHead{query.getColumn(0).getInt64(), query.getColumn(1).getString(), query.getColumn(2).getInt(),
                       query.getColumn(3).getInt() != 0};
}

void insert_changes(SQLite::Database& database, std::int64_t id, int number,
                    std::span<const ProfileDifference> changes) {
    SQLite::Statement place(database, "INSERT OR IGNORE INTO place (profile_id, row, key) VALUES (?, ?, ?)");
    SQLite::Statement insert(
        database, "INSERT INTO change (profile_id, row, key, number, kind, value) VALUES (?, ?, ?, ?, ?, ?)");
    for (const ProfileDifference& change : changes) {
        for (SQLite::Statement* statement : {&place, &insert}) {
            statement->reset();
            statement->bind(1, id);
            statement->bind(2, change.place.row);
            statement->bind(3, change.place.key);
        }
        place.exec();
        insert.bind(4, number);
        if (change.after) {
            insert.bind(5, std::string(change.after->relative ? kRelative : kAbsolute));
            insert.bind(6, change.after->value);
        } else {
            insert.bind(5, std::string(kRemoved));
            insert.bind(6);
        }
        insert.exec();
    }
}

}  // namespace

std::optional<ProfileHead> find_profile(SQLite::Database& database, std::string_view name, Deleted deleted) {
    SQLite::Statement query(database,
                            "SELECT id, name, head, deleted FROM profile WHERE name = ? AND deleted <= ?"
                            " ORDER BY deleted, id DESC LIMIT 1");
    query.bind(1, std::string(name));
    query.bind(2, deleted == Deleted::kToo ? 1 : 0);
    return only_head(query);
}

std::optional<ProfileHead> find_profile(SQLite::Database& database, std::int64_t id) {
    SQLite::Statement query(database, "SELECT id, name, head, deleted FROM profile WHERE id = ?");
    query.bind(1, id);
    return only_head(query);
}

bool name_is_taken(SQLite::Database& database, std::string_view name, std::int64_t but) {
    SQLite::Statement query(database, "SELECT count(*) FROM profile WHERE name = ? AND deleted = 0 AND id <> ?");
    query.bind(1, std::string(name));
    query.bind(2, but);
    return query.executeStep() && query.getColumn(0).getInt() != 0;
}

std::vector<ProfileInfo> all_profiles(SQLite::Database& database, Deleted deleted) {
    SQLite::Statement query(database,
                            "SELECT revision.name, revision.action, revision.number, revision.saved_unix_s,"
                            " profile.deleted FROM profile JOIN revision"
                            " ON revision.profile_id = profile.id AND revision.number = profile.head"
                            " WHERE profile.deleted <= ? ORDER BY profile.name, profile.id");
    query.bind(1, deleted == Deleted::kToo ? 1 : 0);
    std::vector<ProfileInfo> profiles;
    while (query.executeStep()) {
        profiles.push_back({query.getColumn(0).getString(), query.getColumn(1).getString(), query.getColumn(2).getInt(),
                            query.getColumn(3).getInt64(), query.getColumn(4).getInt() != 0});
    }
    return profiles;
}

std::vector<RevisionInfo> all_revisions(SQLite::Database& database, std::int64_t id) {
    SQLite::Statement query(
        database,
        "SELECT number, saved_unix_s, how, ifnull(content_of, 0), note, name, deleted, changed_values"
        " FROM revision WHERE profile_id = ? ORDER BY number");
    query.bind(1, id);
    std::vector<RevisionInfo> revisions;
    while (query.executeStep()) {
        revisions.push_back({query.getColumn(0).getInt(), query.getColumn(1).getInt64(), query.getColumn(2).getString(),
                             query.getColumn(3).getInt(), query.getColumn(4).getString(),
                             query.getColumn(5).getString(), query.getColumn(6).getInt() != 0,
                             query.getColumn(7).getInt()});
    }
    return revisions;
}

ProfileValues values_at(SQLite::Database& database, std::int64_t id, int number) {
    // For each place one look into the index, however long the history is: CROSS keeps SQLite to that order.
    SQLite::Statement query(database,
                            "SELECT change.key, change.row, kind, value FROM place CROSS JOIN change"
                            " USING (profile_id, row, key) WHERE place.profile_id = ?1 AND change.number ="
                            " (SELECT max(number) FROM change AS last WHERE last.profile_id = place.profile_id"
                            "  AND last.row = place.row AND last.key = place.key AND last.number <= ?2)");
    query.bind(1, id);
    query.bind(2, number);
    ProfileValues values;
    while (query.executeStep()) {
        const std::string kind = query.getColumn(2).getString();
        if (kind == kRemoved) continue;
        values[{query.getColumn(0).getInt(), query.getColumn(1).getString()}] = {query.getColumn(3).getDouble(),
                                                                                 kind == kRelative};
    }
    return values;
}

std::int64_t check_sum(const Profile& content) {
    CheckSum sum;
    for (const std::string* text : {&content.name, &content.action, &content.notes, &content.extra})
        sum.add(std::string_view(*text));
    for (const auto& [place, value] : content.values) {
        sum.add(static_cast<std::uint64_t>(place.key));
        sum.add(std::string_view(place.row));
        sum.add(value.value);
        sum.add(std::uint64_t{value.relative});
    }
    return sum.as_stored();
}

std::optional<Revision> read_revision(SQLite::Database& database, std::int64_t id, int number) {
    SQLite::Statement query(database,
                            "SELECT saved_unix_s, how, ifnull(content_of, 0), note, name, action, notes, extra,"
                            " deleted, check_sum FROM revision WHERE profile_id = ? AND number = ?");
    query.bind(1, id);
    query.bind(2, number);
    if (!query.executeStep()) return std::nullopt;
    Revision revision;
    revision.number = number;
    revision.saved_unix_s = query.getColumn(0).getInt64();
    revision.how = query.getColumn(1).getString();
    revision.content_of = query.getColumn(2).getInt();
    revision.note = query.getColumn(3).getString();
    revision.content.name = query.getColumn(4).getString();
    revision.content.action = query.getColumn(5).getString();
    revision.content.notes = query.getColumn(6).getString();
    revision.content.extra = query.getColumn(7).getString();
    revision.deleted = query.getColumn(8).getInt() != 0;
    revision.check_sum = query.getColumn(9).getInt64();
    revision.content.values = values_at(database, id, number);
    return revision;
}

std::int64_t insert_profile(SQLite::Database& database, const std::string& name) {
    SQLite::Statement insert(database, "INSERT INTO profile (name, head) VALUES (?, 0)");  // head: by insert_revision
    insert.bind(1, name);
    insert.exec();
    return database.getLastInsertRowid();
}

void insert_revision(SQLite::Database& database, std::int64_t id, const Revision& revision) {
    const auto changes = difference(values_at(database, id, revision.number - 1), revision.content.values);
    SQLite::Statement insert(database,
                             "INSERT INTO revision (profile_id, number, saved_unix_s, how, content_of, note, name,"
                             " action, notes, extra, deleted, changed_values, check_sum)"
                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, id);
    insert.bind(2, revision.number);
    insert.bind(3, revision.saved_unix_s);
    insert.bind(4, revision.how);
    if (revision.content_of != 0) insert.bind(5, revision.content_of);
    insert.bind(6, revision.note);
    insert.bind(7, revision.content.name);
    insert.bind(8, revision.content.action);
    insert.bind(9, revision.content.notes);
    insert.bind(10, revision.content.extra);
    insert.bind(11, revision.deleted ? 1 : 0);
    insert.bind(12, static_cast<int>(changes.size()));
    insert.bind(13, check_sum(revision.content));
    insert.exec();
    insert_changes(database, id, revision.number, changes);
    SQLite::Statement head(database, "UPDATE profile SET name = ?, deleted = ?, head = ? WHERE id = ?");
    head.bind(1, revision.content.name);
    head.bind(2, revision.deleted ? 1 : 0);
    head.bind(3, revision.number);
    head.bind(4, id);
    head.exec();
}

}  // namespace letoff::storage
