#include "storage/recording_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "storage/profile.h"
#include "storage/recording_database.h"
#include "storage/recording_events.h"

namespace letoff::storage {

namespace {

void bind_blob(SQLite::Statement& statement, int place, std::span<const std::uint8_t> bytes) {
    statement.bind(place, bytes.empty() ? "" : static_cast<const void*>(bytes.data()), static_cast<int>(bytes.size()));
}

core::Error no_name(const std::string& name) {
    return {
        fmt::format("'{}' is no name for a recording: up to {} bytes of printable text without '@' "
                    "and without a blank at either end are needed",
                    name, kLongestName_bytes)};
}

core::Error taken_name(const std::string& name) {
    return {fmt::format("there is a recording named '{}' already: use another name", name)};
}

}  // namespace

RecordingStore::RecordingStore(std::unique_ptr<RecordingDatabase> database) : database_(std::move(database)) {}
RecordingStore::~RecordingStore() = default;
RecordingStore::RecordingStore(RecordingStore&&) noexcept = default;
RecordingStore& RecordingStore::operator=(RecordingStore&&) noexcept = default;

core::Result<RecordingStore> RecordingStore::open(const std::string& file, std::function<std::int64_t()> now_unix_s) {
    auto database = RecordingDatabase::open(file, std::move(now_unix_s));
    if (!database) return core::Error{database.error()};
    return RecordingStore(std::move(database.value()));
}

bool RecordingStore::is_taken(const std::string& name) {
    SQLite::Statement taken(database_->sqlite(), "SELECT 1 FROM recording WHERE name = ?");
    taken.bind(1, name);
    return taken.executeStep();
}

core::Result<std::int64_t> RecordingStore::begin(const RecordingHead& head) {
    if (!check_profile_name(head.name)) return no_name(head.name);
    return database_->guarded([&]() -> core::Result<std::int64_t> {
        SQLite::Database& sqlite = database_->sqlite();
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        std::string name = head.name;
        for (int i = 2; is_taken(name); ++i) {
            if (!head.captured) return taken_name(head.name);
            name = fmt::format("{} ({})", head.name, i);
        }
        std::vector<std::uint8_t> strings(head.strings.size() * sizeof(double));
        if (!strings.empty()) std::memcpy(strings.data(), head.strings.data(), strings.size());
        SQLite::Statement insert(sqlite,
                                 "INSERT INTO recording (name, created_unix_s, build, profile_name, profile_revision,"
                                 " profile_json, strings, tick_hz, begin_s, captured)"
                                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        insert.bind(1, name);
        insert.bind(2, database_->now_unix_s());
        insert.bind(3, head.build);
        insert.bind(4, head.profile_name);
        insert.bind(5, head.profile_revision);
        insert.bind(6, head.profile_json);
        bind_blob(insert, 7, strings);
        insert.bind(8, head.tick_hz);
        insert.bind(9, head.begin_s);
        insert.bind(10, head.captured ? 1 : 0);
        insert.exec();
        const std::int64_t id = sqlite.getLastInsertRowid();
        transaction.commit();
        return id;
    });
}

Done RecordingStore::append(std::int64_t id, std::span<const core::TakeEvent> events) {
    if (events.empty()) return std::monostate{};
    return database_->guarded([&]() -> Done {
        const std::vector<std::uint8_t> bytes = packed_take(events);
        std::int64_t strikes = 0;
        for (const core::TakeEvent& event : events) strikes += event.kind == core::TakeKind::strike ? 1 : 0;
        SQLite::Statement insert(
            database_->sqlite(),
            "INSERT INTO chunk (recording_id, number, last_tick, events, strikes, check_sum, bytes, form)"
            " VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM chunk WHERE recording_id = ?1),"
            " ?2, ?3, ?4, ?5, ?6, ?7)");
        insert.bind(1, id);
        insert.bind(2, events.back().tick);
        insert.bind(3, static_cast<std::int64_t>(events.size()));
        insert.bind(4, strikes);
        insert.bind(5, sum_of(bytes));
        bind_blob(insert, 6, bytes);
        insert.bind(7, static_cast<int>(TakeForm::kPacked));
        insert.exec();
        return std::monostate{};
    });
}

Done RecordingStore::begins_at(std::int64_t id, double begin_s) {
    return database_->guarded([&]() -> Done {
        SQLite::Statement update(database_->sqlite(), "UPDATE recording SET begin_s = ? WHERE id = ?");
        update.bind(1, begin_s);
        update.bind(2, id);
        update.exec();
        return std::monostate{};
    });
}

Done RecordingStore::bound_captured(std::int64_t most_bytes, std::int64_t keep) {
    return database_->guarded([&]() -> Done {
        SQLite::Database& sqlite = database_->sqlite();
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement newest(sqlite,
                                 "SELECT r.id, coalesce(sum(length(c.bytes)), 0) FROM recording r"
                                 " LEFT JOIN chunk c ON c.recording_id = r.id WHERE r.captured = 1"
                                 " GROUP BY r.id ORDER BY r.id = ? DESC, r.id DESC");
        newest.bind(1, keep);
        std::vector<std::int64_t> old;
        for (std::int64_t bytes = 0; newest.executeStep();) {
            bytes += newest.getColumn(1).getInt64();
            if (const std::int64_t id = newest.getColumn(0).getInt64(); bytes > most_bytes && id != keep)
                old.push_back(id);
        }
        SQLite::Statement remove(sqlite, "DELETE FROM recording WHERE id = ?");
        for (const std::int64_t id : old) {
            remove.reset();
            remove.bind(1, id);
            remove.exec();
        }
        transaction.commit();
        return std::monostate{};
    });
}

Done RecordingStore::add_touch(std::int64_t id, const RecordedTouch& touch) {
    return database_->guarded([&]() -> Done {
        SQLite::Statement insert(database_->sqlite(),
                                 "INSERT INTO touch (recording_id, version, profile_json) VALUES (?, ?, ?)");
        insert.bind(1, id);
        insert.bind(2, static_cast<std::int64_t>(touch.version));
        insert.bind(3, touch.profile_json);
        insert.exec();
        return std::monostate{};
    });
}

Done RecordingStore::end(std::int64_t id, std::int64_t lost) {
    return database_->guarded([&]() -> Done {
        SQLite::Statement update(database_->sqlite(), "UPDATE recording SET ended = 1, lost = ? WHERE id = ?");
        update.bind(1, lost);
        update.bind(2, id);
        update.exec();
        return std::monostate{};
    });
}

core::Result<std::vector<RecordingInfo>> RecordingStore::list() {
    return database_->guarded([&]() -> core::Result<std::vector<RecordingInfo>> {
        std::vector<RecordingInfo> all;
        SQLite::Statement query(
            database_->sqlite(),
            "SELECT r.id, r.name, r.build, r.profile_name, r.profile_revision, r.tick_hz, r.created_unix_s, r.begin_s,"
            " r.lost, r.ended, coalesce(sum(c.events), 0), coalesce(sum(c.strikes), 0), max(c.last_tick), r.captured"
            " FROM recording r LEFT JOIN chunk c ON c.recording_id = r.id GROUP BY r.id ORDER BY r.id");
        while (query.executeStep()) {
            RecordingInfo info;
            info.id = query.getColumn(0).getInt64();
            info.name = query.getColumn(1).getString();
            info.build = query.getColumn(2).getString();
            info.profile_name = query.getColumn(3).getString();
            info.profile_revision = query.getColumn(4).getInt();
            info.tick_hz = query.getColumn(5).getInt();
            info.created_unix_s = query.getColumn(6).getInt64();
            info.lost = query.getColumn(8).getInt64();
            info.ended = query.getColumn(9).getInt() != 0;
            info.events = query.getColumn(10).getInt64();
            info.strikes = query.getColumn(11).getInt64();
            info.captured = query.getColumn(13).getInt() != 0;
            if (!query.getColumn(12).isNull()) {
                const double last_s = static_cast<double>(query.getColumn(12).getInt64()) / info.tick_hz;
                info.length_s = std::max(0.0, last_s - query.getColumn(7).getDouble());
            }
            all.push_back(std::move(info));
        }
        return all;
    });
}

core::Result<std::int64_t> RecordingStore::id_of(std::string_view name) {
    SQLite::Statement query(database_->sqlite(), "SELECT id FROM recording WHERE name = ?");
    query.bind(1, std::string(name));
    if (query.executeStep()) return std::int64_t{query.getColumn(0).getInt64()};
    std::string known;
    SQLite::Statement names(database_->sqlite(), "SELECT name FROM recording ORDER BY id DESC LIMIT 20");
    while (names.executeStep())
        known += fmt::format("{}'{}'", known.empty() ? "" : ", ", names.getColumn(0).getString());
    return core::Error{fmt::format("there is no recording '{}' in '{}', {}", name, database_->file(),
                                   known.empty() ? "it has none" : "it has " + known)};
}

Done RecordingStore::keep(std::string_view name, const std::string& new_name) {
    if (!check_profile_name(new_name)) return no_name(new_name);
    return database_->guarded([&]() -> Done {
        const auto id = id_of(name);
        if (!id) return core::Error{id.error()};
        if (is_taken(new_name)) return taken_name(new_name);
        SQLite::Statement update(database_->sqlite(), "UPDATE recording SET name = ?, captured = 0 WHERE id = ?");
        update.bind(1, new_name);
        update.bind(2, id.value());
        update.exec();
        return std::monostate{};
    });
}

Done RecordingStore::remove(std::string_view name) {
    return database_->guarded([&]() -> Done {
        const auto id = id_of(name);
        if (!id) return core::Error{id.error()};
        SQLite::Statement remove(database_->sqlite(), "DELETE FROM recording WHERE id = ?");
        remove.bind(1, id.value());
        remove.exec();
        return std::monostate{};
    });
}

}  // namespace letoff::storage
