#include "storage/sensor_calibrations.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/versions.h"
#include "storage/small_database.h"

namespace letoff::storage {

namespace {

constexpr std::int32_t kApplicationId = 0x4C4F4B43;         // "LOKC": letoff's keybed calibrations
constexpr std::size_t kMostBins = 1000;                     // 10 mm in 10 um
static_assert(std::endian::native == std::endian::little);  // forces are kept as they are in memory

constexpr const char* kSteps[] = {
    "CREATE TABLE calibration ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " serial TEXT NOT NULL,"
    " saved_unix_s INTEGER NOT NULL);"
    "CREATE INDEX calibration_by_serial ON calibration (serial);"
    "CREATE TABLE key_sensors ("
    " calibration_id INTEGER NOT NULL REFERENCES calibration (id),"
    " key INTEGER NOT NULL,"
    " k_m_per_V2 REAL NOT NULL, offset_m REAL NOT NULL,"
    " kappa_Vs_per_m REAL NOT NULL, coil_offset_V REAL NOT NULL,"
    " position_rms_m REAL NOT NULL, position_worst_m REAL NOT NULL, velocity_rms_mps REAL NOT NULL,"
    " PRIMARY KEY (calibration_id, key)) WITHOUT ROWID",
    "CREATE TABLE cogging ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " serial TEXT NOT NULL,"
    " saved_unix_s INTEGER NOT NULL);"
    "CREATE INDEX cogging_by_serial ON cogging (serial);"
    "CREATE TABLE key_cogging ("
    " cogging_id INTEGER NOT NULL REFERENCES cogging (id),"
    " key INTEGER NOT NULL,"
    " bin_m REAL NOT NULL, first_bin INTEGER NOT NULL,"
    " force_N BLOB NOT NULL,"  // binary64, little endian
    " PRIMARY KEY (cogging_id, key)) WITHOUT ROWID",
};
static_assert(std::size(kSteps) == core::kCalibrationSchemaVersion);

constexpr double StoredKeySensors::* kColumns[] = {
    &StoredKeySensors::k_m_per_V2,      &StoredKeySensors::offset_m,       &StoredKeySensors::kappa_Vs_per_m,
    &StoredKeySensors::coil_offset_V,   &StoredKeySensors::position_rms_m, &StoredKeySensors::position_worst_m,
    &StoredKeySensors::velocity_rms_mps};

core::Error unusable(std::string_view file, std::string_view why) {
    return {fmt::format("the calibrations in '{}' cannot be used: {}", file, why)};
}

}  // namespace

struct SensorCalibrations::Database {
    explicit Database(const std::string& file)
        : name(file), sqlite(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeout_ms) {}
    std::string name;
    SQLite::Database sqlite;
};

SensorCalibrations::SensorCalibrations(std::unique_ptr<Database> database) : database_(std::move(database)) {}
SensorCalibrations::~SensorCalibrations() = default;
SensorCalibrations::SensorCalibrations(SensorCalibrations&&) noexcept = default;
SensorCalibrations& SensorCalibrations::operator=(SensorCalibrations&&) noexcept = default;

core::Result<SensorCalibrations> SensorCalibrations::open(const std::string& file) {
    try {
        auto database = std::make_unique<Database>(file);
        if (auto done = prepare(database->sqlite, kApplicationId, kSteps); !done) return unusable(file, done.error());
        return SensorCalibrations(std::move(database));
    } catch (const SQLite::Exception& exception) {
        return unusable(file, exception.what());
    }
}

core::Result<std::optional<StoredCalibration>> SensorCalibrations::find(std::string_view serial) {
    using Found = std::optional<StoredCalibration>;
    try {
        SQLite::Statement newest(database_->sqlite,
                                 "SELECT id, saved_unix_s FROM calibration WHERE serial = ? ORDER BY id DESC LIMIT 1");
        newest.bind(1, std::string(serial));
        if (!newest.executeStep()) return Found{};
        StoredCalibration found;
        found.saved_unix_s = newest.getColumn(1).getInt64();
        SQLite::Statement keys(database_->sqlite,
                               "SELECT k_m_per_V2, offset_m, kappa_Vs_per_m, coil_offset_V, position_rms_m,"
                               " position_worst_m, velocity_rms_mps FROM key_sensors WHERE calibration_id = ?"
                               " ORDER BY key");
        keys.bind(1, newest.getColumn(0).getInt64());
        while (keys.executeStep()) {
            StoredKeySensors& key = found.keys.emplace_back();
            for (int column = 0; column < static_cast<int>(std::size(kColumns)); ++column)
                key.*kColumns[column] = keys.getColumn(column).getDouble();
        }
        return Found{std::move(found)};
    } catch (const SQLite::Exception& exception) {
        return unusable(database_->name, exception.what());
    }
}

Done SensorCalibrations::save(std::string_view serial, std::int64_t now_unix_s,
                              std::span<const StoredKeySensors> keys) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        for (const auto column : kColumns) {
            if (std::isfinite(keys[k].*column)) continue;
            return core::Error{fmt::format("the calibration of key {} of '{}' holds {}; finite numbers are needed",
                                           k + 1, serial, keys[k].*column)};
        }
    }
    try {
        SQLite::Database& sqlite = database_->sqlite;
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement whole(sqlite, "INSERT INTO calibration (serial, saved_unix_s) VALUES (?, ?)");
        whole.bind(1, std::string(serial));
        whole.bind(2, now_unix_s);
        whole.exec();
        const std::int64_t id = sqlite.getLastInsertRowid();
        SQLite::Statement one(sqlite, "INSERT INTO key_sensors VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (std::size_t k = 0; k < keys.size(); ++k) {
            one.reset();
            one.bind(1, id);
            one.bind(2, static_cast<int>(k));
            for (int column = 0; column < static_cast<int>(std::size(kColumns)); ++column)
                one.bind(3 + column, keys[k].*kColumns[column]);
            one.exec();
        }
        transaction.commit();
        return std::monostate{};
    } catch (const SQLite::Exception& exception) {
        return unusable(database_->name, exception.what());
    }
}

