#include "storage/recording_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "storage/check_sum.h"
#include "storage/profile.h"
#include "storage/recording_database.h"
#include "storage/recording_events.h"

namespace letoff::storage {

namespace {

constexpr std::int64_t kMostEvents = 50'000'000;  // of one recording: a day of two hundred notes a second

std::int64_t sum_of(std::span<const std::uint8_t> bytes) {
    CheckSum sum;
    sum.add(std::as_bytes(bytes));
    return sum.as_stored();
}

std::span<const std::uint8_t> bytes_of(const SQLite::Column& column) {
    return {static_cast<const std::uint8_t*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}

void bind_blob(SQLite::Statement& statement, int place, std::span<const std::uint8_t> bytes) {
    statement.bind(place, bytes.empty() ? "" : static_cast<const void*>(bytes.data()), static_cast<int>(bytes.size()));
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

core::Result<std::int64_t> RecordingStore::begin(const RecordingHead& head) {
    if (auto name = check_profile_name(head.name); !name) {
        return core::Error{
            fmt::format("'{}' is no name for a recording: up to {} bytes of printable text without '@' "
                        "and without a blank at either end are needed",
                        head.name, kLongestName_bytes)};
    }
    return database_->guarded([&]() -> core::Result<std::int64_t> {
        SQLite::Database& sqlite = database_->sqlite();
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement taken(sqlite, "SELECT 1 FROM recording WHERE name = ?");
        taken.bind(1, head.name);
        if (taken.executeStep())
            return core::Error{fmt::format("there is a recording named '{}' already: use another name", head.name)};
        std::vector<std::uint8_t> strings(head.strings.size() * sizeof(double));
        if (!strings.empty()) std::memcpy(strings.data(), head.strings.data(), strings.size());
        SQLite::Statement insert(sqlite,
                                 "INSERT INTO recording (name, created_unix_s, build, profile_name, profile_revision,"
                                 " profile_json, strings, tick_hz, begin_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        insert.bind(1, head.name);
        insert.bind(2, database_->now_unix_s());
        insert.bind(3, head.build);
        insert.bind(4, head.profile_name);
        insert.bind(5, head.profile_revision);
        insert.bind(6, head.profile_json);
        bind_blob(insert, 7, strings);
        insert.bind(8, head.tick_hz);
        insert.bind(9, head.begin_s);
        insert.exec();
        const std::int64_t id = sqlite.getLastInsertRowid();
        transaction.commit();
        return id;
    });
}

Done RecordingStore::append(std::int64_t id, std::span<const core::TakeEvent> events) {
    if (events.empty()) return std::monostate{};
    return database_->guarded([&]() -> Done {
        const std::vector<std::uint8_t> bytes = take_bytes(events);
        std::int64_t strikes = 0;
        for (const core::TakeEvent& event : events) strikes += event.kind == core::TakeKind::strike ? 1 : 0;
        SQLite::Statement insert(
            database_->sqlite(),
            "INSERT INTO chunk (recording_id, number, last_tick, events, strikes, check_sum, bytes)"
            " VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM chunk WHERE recording_id = ?1),"
            " ?2, ?3, ?4, ?5, ?6)");
        insert.bind(1, id);
        insert.bind(2, events.back().tick);
        insert.bind(3, static_cast<std::int64_t>(events.size()));
        insert.bind(4, strikes);
        insert.bind(5, sum_of(bytes));
        bind_blob(insert, 6, bytes);
        insert.exec();
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
            " r.lost, r.ended, coalesce(sum(c.events), 0), coalesce(sum(c.strikes), 0), max(c.last_tick)"
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

core::Result<Recording> RecordingStore::load(std::string_view name) {
    return database_->guarded([&]() -> core::Result<Recording> {
        const auto id = id_of(name);
        if (!id) return core::Error{id.error()};
        Recording recording;
        SQLite::Statement head(database_->sqlite(),
                               "SELECT name, created_unix_s, build, profile_name, profile_revision, profile_json,"
                               " strings, tick_hz, begin_s, lost FROM recording WHERE id = ?");
        head.bind(1, id.value());
        if (!head.executeStep()) return core::Error{fmt::format("the recording '{}' was deleted meanwhile", name)};
        RecordingHead& to = recording.head;
        to.name = head.getColumn(0).getString();
        to.created_unix_s = head.getColumn(1).getInt64();
        to.build = head.getColumn(2).getString();
        to.profile_name = head.getColumn(3).getString();
        to.profile_revision = head.getColumn(4).getInt();
        to.profile_json = head.getColumn(5).getString();
        const SQLite::Column blob = head.getColumn(6);
        to.strings.resize(bytes_of(blob).size() / sizeof(double));
        if (!to.strings.empty())
            std::memcpy(to.strings.data(), bytes_of(blob).data(), to.strings.size() * sizeof(double));
        to.tick_hz = head.getColumn(7).getInt();
        to.begin_s = head.getColumn(8).getDouble();
        recording.lost = head.getColumn(9).getInt64();

        SQLite::Statement chunks(
            database_->sqlite(),
            "SELECT number, events, check_sum, bytes FROM chunk WHERE recording_id = ? ORDER BY number");
        chunks.bind(1, id.value());
        std::int64_t last_tick = 0;
        for (int number = 1; chunks.executeStep(); ++number) {
            const SQLite::Column column = chunks.getColumn(3);
            const auto bytes = bytes_of(column);
            const std::vector<core::TakeEvent> events = take_events(bytes);
            bool sound = chunks.getColumn(0).getInt() == number && sum_of(bytes) == chunks.getColumn(2).getInt64() &&
                         chunks.getColumn(1).getInt64() == static_cast<std::int64_t>(events.size());
            for (const core::TakeEvent& event : events) {
                sound = sound && event.tick >= last_tick;
                last_tick = event.tick;
            }
            if (!sound || static_cast<std::int64_t>(recording.events.size() + events.size()) > kMostEvents) {
                recording.warnings.push_back(
                    fmt::format("the recording '{}' is damaged after {:.1f} s; what is before is used", to.name,
                                recording.events.empty()
                                    ? 0.0
                                    : static_cast<double>(recording.events.back().tick) / to.tick_hz - to.begin_s));
                break;
            }
            recording.events.insert(recording.events.end(), events.begin(), events.end());
        }
        SQLite::Statement touches(database_->sqlite(),
                                  "SELECT version, profile_json FROM touch WHERE recording_id = ? ORDER BY version");
        touches.bind(1, id.value());
        while (touches.executeStep()) {
            recording.touches.push_back(
                {static_cast<std::uint64_t>(touches.getColumn(0).getInt64()), touches.getColumn(1).getString()});
        }
        return recording;
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
