#include "storage/stroke_cache.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "storage/check_sum.h"
#include "storage/small_database.h"

namespace letoff::storage {

namespace {

constexpr std::int32_t kApplicationId = 0x4C4F5343;  // "LOSC": letoff's stroke cache

// The row id grows with every store, so the smallest is the oldest.
constexpr const char* kSteps[] = {
    "CREATE TABLE stroke_table ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " parameter_hash INTEGER NOT NULL,"
    " build_tag TEXT NOT NULL,"
    " check_sum INTEGER NOT NULL,"
    " table_doubles BLOB NOT NULL,"
    " UNIQUE (parameter_hash, build_tag))",
};

/// SQLite's integers are signed; the bits are what matters.
std::int64_t as_stored(std::uint64_t bits) {
    return std::bit_cast<std::int64_t>(bits);
}

std::int64_t check_sum(std::span<const std::byte> bytes) {
    CheckSum sum;
    sum.add(bytes);
    return sum.as_stored();
}

core::Error unusable(std::string_view file, std::string_view why) {
    return {
        fmt::format("the cache of finger tables '{}' cannot be used: {}; delete the file or name another", file, why)};
}

}  // namespace

struct StrokeCache::Database {
    Database(const std::string& file, std::string_view tag, std::int64_t rows)
        : name(file),
          build_tag(tag),
          most_rows(rows),
          sqlite(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeout_ms) {}

    core::Error failure(std::string_view why) const { return unusable(name, why); }

    std::string name;
    std::string build_tag;
    std::int64_t most_rows;
    SQLite::Database sqlite;
};

StrokeCache::StrokeCache(std::unique_ptr<Database> database) : database_(std::move(database)) {}
StrokeCache::~StrokeCache() = default;
StrokeCache::StrokeCache(StrokeCache&&) noexcept = default;
StrokeCache& StrokeCache::operator=(StrokeCache&&) noexcept = default;

core::Result<StrokeCache> StrokeCache::open(const std::string& file, std::string_view build_tag,
                                            std::int64_t most_rows) {
    const auto refuse = [&](std::string_view why) { return unusable(file, why); };
    if (file.empty()) return refuse("its name is empty");
    try {
        auto database = std::make_unique<Database>(file, build_tag, most_rows);
        if (auto done = prepare(database->sqlite, kApplicationId, kSteps, Synchronous::kNormal); !done)
            return refuse(done.error());
        return StrokeCache(std::move(database));
    } catch (const SQLite::Exception& exception) {
        return refuse(exception.what());
    }
}

core::Result<std::optional<std::vector<double>>> StrokeCache::find(std::uint64_t parameter_hash) {
    using Found = std::optional<std::vector<double>>;
    try {
        SQLite::Statement query(
            database_->sqlite,
            "SELECT check_sum, table_doubles FROM stroke_table WHERE parameter_hash = ? AND build_tag = ?");
        query.bind(1, as_stored(parameter_hash));
        query.bind(2, database_->build_tag);
        if (!query.executeStep()) return Found{};
        const SQLite::Column blob = query.getColumn(1);
        const auto size = static_cast<std::size_t>(blob.getBytes());
        const std::span bytes(static_cast<const std::byte*>(blob.getBlob()), size);
        if (size % sizeof(double) != 0 || check_sum(bytes) != query.getColumn(0).getInt64()) return Found{};
        std::vector<double> table(size / sizeof(double));
        if (size != 0) std::memcpy(table.data(), bytes.data(), size);
        return Found{std::move(table)};
    } catch (const SQLite::Exception& exception) {
        return database_->failure(exception.what());
    }
}

Done StrokeCache::store(std::uint64_t parameter_hash, std::span<const double> table) {
    try {
        SQLite::Database& sqlite = database_->sqlite;
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        const auto bytes = std::as_bytes(table);
        SQLite::Statement insert(
            sqlite,
            "INSERT OR REPLACE INTO stroke_table (parameter_hash, build_tag, check_sum, table_doubles)"
            " VALUES (?, ?, ?, ?)");
        insert.bind(1, as_stored(parameter_hash));
        insert.bind(2, database_->build_tag);
        insert.bind(3, check_sum(bytes));
        insert.bind(4, bytes.empty() ? "" : static_cast<const void*>(bytes.data()), static_cast<int>(bytes.size()));
        insert.exec();
        SQLite::Statement prune(sqlite, "DELETE FROM stroke_table WHERE id <= (SELECT max(id) FROM stroke_table) - ?");
        prune.bind(1, database_->most_rows);
        prune.exec();
        transaction.commit();
        return std::monostate{};
    } catch (const SQLite::Exception& exception) {
        return database_->failure(exception.what());
    }
}

core::Result<std::int64_t> StrokeCache::rows() {
    try {
        return std::int64_t{database_->sqlite.execAndGet("SELECT count(*) FROM stroke_table").getInt64()};
    } catch (const SQLite::Exception& exception) {
        return database_->failure(exception.what());
    }
}

}  // namespace letoff::storage