core::Result<std::vector<StoredKeyCogging>> SensorCalibrations::find_cogging(std::string_view serial) {
    try {
        std::vector<StoredKeyCogging> found;
        SQLite::Statement keys(database_->sqlite,
                               "SELECT bin_m, first_bin, force_N FROM key_cogging WHERE cogging_id ="
                               " (SELECT MAX(id) FROM cogging WHERE serial = ?) ORDER BY key");
        keys.bind(1, std::string(serial));
        while (keys.executeStep()) {
            const SQLite::Column forces = keys.getColumn(2);
            const auto bytes = static_cast<std::size_t>(forces.getBytes());
            StoredKeyCogging& key =
                found.emplace_back(StoredKeyCogging{keys.getColumn(0).getDouble(), keys.getColumn(1).getInt(),
                                                    std::vector<double>(bytes / sizeof(double))});
            if (bytes % sizeof(double) != 0 || bytes / sizeof(double) > kMostBins || key.first_bin < 0)
                return unusable(database_->name,
                                fmt::format("the cogging of key {} of '{}' is damaged", found.size(), serial));
            if (bytes > 0) std::memcpy(key.force_N.data(), forces.getBlob(), bytes);
        }
        return found;
    } catch (const SQLite::Exception& exception) {
        return unusable(database_->name, exception.what());
    }
}

Done SensorCalibrations::save_cogging(std::string_view serial, std::int64_t now_unix_s,
                                      std::span<const StoredKeyCogging> keys) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const auto is_finite = [](double force_N) { return std::isfinite(force_N); };
        const bool good = std::isfinite(keys[k].bin_m) && keys[k].first_bin >= 0 &&
                          keys[k].force_N.size() <= kMostBins && std::ranges::all_of(keys[k].force_N, is_finite);
        if (good) continue;
        return core::Error{
            fmt::format("the cogging of key {} of '{}' has {} points from bin {} on; at most {} finite"
                        " ones from bin 0 or later are accepted",
                        k + 1, serial, keys[k].force_N.size(), keys[k].first_bin, kMostBins)};
    }
    try {
        SQLite::Database& sqlite = database_->sqlite;
        SQLite::Transaction transaction(sqlite, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement whole(sqlite, "INSERT INTO cogging (serial, saved_unix_s) VALUES (?, ?)");
        whole.bind(1, std::string(serial));
        whole.bind(2, now_unix_s);
        whole.exec();
        const std::int64_t id = sqlite.getLastInsertRowid();
        SQLite::Statement one(sqlite, "INSERT INTO key_cogging VALUES (?, ?, ?, ?, ?)");
        for (std::size_t k = 0; k < keys.size(); ++k) {
            one.reset();
            one.bind(1, id);
            one.bind(2, static_cast<int>(k));
            one.bind(3, keys[k].bin_m);
            one.bind(4, keys[k].first_bin);
            // A null pointer would be NULL and not an empty blob.
            static constexpr double kNone = 0;
            one.bind(5, keys[k].force_N.empty() ? &kNone : keys[k].force_N.data(),
                     static_cast<int>(keys[k].force_N.size() * sizeof(double)));
            one.exec();
        }
        transaction.commit();
        return std::monostate{};
    } catch (const SQLite::Exception& exception) {
        return unusable(database_->name, exception.what());
    }
}

}  // namespace letoff::storage
